"""The slot microscope as a Jupyter widget: its state here, its arithmetic and drawing in slot_microscope*.js."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import anywidget
import traitlets

from paged.slots import slot_mapping_for
from paged.widgets.arguments import refuse_other_languages, whole, wholes
from paged.widgets.assets import script, style
from paged.widgets.language import LANGUAGES, notebook_language
from paged.widgets.slot_microscope_html import static_html
from paged.widgets.slot_microscope_text import TEXT
from paged.widgets.traits import Whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_BLOCK_SIZE = 256  # tokens
MAX_TOKENS = 4096
MAX_BLOCKS = 8192  # of the cache, as the table at first needs it
LEAST_BLOCKS = 8


class SlotMicroscope(anywidget.AnyWidget):
    """Position → logical block → physical block → slot, for one sequence.

    The sequence starts with as many tokens as its table holds. `results` is read-only and follows every change:
    logical_block, offset, block, slot, the block_table that the tokens need at this block size, and num_blocks of the
    cache.
    """

    _esm = script("slot_microscope_picture", "slot_microscope")
    _css = style("slot_microscope")

    position = Whole(min=0).tag(sync=True)
    block_size = Whole(min=1, max=MAX_BLOCK_SIZE).tag(sync=True)
    num_tokens = Whole(min=1, max=MAX_TOKENS).tag(sync=True)
    lang = traitlets.Enum(LANGUAGES).tag(sync=True)
    results = traitlets.Dict(read_only=True).tag(sync=True)

    _order = traitlets.List(Whole()).tag(sync=True)  # the table of MAX_TOKENS tokens at block size 1
    _num_blocks = Whole().tag(sync=True)  # of the cache, for the table as given
    _text = traitlets.Dict(TEXT, read_only=True).tag(sync=True)

    def __init__(self, block_table: Sequence[int], position: int, block_size: int, **traits: object):
        refuse_other_languages(traits)
        table = wholes("block_table", block_table, MAX_TOKENS)
        position, block_size = whole("position", position), whole("block_size", block_size)
        _check(table, position, block_size)
        num_blocks = max(LEAST_BLOCKS, max(table) + 1, 2 * len(table))
        state = {"block_size": block_size, "position": position, "num_tokens": len(table) * block_size}
        super().__init__(**state, _order=longer(table, num_blocks), _num_blocks=num_blocks, **traits)

    @traitlets.default("lang")
    def _default_lang(self) -> str:
        return notebook_language()

    @traitlets.validate("position")
    def _check_position(self, proposal: dict) -> int:
        if proposal["value"] >= self.num_tokens:
            raise traitlets.TraitError(
                f"position {proposal['value']} is outside the sequence's {self.num_tokens} tokens"
            )
        return proposal["value"]

    @traitlets.default("results")
    def _locate(self) -> dict[str, int | list[int]]:
        entries = -(-self.num_tokens // self.block_size)
        table = self._order[:entries]
        logical, offset = divmod(self.position, self.block_size)
        [slot] = slot_mapping_for(table, [self.position], self.block_size)
        place = {"logical_block": logical, "offset": offset, "block": table[logical], "slot": slot}
        return place | {"block_table": table, "num_blocks": cache_blocks(self._num_blocks, entries)}

    @traitlets.observe("position", "block_size", "num_tokens", "_order")
    def _refresh(self, change: object) -> None:
        self.position = min(self.position, self.num_tokens - 1)
        self.set_trait("results", self._locate())

    def figure(self) -> Figure:
        """The same picture as a matplotlib figure, for print."""
        from paged.widgets.slot_microscope_figure import slot_figure

        return slot_figure(self.position, self.num_tokens, self.block_size, self.results)

    def __repr__(self) -> str:
        return (
            f"SlotMicroscope(position {self.position}, block size {self.block_size}, "
            f"block {self.results['block']}: slot {self.results['slot']})"
        )

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        """The live view and, for pages without a kernel or without trust, the same numbers as plain HTML."""
        data, metadata = super()._repr_mimebundle_(**kwargs)
        page = static_html(self.position, self.num_tokens, self.block_size, self.results, TEXT[self.lang])
        return data | {"text/html": page}, metadata


def cache_blocks(num_blocks: int, entries: int) -> int:
    """`num_blocks`, doubled until a table of `entries` takes no more than half of the cache."""
    while num_blocks < 2 * entries:
        num_blocks *= 2
    return num_blocks


def longer(block_table: list[int], num_blocks: int) -> list[int]:
    """The table with MAX_TOKENS entries, the given ones first, from a fixed seed; each length fits cache_blocks."""
    order, random = list(block_table), Random(0)
    while len(order) < MAX_TOKENS:
        free = sorted(set(range(num_blocks)).difference(order))
        order += random.sample(free, num_blocks // 2 - len(order))
        num_blocks *= 2
    return order[:MAX_TOKENS]


def _check(table: list[int], position: int, block_size: int) -> None:
    if not 1 <= block_size <= MAX_BLOCK_SIZE:
        raise ValueError(f"block_size must be 1 to {MAX_BLOCK_SIZE}, got {block_size}")
    if not 1 <= len(table) * block_size <= MAX_TOKENS:
        raise ValueError(f"a table of {len(table)} blocks of {block_size} tokens is outside 1 to {MAX_TOKENS} tokens")
    if len(set(table)) < len(table) or not 0 <= min(table) <= max(table) < MAX_BLOCKS:
        raise ValueError(f"the blocks of a table must be different and from 0 to {MAX_BLOCKS - 1}, got {table}")
    if not 0 <= position < len(table) * block_size:
        raise ValueError(f"position {position} is outside the {len(table) * block_size} tokens of the block table")
