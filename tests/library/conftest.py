"""What the library's tests share: a refused call must leave every object as it was."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy

import pytest


@pytest.fixture
def refuses() -> Callable:
    """`with refuses(ValueError, "block 3", pool, sequence): ...`: the block raises, and no attribute changes."""

    @contextmanager
    def refuses(error: type[Exception], message: str, *untouched: object) -> Iterator[None]:
        before = [_state(thing) for thing in untouched]
        with pytest.raises(error, match=message):
            yield
        assert [_state(thing) for thing in untouched] == before

    return refuses


def _state(thing: object) -> dict[str, object]:
    """All attributes, the order of queues included; a sequence's pool is named as an object of its own."""
    return {name: deepcopy(value) for name, value in vars(thing).items() if name != "pool"}
