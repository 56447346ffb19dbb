"""The mask viewer as a Jupyter widget: its state here, its arithmetic and drawing in mask_viewer*.js."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import anywidget
import traitlets

from paged.widgets.arguments import refuse_other_languages, wholes
from paged.widgets.assets import script, style
from paged.widgets.language import LANGUAGES, notebook_language
from paged.widgets.mask_viewer_html import static_html
from paged.widgets.mask_viewer_masks import MISTAKES, differing, query_start_loc, seen
from paged.widgets.mask_viewer_text import TEXT
from paged.widgets.traits import Whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_REQUESTS = 8
MAX_CONTEXT = 64  # tokens


class MaskViewer(anywidget.AnyWidget):
    """Causal masks of a batch of requests at any stage, and the flat batch of their queries.

    requests is a list of [context, new]; request and query say which query is selected, query being 0 for a request
    without any; mistake is one of MISTAKES. `results` is read-only and follows every change: query_start_loc, seq_lens,
    num_tokens (N), differing (cells that the mistake changes), and for the selected query row, position and visible
    (keys it sees), all three None where the request has no query.
    """

    _esm = script("mask_viewer_picture", "mask_viewer")
    _css = style("mask_viewer")

    requests = traitlets.List().tag(sync=True)
    request = Whole(0, min=0).tag(sync=True)
    query = Whole(0, min=0).tag(sync=True)
    mistake = traitlets.Enum(MISTAKES, "none").tag(sync=True)
    lang = traitlets.Enum(LANGUAGES).tag(sync=True)
    results = traitlets.Dict(read_only=True).tag(sync=True)

    _text = traitlets.Dict(TEXT, read_only=True).tag(sync=True)

    def __init__(self, requests: Sequence[Sequence[int]], **traits: object):
        refuse_other_languages(traits)
        sizes = checked(requests)
        longest = max(range(len(sizes)), key=lambda n: sizes[n][1])  # the request with the most queries
        place = {"request": longest, "query": max(0, sizes[longest][1] // 2)}
        super().__init__(requests=sizes, **place | traits)

    @traitlets.default("lang")
    def _default_lang(self) -> str:
        return notebook_language()

    @traitlets.validate("requests")
    def _check_requests(self, proposal: dict) -> list[list[int]]:
        try:
            return checked(proposal["value"])
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from error

    @traitlets.validate("request")
    def _check_request(self, proposal: dict) -> int:
        if proposal["value"] >= len(self.requests):
            raise traitlets.TraitError(f"request {proposal['value']} is outside the {len(self.requests)} requests")
        return proposal["value"]

    @traitlets.validate("query")
    def _check_query(self, proposal: dict) -> int:
        new = self.requests[self.request][1]
        if proposal["value"] >= max(1, new):
            raise traitlets.TraitError(
                f"query {proposal['value']} is outside the {new} queries of request {self.request}"
            )
        return proposal["value"]

    @traitlets.default("results")
    def _measure(self) -> dict[str, object]:
        starts, (context, new) = query_start_loc(self.requests), self.requests[self.request]
        visible = seen(context, new, self.query)
        place = {"row": starts[self.request] + self.query, "position": visible - 1, "visible": visible}
        return {
            "query_start_loc": starts,
            "seq_lens": [context for context, _ in self.requests],
            "num_tokens": starts[-1],
            "differing": differing(self.requests, self.mistake),
        } | (place if new else dict.fromkeys(place))

    @traitlets.observe("requests", "request", "query", "mistake")
    def _refresh(self, change: object) -> None:
        self.request = min(self.request, len(self.requests) - 1)
        self.query = min(self.query, max(0, self.requests[self.request][1] - 1))
        self.set_trait("results", self._measure())

    def figure(self) -> Figure:
        """The same picture as a matplotlib figure, for print."""
        from paged.widgets.mask_viewer_figure import mask_figure

        return mask_figure(self.requests, self.request, self.query, self.mistake)

    def __repr__(self) -> str:
        return f"MaskViewer({self.requests}, query_start_loc {self.results['query_start_loc']})"

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        """The live view and, for pages without a kernel or without trust, the same masks as plain HTML."""
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return data | {"text/html": static_html(self.requests, self.mistake, TEXT[self.lang])}, metadata


def checked(requests: Sequence[Sequence[int]]) -> list[list[int]]:
    """Each request as [context, new]. Raises ValueError unless there are 1 to 8 with 0 <= new <= context <= 64."""
    try:
        count = len(requests)
    except TypeError:
        raise ValueError(f"requests must be a list of (context, new tokens), got {requests!r:.80}") from None
    if not 1 <= count <= MOST_REQUESTS:
        raise ValueError(f"1 to {MOST_REQUESTS} requests can be shown, got {count}")
    sizes = [wholes(f"requests[{n}]", request, MAX_CONTEXT) for n, request in enumerate(requests)]
    for n, size in enumerate(sizes):
        if len(size) != 2:
            raise ValueError(f"request {n} must be (context, new tokens), got {len(size)} numbers: {size}")
        context, new = size
        if not 1 <= context <= MAX_CONTEXT:
            raise ValueError(f"the context of request {n} must be 1 to {MAX_CONTEXT} tokens, got {context}")
        if not 0 <= new <= context:
            raise ValueError(f"request {n} has {new} queries, but its context is {context} tokens")
    return sizes
