"""The utilisation explorer as a Jupyter widget: its state here, its arithmetic and drawing in explorer.js."""

from __future__ import annotations

import struct
from functools import cache
from typing import TYPE_CHECKING

import anywidget
import traitlets

from paged import workload as workloads
from paged.widgets.assets import script, style
from paged.widgets.explorer_html import static_html
from paged.widgets.explorer_text import TEXT
from paged.widgets.language import LANGUAGES, notebook_language
from paged.widgets.traits import Whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_BLOCK_SIZE = 256
MAX_REQUESTS = 10_000
WORKLOADS = ("handbook", "azure-conv-2023", "azure-code-2023")


@cache
def _workload(name: str) -> workloads.Workload:
    """The whole workload; the first n of its lengths are the workload of n requests."""
    return workloads.handbook(MAX_REQUESTS) if name == "handbook" else workloads.trace(name, MAX_REQUESTS)


@cache
def _shipment() -> bytes:
    """Lengths of every workload, in the order of WORKLOADS: 3 x 10,000 little-endian uint16, 60 kB."""
    lengths = [length for name in WORKLOADS for length in _workload(name).lengths]
    return struct.pack(f"<{len(lengths)}H", *lengths)


class Explorer(anywidget.AnyWidget):
    """Utilisation under reserve-max and under paging, at one block size and request count.

    `results` is read-only and follows every change, from a slider or from Python: used, last_block_waste and
    reserved_waste in tokens; paged = used / (used + last_block_waste) and reserved = used / (used + reserved_waste).
    """

    _esm = script("explorer")
    _css = style("explorer")

    block_size = Whole(16, min=1, max=MAX_BLOCK_SIZE).tag(sync=True)
    num_requests = Whole(200, min=1, max=MAX_REQUESTS).tag(sync=True)
    workload = traitlets.Enum(WORKLOADS, "handbook").tag(sync=True)
    lang = traitlets.Enum(LANGUAGES).tag(sync=True)
    results = traitlets.Dict(read_only=True).tag(sync=True)

    _lengths = traitlets.Bytes(read_only=True).tag(sync=True)
    _max_lens = traitlets.Dict(read_only=True).tag(sync=True)
    _text = traitlets.Dict(TEXT, read_only=True).tag(sync=True)

    @traitlets.default("lang")
    def _default_lang(self) -> str:
        return notebook_language()

    @traitlets.default("_lengths")
    def _default_lengths(self) -> bytes:
        return _shipment()

    @traitlets.default("_max_lens")
    def _default_max_lens(self) -> dict[str, int]:
        return {name: _workload(name).max_len for name in WORKLOADS}

    @traitlets.default("results")
    def _measure(self) -> dict[str, int | float]:
        requests = self._requests()
        found = workloads.utilisation(requests.lengths, self.block_size, requests.max_len)
        return found._asdict() | {"paged": found.paged, "reserved": found.reserved}

    @traitlets.observe("block_size", "num_requests", "workload")
    def _refresh(self, change: object) -> None:
        self.set_trait("results", self._measure())

    def _requests(self) -> workloads.Workload:
        whole = _workload(self.workload)
        return whole._replace(lengths=whole.lengths[: self.num_requests])

    def figure(self) -> Figure:
        """The same picture as a matplotlib figure, for print."""
        from paged.widgets.explorer_figure import utilisation_figure

        return utilisation_figure(self._requests(), self.block_size)

    def __repr__(self) -> str:
        return (
            f"Explorer({self.workload}, {self.num_requests} requests, block size {self.block_size}: "
            f"paged {self.results['paged']:.1%}, reserve-max {self.results['reserved']:.1%})"
        )

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        """The live view and, for pages without a kernel or without trust, the same numbers as plain HTML."""
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return data | {"text/html": static_html(self._requests(), self.block_size, TEXT[self.lang])}, metadata
