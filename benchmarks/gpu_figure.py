"""Draws a report of benchmarks/gpu.py: one PNG of four panels, each of which says one thing."""

from pathlib import Path

from gpu_report import Report, fastest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


def draw(report: Report, path: Path) -> None:
    figure = Figure(figsize=(12, 9), layout="constrained")
    FigureCanvasAgg(figure)
    rate = report.copy_bytes_per_second / 1e9
    figure.suptitle(
        f"Paged decode on {report.card.name}: copy {rate:,.0f} GB/s, torch {report.card.torch}, "
        f"triton {report.card.triton}"
    )
    (by_context, by_shape), (rivals, splits) = figure.subplots(2, 2)
    _by_context(by_context, report)
    _by_shape(by_shape, report)
    _rivals(rivals, report)
    _splits(splits, report)
    figure.savefig(path, dpi=120)


def _percent(axes: Axes, title: str) -> None:
    axes.set_title(title)
    axes.set_ylabel("% of copy bandwidth")
    axes.axhline(100, color="0.7", linewidth=1)
    axes.set_ylim(bottom=0)


def _by_context(axes: Axes, report: Report) -> None:
    _percent(axes, "Long contexts and large batches fill the bus (block 16, head dim 128)")
    walks = [walk for walk in report.walks if (walk.case.block_size, walk.case.head_dim) == (16, 128)]
    for batch in sorted({walk.case.batch for walk in walks}):
        line = sorted((walk.case.context, 100 * walk.of_copy) for walk in walks if walk.case.batch == batch)
        axes.plot(*zip(*line, strict=True), marker="o", label=f"batch {batch}")
    axes.set_xscale("log", base=2)
    axes.set_xlabel("tokens of context")
    if walks:
        axes.legend()


def _by_shape(axes: Axes, report: Report) -> None:
    _percent(axes, "Block size and head dim (32 requests of 2048 tokens)")
    walks = [walk for walk in report.walks if (walk.case.batch, walk.case.context) == (32, 2048)]
    walks.sort(key=lambda walk: (walk.case.head_dim, walk.case.block_size))
    names = [f"block {walk.case.block_size}\ndim {walk.case.head_dim}" for walk in walks]
    axes.bar(range(len(walks)), [100 * walk.of_copy for walk in walks], color="C0")
    axes.set_xticks(range(len(walks)), names, fontsize=7)


def _rivals(axes: Axes, report: Report) -> None:
    axes.set_title("The same step by others")
    axes.set_ylabel("milliseconds (log)")
    sides = list(dict.fromkeys(rival.side for rival in report.rivals))
    cases = list(dict.fromkeys((rival.case.batch, rival.case.context) for rival in report.rivals))
    for number, side in enumerate(sides):
        bars = [
            (cases.index((rival.case.batch, rival.case.context)) + number * 0.8 / len(sides), 1000 * rival.seconds)
            for rival in report.rivals
            if rival.side == side
        ]
        axes.bar(*zip(*bars, strict=True), width=0.8 / len(sides), align="edge", label=side)
    axes.set_xticks([n + 0.4 for n in range(len(cases))], [f"{batch} × {context}" for batch, context in cases])
    axes.set_xlabel("batch × tokens of context")
    if sides:
        axes.set_yscale("log")
        axes.legend(fontsize=8)


def _splits(axes: Axes, report: Report) -> None:
    axes.set_title("Fastest number of splits (in brackets: what the library takes)")
    rule = {split.case: split.rule for split in report.splits}
    best = fastest(report.splits)
    batches = sorted({case.batch for case in best})
    contexts = sorted({case.context for case in best})
    for case, num_splits in best.items():
        axes.text(
            contexts.index(case.context),
            batches.index(case.batch),
            f"{num_splits} ({rule[case]})",
            ha="center",
            va="center",
            fontweight="bold" if num_splits > 1 else "normal",
        )
    axes.set_xticks(range(len(contexts)), map(str, contexts))
    axes.set_yticks(range(len(batches)), map(str, batches))
    axes.set_xlim(-0.5, max(len(contexts), 1) - 0.5)
    axes.set_ylim(-0.5, max(len(batches), 1) - 0.5)
    axes.set_xlabel("tokens of context")
    axes.set_ylabel("batch")
