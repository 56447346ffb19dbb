"""Everything a GPU can tell about the Triton kernels, in one command of less than 8 minutes.

    python benchmarks/gpu.py [--to FOLDER] [--minutes 7]

It has not been run on a GPU yet: whatever could be tested without one is, in tests/library/test_benchmark_gpu.py.

    correct     all kernels against float64, on the batches that the interpreter's tests have, bfloat16 too; poisoned
                slots, blocks with room between them
    copy        bandwidth of a large copy, bytes read and written, in this same run
    rivals      decode by the library, by SDPA on contiguous K and V, by FlexAttention's paged path (page 128)
    splits      split-KV by hand, beside what the library takes
    walks       decode over batch × context × block size × head dim, in per cent of the copy bandwidth

Query heads are 32 on 8 KV heads; figures are for bfloat16. Times are the GPU's own, of CUDA graphs, with inputs that
take turns so that none is left in the L2 cache (gpu_clock.py, gpu_sides.py). What is not done when the minutes are
over, or does not fit into memory, is listed in the report as left out.

Writes FOLDER/<card>.json and FOLDER/<card>.png. Exit status: 0, 1 if a kernel is wrong, 4 if there is no GPU.
"""

import argparse
import re
import sys
import time
from pathlib import Path

from gpu_report import Card, Report, crossovers, encode

ROOT = Path(__file__).resolve().parents[1]
NO_GPU = 4


def summary(report: Report) -> list[str]:
    """The lines printed at the end."""
    wrong = [check for check in report.checks if not check.holds]
    lines = [f"{report.card.name}: copy {report.copy_bytes_per_second / 1e9:,.0f} GB/s"]
    lines.append(f"correct: {len(report.checks) - len(wrong)} of {len(report.checks)}")
    lines += [f"  WRONG: {c.kernel} {c.shape} {c.stage} {c.dtype}: {c.error} >= {c.bound}" for c in wrong]
    for walk in sorted(report.walks, key=lambda walk: -walk.of_copy)[:3]:
        lines.append(f"{100 * walk.of_copy:5.1f} % of copy: {walk.case}")
    for rival in report.rivals:
        lines.append(f"{1000 * rival.seconds:8.3f} ms  {rival.side}: {rival.case.batch} × {rival.case.context}")
    for batch, context in crossovers(report.splits).items():
        lines.append(f"batch {batch}: " + (f"splits pay from {context} tokens on" if context else "no split pays"))
    lines += [f"left out: {line}" for line in report.left_out]
    return [*lines, f"{report.seconds:.0f} s"]


def card() -> Card:
    import torch
    import triton

    about = torch.cuda.get_device_properties(0)
    return Card(
        name=about.name,
        capability=f"{about.major}.{about.minor}",
        processors=about.multi_processor_count,
        memory_bytes=about.total_memory,
        l2_bytes=about.L2_cache_size,
        torch=torch.__version__,
        triton=triton.__version__,
    )


def file_name(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=ROOT / "benchmarks" / "measured", help="folder of JSON and PNG")
    parser.add_argument("--minutes", type=float, default=7.0, help="after which nothing more is begun")
    options = parser.parse_args()
    if trouble := no_gpu():
        print(trouble, file=sys.stderr)
        return NO_GPU
    sys.path.insert(0, str(ROOT / "tests" / "library"))  # the batches of the tests
    import torch
    from gpu_checks import checks
    from gpu_clock import copy_bandwidth, seconds_of
    from gpu_figure import draw
    from gpu_run import Run

    begun, free_bytes = time.monotonic(), torch.cuda.mem_get_info()[0]
    report = Report(card(), copy_bandwidth(free_bytes))
    print("correct …", file=sys.stderr, flush=True)
    report.checks += checks("cuda")
    run = Run(report, seconds_of, "cuda", free_bytes, begun + 60 * options.minutes)
    for part in (run.rivals, run.splits, run.walks):
        print(f"{part.__name__} …", file=sys.stderr, flush=True)
        part()
    report.seconds = time.monotonic() - begun
    options.to.mkdir(parents=True, exist_ok=True)
    path = options.to / file_name(report.card.name)
    path.with_suffix(".json").write_bytes(encode(report))
    draw(report, path.with_suffix(".png"))
    print(*summary(report), path.with_suffix(".json"), path.with_suffix(".png"), sep="\n")
    return int(not all(check.holds for check in report.checks))


def no_gpu() -> str:
    """Why there is nothing to measure here; "" where there is."""
    try:
        import torch
        import triton  # noqa: F401
    except ImportError as error:
        return f"benchmarks/gpu.py needs {error.name}: `make setup` installs it on Linux"
    if not torch.cuda.is_available():
        return "No GPU that torch can use here, so there is nothing to measure; benchmarks/attention.py is for CPUs."
    return ""


if __name__ == "__main__":
    sys.exit(main())
