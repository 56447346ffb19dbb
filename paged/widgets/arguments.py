"""Arguments of widgets: numbers and languages that are wrong are refused by name, before anything is made of them."""

from collections.abc import Iterable
from itertools import islice
from operator import index

from paged.widgets.language import LANGUAGES


def whole(name: str, value: object) -> int:
    """The value as an int: anything with __index__ will do (NumPy's integers, too), a bool will not.

    Raises ValueError otherwise.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        return index(value)
    except TypeError:
        raise ValueError(f"{name} must be a whole number, got {value!r:.80}") from None


def wholes(name: str, values: Iterable[int], most: int) -> list[int]:
    """The values as ints. Raises ValueError where they are not several, not whole numbers, or more than `most`."""
    try:
        given = list(islice(values, most + 1))
    except TypeError:
        raise ValueError(f"{name} must be a list of whole numbers, got {values!r:.80}") from None
    if len(given) > most:
        raise ValueError(f"{name} can have {most} entries, and has more")
    return [whole(f"{name}[{place}]", value) for place, value in enumerate(given)]


def refuse_other_languages(traits: dict[str, object]) -> None:
    """Raise ValueError for a "lang" that there is no edition in."""
    if "lang" in traits and traits["lang"] not in LANGUAGES:
        raise ValueError(f"lang must be one of {', '.join(LANGUAGES)}, got {traits['lang']!r:.80}")
