"""The capacity planner as a Jupyter widget: its state here, its arithmetic and drawing in capacity_planner*.js."""

from __future__ import annotations

from dataclasses import asdict
from numbers import Real
from typing import TYPE_CHECKING

import anywidget
import traitlets

from paged.gpus import GPUS
from paged.models import MODELS
from paged.widgets.arguments import refuse_other_languages
from paged.widgets.assets import script, style
from paged.widgets.capacity_planner_html import static_html
from paged.widgets.capacity_planner_plan import KV_BYTES, MAX_GPUS, WEIGHT_BITS, Setting, plan
from paged.widgets.capacity_planner_text import TEXT
from paged.widgets.language import LANGUAGES, notebook_language
from paged.widgets.traits import Amount, Whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_TOKENS = max(model.context for model in MODELS.values())
MAX_GIB = 1000.0


class CapacityPlanner(anywidget.AnyWidget):
    """How many requests of one length fit, with paging and with a reserved maximum.

    Requests are as long as `tokens` says, but never longer than `reserved_tokens` or the model's context; a
    reserved_tokens of None is the context. weights are GiB on each GPU, None for what the parameters take at
    weight_dtype; another model, number of GPUs or weight_dtype sets them to None. `results` is read-only and follows
    every change: the fields of capacity_planner_plan.Plan, bytes being those of each GPU.
    """

    _esm = script(*(f"capacity_planner{part}" for part in ("_plan", "_words", "_picture", "")))
    _css = style("capacity_planner")

    model = traitlets.Enum(tuple(MODELS)).tag(sync=True)
    gpu = traitlets.Enum(tuple(GPUS)).tag(sync=True)
    num_gpus = Whole(1, min=1, max=MAX_GPUS).tag(sync=True)
    weight_dtype = traitlets.Enum(("published", *WEIGHT_BITS), "published").tag(sync=True)
    weights = Amount(None, min=0, max=MAX_GIB, allow_none=True).tag(sync=True)
    kept = Amount(10.0, min=0, max=MAX_GIB).tag(sync=True)
    kv_dtype = traitlets.Enum(tuple(KV_BYTES), "bf16").tag(sync=True)
    tokens = Whole(3000, min=1, max=MAX_TOKENS).tag(sync=True)
    reserved_tokens = Whole(None, min=1, max=MAX_TOKENS, allow_none=True).tag(sync=True)
    block_size = Whole(16, min=1, max=256).tag(sync=True)
    lang = traitlets.Enum(LANGUAGES).tag(sync=True)
    results = traitlets.Dict(read_only=True).tag(sync=True)

    _models = traitlets.Dict(read_only=True).tag(sync=True)
    _gpus = traitlets.Dict(read_only=True).tag(sync=True)
    _text = traitlets.Dict(TEXT, read_only=True).tag(sync=True)

    def __init__(self, model: str, gpu: str, weights: float | None = None, **traits: object):
        refuse_other_languages(traits)
        for argument, name, table in (("model", model, MODELS), ("gpu", gpu, GPUS)):
            if not isinstance(name, str) or name not in table:
                raise ValueError(f"{argument} {name!r:.80} is not among {', '.join(table)}")
        number = isinstance(weights, Real) and not isinstance(weights, bool)
        if weights is not None and not (number and 0 <= weights <= MAX_GIB):
            raise ValueError(f"weights must be 0 to {MAX_GIB:.0f} GiB, got {weights!r:.80}")
        super().__init__(model=model, gpu=gpu, **traits)
        self.weights = (
            None if weights is None else float(weights)
        )  # not before the model is there, which sets them to None

    @traitlets.default("lang")
    def _default_lang(self) -> str:
        return notebook_language()

    @traitlets.default("_models")
    def _default_models(self) -> dict[str, dict]:
        return {name: asdict(model) | {"kind": model.kind} for name, model in MODELS.items()}

    @traitlets.default("_gpus")
    def _default_gpus(self) -> dict[str, dict]:
        return {name: asdict(gpu) for name, gpu in GPUS.items()}

    @traitlets.default("results")
    def _plan(self) -> dict[str, int | str]:
        return plan(self._setting())._asdict()

    @traitlets.observe("model", "num_gpus", "weight_dtype")
    def _forget_weights(self, change: object) -> None:
        self.weights = None

    @traitlets.observe(*(name for name in Setting._fields))
    def _refresh(self, change: object) -> None:
        self.set_trait("results", self._plan())

    def _setting(self) -> Setting:
        values = {name: getattr(self, name) for name in Setting._fields}
        return Setting(**values | {"model": MODELS[self.model], "gpu": GPUS[self.gpu]})

    def figure(self) -> Figure:
        """The same picture as a matplotlib figure, for print."""
        from paged.widgets.capacity_planner_figure import capacity_figure

        return capacity_figure(self._setting())

    def __repr__(self) -> str:
        return (
            f"CapacityPlanner({self.model} on {self.num_gpus} x {self.gpu}: "
            f"{self.results['paged']} requests paged, {self.results['reserved']} reserved)"
        )

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        """The live view and, for pages without a kernel or without trust, the same numbers as plain HTML."""
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return data | {"text/html": static_html(self._setting(), TEXT[self.lang])}, metadata
