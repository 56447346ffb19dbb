"""The picture of what a kernel reads, as a Jupyter widget: its state here, its drawing in read_slots*.js."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import anywidget
import traitlets

from paged.widgets.arguments import refuse_other_languages
from paged.widgets.assets import script, style
from paged.widgets.language import LANGUAGES, notebook_language
from paged.widgets.read_slots_html import static_html
from paged.widgets.read_slots_text import TEXT
from paged.widgets.read_slots_trace import CACHES, bytes_of, checked, least_bytes, name_of
from paged.widgets.traits import Whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class ReadSlots(anywidget.AnyWidget):
    """Which slots of K and V each program of a kernel reads, and how many bytes that are.

    trace is plain data (read_slots_trace.py). run is the number of the run shown, cache "k" or "v", and program the
    number of the program that is lit, from 1; 0 lights all of them. `results` is read-only and follows every change:
    programs (of the run), bytes (of K and V, as often as they are read), least (each token's once), times (bytes /
    least, None where nothing has to be read), and of what is lit program_bytes and slots (different ones, of `cache`).
    """

    _esm = script("read_slots_picture", "read_slots")
    _css = style("read_slots")

    trace = traitlets.Dict().tag(sync=True)
    run = Whole(0, min=0).tag(sync=True)
    program = Whole(0, min=0).tag(sync=True)
    cache = traitlets.Enum(CACHES, "k").tag(sync=True)
    lang = traitlets.Enum(LANGUAGES).tag(sync=True)
    results = traitlets.Dict(read_only=True).tag(sync=True)

    _text = traitlets.Dict(TEXT, read_only=True).tag(sync=True)

    def __init__(self, trace: Mapping, **traits: object):
        refuse_other_languages(traits)
        super().__init__(trace=checked(trace), **traits)

    @traitlets.default("lang")
    def _default_lang(self) -> str:
        return notebook_language()

    @traitlets.validate("trace")
    def _check_trace(self, proposal: dict) -> dict:
        try:
            return checked(proposal["value"])
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from error

    @traitlets.validate("run")
    def _check_run(self, proposal: dict) -> int:
        if proposal["value"] >= len(self.trace["runs"]):
            raise traitlets.TraitError(f"run {proposal['value']} is outside the {len(self.trace['runs'])} runs")
        return proposal["value"]

    @traitlets.validate("program")
    def _check_program(self, proposal: dict) -> int:
        if proposal["value"] > len(self._programs):
            raise traitlets.TraitError(
                f"program {proposal['value']} is outside 0 to {len(self._programs)}, the programs of run {self.run}"
            )
        return proposal["value"]

    @traitlets.default("results")
    def _measure(self) -> dict[str, object]:
        programs, least = self._programs, least_bytes(self.trace)
        lit = programs if self.program == 0 else [programs[self.program - 1]]
        total = bytes_of(programs)
        return {
            "programs": len(programs),
            "bytes": total,
            "least": least,
            "times": total / least if least else None,
            "program_bytes": bytes_of(lit),
            "slots": len({slot for program in lit for slot, _, _ in program[self.cache]}),
        }

    @traitlets.observe("trace", "run", "program", "cache")
    def _refresh(self, change: object) -> None:
        self.run = min(self.run, len(self.trace["runs"]) - 1)
        self.program = min(self.program, len(self._programs))
        self.set_trait("results", self._measure())

    @property
    def _programs(self) -> list[dict]:
        return self.trace["runs"][min(self.run, len(self.trace["runs"]) - 1)]["programs"]

    def figure(self) -> Figure:
        """The same picture as a matplotlib figure, for print."""
        from paged.widgets.read_slots_figure import read_figure

        return read_figure(self.trace, self.run, self.program, self.cache)

    def __repr__(self) -> str:
        name, found = name_of(self.trace["runs"][self.run], "en"), self.results
        return f"ReadSlots({name}: {found['programs']} programs, {found['bytes']:,} bytes, least {found['least']:,})"

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        """The live view and, for pages without a kernel or without trust, the run shown as plain HTML."""
        data, metadata = super()._repr_mimebundle_(**kwargs)
        page = static_html(self.trace, self.run, self.cache, TEXT[self.lang], self.lang)
        return data | {"text/html": page}, metadata
