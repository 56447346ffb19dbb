"""The block map as a Jupyter widget: it carries out calls on the learner's own objects and keeps every step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from paged.widgets.arguments import refuse_other_languages
from paged.widgets.assets import script, style
from paged.widgets.block_map_desk import Desk, Outcome
from paged.widgets.block_map_frames import encode
from paged.widgets.block_map_html import static_html
from paged.widgets.block_map_script import ScriptError, parse
from paged.widgets.block_map_state import State, observe
from paged.widgets.block_map_text import TEXT, in_words
from paged.widgets.language import LANGUAGES, notebook_language
from paged.widgets.traits import Whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_STEPS = 500  # kept; older ones are forgotten


class BlockMap(anywidget.AnyWidget):
    """A pool, its sequences, and every step so far. `frame` is the number of the step shown, from 0."""

    _esm = script("blocks", "block_map_steps", "block_map_draw", "block_map_actions", "block_map")
    _css = style("blocks", "block_map")

    frame = Whole().tag(sync=True)
    lang = traitlets.Enum(LANGUAGES).tag(sync=True)
    block_size = Whole(read_only=True).tag(sync=True)

    _frames = traitlets.List().tag(sync=True)
    _problem = traitlets.Dict().tag(sync=True)
    _can = traitlets.Dict(read_only=True).tag(sync=True)  # bare: pool alone; maker: what makes a sequence, or ""; share
    _text = traitlets.Dict(TEXT, read_only=True).tag(sync=True)

    def __init__(self, pool: Any, sequences: Any = None, block_size: int | None = None, **traits: object) -> None:
        refuse_other_languages(traits)
        self._desk = Desk(pool, sequences, block_size)
        now = observe(self._desk)
        trouble = now.troubles[0] if now.troubles else ("start", {})
        self._states: list[tuple[dict, State]] = [(_line(*trouble), now)]
        super().__init__(_frames=[encode(*self._states[0], None)], **traits)
        self.set_trait("block_size", self._desk.block_size)
        bare = not self._desk.make and not self._desk.sequences
        maker = self._desk.maker if self._desk.make else ""
        self.set_trait("_can", {"bare": bare, "maker": maker, "share": hasattr(pool, "share")})
        self.on_msg(self._on_message)

    @traitlets.default("lang")
    def _default_lang(self) -> str:
        return notebook_language()

    @traitlets.validate("frame")
    def _check_frame(self, proposal: dict) -> int:
        if not 0 <= proposal["value"] < len(self._states):
            raise traitlets.TraitError(f"frame {proposal['value']} is outside 0 to {len(self._states) - 1}")
        return proposal["value"]

    @property
    def shown(self) -> dict:
        """The step shown as plain data: call, num_free, ref_cnt, free_queue (None: not known), tables, num_tokens."""
        step, state = self._states[self.frame]
        return {
            "call": step["call"],
            "num_free": state.num_free,
            "ref_cnt": list(state.counts),
            "free_queue": None if state.queue is None else list(state.queue),
            "tables": {name: list(owner.table) for name, owner in state.owners.items()},
            "num_tokens": {name: owner.tokens for name, owner in state.owners.items() if owner.tokens is not None},
        }

    def run(self, script: str) -> None:
        """Carry out the script, a step for each call; the first exception of the learner's own code ends it.

        Raises ValueError for a line that is no call of a known name; the lines before it have been carried out, unless
        the script as a whole cannot be read, or is no text.
        """
        self._carry_out(script)
        if self._problem:
            raise ValueError(in_words(self._problem, TEXT["en"]))

    def look(self) -> None:
        """Record what has been done to the objects elsewhere, as a step of its own."""
        before = self._states[-1][1]
        now = observe(self._desk, before)
        if not now.same(before):
            self._record([(_line("outside", {}), now)])
        self._record([(_line(*trouble), now) for trouble in now.news(before)])

    def _on_message(self, _: object, content: dict, buffers: object) -> None:
        if isinstance(script := content.get("run"), str):
            try:
                self._carry_out(script)
            finally:
                self.send({"done": True})

    def _carry_out(self, script: str) -> None:
        self.look()
        steps, problem = [], {}
        state = self._states[-1][1]
        try:
            for call in parse(script):
                outcome = self._desk.perform(call)
                now = observe(self._desk, state, {outcome.born} - {None})
                troubles = [(_line(*trouble), now) for trouble in now.news(state)]
                steps += [(_step(outcome, now.same(state)), now), *troubles]
                state = now
                if outcome.key == "raised" or troubles:
                    break
        except ScriptError as error:
            problem = {"key": error.key, "line": error.line, "values": error.values}
        finally:
            self._problem = problem
            self._record(steps)

    def _record(self, steps: list[tuple[dict, State]]) -> None:
        frames = list(self._frames)
        for step, state in steps:
            frames.append(encode(step, state, self._states[-1][1]))
            self._states.append((step, state))
        if len(frames) > MOST_STEPS:
            self._states, frames = self._states[-MOST_STEPS:], frames[-MOST_STEPS:]
            frames[0] = encode(*self._states[0], None)
        if steps:
            with self.hold_sync():
                self.set_trait("block_size", self._desk.block_size)  # the first sequence may have settled it
                self._frames = frames
                self.frame = len(frames) - 1

    def figure(self) -> Figure:
        """The step shown as a matplotlib figure, for print."""
        from paged.widgets.block_map_figure import block_map_figure

        return block_map_figure(*self._states[self.frame], self.block_size)

    def __repr__(self) -> str:
        _, state = self._states[self.frame]
        free = "?" if state.num_free is None else state.num_free
        step = f"step {self.frame + 1} of {len(self._states)}"
        return f"BlockMap({len(state.counts)} blocks, {free} free, {len(state.owners)} owners, {step})"

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        """The live view and, for pages without a kernel or without trust, the step shown as plain HTML."""
        self.look()
        data, metadata = super()._repr_mimebundle_(**kwargs)
        page = static_html(*self._states[self.frame], self.block_size, TEXT[self.lang])
        return data | {"text/html": page}, metadata


def _step(outcome: Outcome, untouched: bool) -> dict:
    """What to say of a call; of a refused one also whether it has left a trace."""
    refused = outcome.key in ("raised", "none")
    trace = ("untouched" if untouched else "touched") if refused else ""
    return {"call": outcome.call, "outcome": [outcome.key, outcome.values], "trace": trace}


def _line(key: str, values: dict[str, object]) -> dict:
    """A step that no call has made."""
    return {"call": "", "outcome": [key, values], "trace": ""}
