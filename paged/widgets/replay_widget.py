"""The replay of a run as a Jupyter widget: compared here once, drawn by replay.js without the kernel."""

from __future__ import annotations

from collections.abc import Mapping

import anywidget
import traitlets

from paged.widgets.assets import script, style
from paged.widgets.language import LANGUAGES, notebook_language
from paged.widgets.replay_frames import Run
from paged.widgets.replay_html import static_html
from paged.widgets.replay_text import TEXT
from paged.widgets.traits import Whole


class Replay(anywidget.AnyWidget):
    """A run, call by call: what was expected beside what came. `frame` is the number of the call shown, from 0."""

    _esm = script("blocks", "replay")
    _css = style("blocks", "replay")

    frame = Whole().tag(sync=True)
    lang = traitlets.Enum(LANGUAGES).tag(sync=True)

    _views = traitlets.List().tag(sync=True)
    _text = traitlets.Dict(TEXT, read_only=True).tag(sync=True)

    def __init__(self, frames: list[Mapping], **traits: object):
        views = Run(frames).views()
        super().__init__(**{"_views": views, "frame": len(views) - 1} | traits)

    @traitlets.default("lang")
    def _default_lang(self) -> str:
        return notebook_language()

    @traitlets.validate("frame")
    def _check_frame(self, proposal: dict) -> int:
        if not 0 <= proposal["value"] < len(self._views):
            raise traitlets.TraitError(f"frame {proposal['value']} is outside 0 to {len(self._views) - 1}")
        return proposal["value"]

    def __repr__(self) -> str:
        view = self._views[-1]
        outcome = f"differs in {', '.join(view['differs'])}" if view["differs"] else "as expected"
        return f"Replay({len(self._views)} calls, {view['call']}: {outcome if view['answered'] else 'no answer'})"

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        """The live view and, for pages without a kernel or without trust, the last call as plain HTML."""
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return data | {"text/html": static_html(self._views, TEXT[self.lang])}, metadata
