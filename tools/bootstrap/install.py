"""The pip runs of a set-up: the packages, PyTorch from the right place, the course itself."""

import re

from .display import Display
from .failures import SetupFailed
from .packages import pip
from .plan import REQUIREMENTS, ROOT, TORCH_CPU_INDEX, Plan, needs_cpu_index
from .venv import LOG, PYTHON
from .wording import text

CONSTRAINTS = ["-c", str(REQUIREMENTS / "cuda.txt")]


def pinned(name: str, pins: list[str]) -> str | None:
    """The entry `name==version` of `pins`, if it is there."""
    return next((pin for pin in pins if pin.startswith(f"{name}==")), None)


def install(plan: Plan, missing: list[str], old_torch: str | None, display: Display) -> None:
    """Make what health.py found missing right. `old_torch` is the PyTorch version that is installed, or None."""
    LOG.unlink(missing_ok=True)
    torch_names = re.findall(r"^([\w.-]+)==", (REQUIREMENTS / "torch.txt").read_text(encoding="utf-8"), re.MULTILINE)
    heavy = [pin for pin in missing if pin.split("==")[0] in torch_names]
    light = [pin for pin in missing if pin not in heavy]
    if own := pinned("pip", missing):
        run("pip", [own], 1, display, byte_counts=False)
    if light:
        files = [file for file in plan.files() if file.name != "torch.txt"]
        run(text("Packages", "软件包"), [option for file in files for option in ("-r", str(file))], len(light), display)
    if plan.torch == "cuda" and old_torch and old_torch.endswith("+cpu"):
        pin = f"torch=={old_torch.removesuffix('+cpu')}"
        run(text("PyTorch with CUDA", "带 CUDA 的 PyTorch"), ["--force-reinstall", *CONSTRAINTS, pin], 1, display)
    if heavy:
        if needs_cpu_index(plan.torch) and (pin := pinned("torch", heavy)):
            cpu_build(pin, display)
        run("PyTorch, Triton", [*CONSTRAINTS, "-r", str(REQUIREMENTS / "torch.txt")], len(heavy), display)
    run(text("The course", "课程本身"), ["--no-deps", "--no-build-isolation", "-e", str(ROOT)], 1, display)


def cpu_build(pin: str, display: Display) -> None:
    """PyTorch alone from its own index, which has a Linux build without CUDA. Where that fails, the ordinary index
    serves, and with it possibly the large build: the learner is told before it starts."""
    options = ["--index-url", TORCH_CPU_INDEX, "--retries", "0", "--timeout", "10", "--no-deps", pin]
    try:
        run(text("PyTorch, CPU build", "PyTorch（CPU 版）"), options, 1, display)
    except SetupFailed:
        print(
            text(
                "PyTorch's own index did not answer, so pip's ordinary index is next. On Linux its PyTorch brings CUDA"
                " along, up to 2.7 GB. To go without PyTorch: Ctrl-C, then the same command with CORE=1.",
                "PyTorch 官方索引没有回应，改用 pip 的普通索引；那里的 Linux 版 PyTorch 会带上 CUDA，"
                "最多 2.7 GB。不想装就按 Ctrl-C，再给同一条命令加上 CORE=1。",
            ),
            flush=True,
        )


def run(title: str, arguments: list[str], expected: int, display: Display, byte_counts: bool = True) -> None:
    """One pip run as one stage on the display. The pip that Python 3.11 brings along cannot print byte counts."""
    display.stage(title)
    try:
        pip(PYTHON, ["--progress-bar", "raw" if byte_counts else "off", *arguments], expected, LOG, display)
    except BaseException:
        display.failed()
        raise
    display.done()
