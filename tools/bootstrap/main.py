"""The order of a set-up: look, say what will happen, create, install, check, stamp. A second run only looks."""

import argparse
import contextlib
import fcntl
import os
import platform
import shutil
from collections.abc import Iterator

from . import venv
from .display import Display
from .failures import SetupFailed, explain
from .install import install
from .plan import ROOT, Plan, plan_for_this_machine
from .wording import learner_language, text


def run(arguments: list[str]) -> int:
    """Exit status 0: .venv is ready. 1: one line says why not. 130: stopped with Ctrl-C."""
    parser = argparse.ArgumentParser(prog="setup_env.py", description="Set up .venv for the course.")
    parser.add_argument("--core", action="store_true", help="without PyTorch and Triton")
    parser.add_argument(
        "--torch", choices=["cpu", "cuda"], help="which PyTorch build, instead of what the machine suggests"
    )
    parser.add_argument("--dev", action="store_true", help="also what building and testing the course needs")
    options = parser.parse_args(arguments)
    try:
        learner_language()
    except ValueError as no_such_edition:
        print(no_such_edition)
        return 1
    try:
        with one_at_a_time():
            set_up(plan_for_this_machine("none" if options.core else options.torch, options.dev))
        return 0
    except SetupFailed as failure:
        print(failure)
    except OSError as failure:
        print(explain(f"ERROR: {failure}"))
    except KeyboardInterrupt:
        print(text("\nStopped. Run the same command again to go on.", "\n已停止。再次运行同一条命令即可继续。"))
        return 130
    if venv.LOG.exists():
        print(text(f"Everything pip printed: {venv.LOG}", f"pip 的完整输出：{venv.LOG}"))
    return 1


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """`make lab` in one terminal and `make test` in another share .venv: the second waits for the first."""
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(text("Another set-up is running; waiting for it …", "另一个安装正在进行，等它完成 …"), flush=True)
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def set_up(wanted: Plan) -> None:
    """Bring .venv to what `wanted` asks for and the pins say; what an earlier set-up added beyond that stays."""
    before = venv.stamped()
    plan = wanted.joined(before) if before else wanted
    found = venv.health(plan) if venv.PYTHON.exists() else None
    whole = found is not None and not found["damaged"]
    if whole and venv.current() and before.covers(wanted) and found["installed"] and not found["missing"]:
        print(text(f".venv is ready ({described(found)}).", f".venv 已就绪（{described(found)}）。"), flush=True)
        return
    announce(plan, fresh=not whole)
    if not whole:
        venv.STAMP.unlink(missing_ok=True)
        venv.create()
        found = venv.health(plan)
    if found is None:
        raise SetupFailed(text("The Python of a fresh .venv does not run.", "新建的 .venv 里 Python 无法运行。"))
    install(plan, found["missing"], found["torch"], Display())
    after = venv.health(plan)
    if after is None or after["missing"] or after["damaged"] or not after["installed"]:
        raise SetupFailed(
            text(f"pip finished, but .venv is not whole: {after}", f"pip 已结束，但 .venv 不完整：{after}")
        )
    venv.quieten_jupyterlab()
    venv.stamp(plan)
    print(text(f".venv is ready ({described(after)}).", f".venv 已就绪（{described(after)}）。"), flush=True)


def described(found: dict) -> str:
    return f"PyTorch {found['torch']}" if found["torch"] else text("without PyTorch", "不含 PyTorch")


def announce(plan: Plan, fresh: bool) -> None:
    """What will be downloaded and why, before it is; refuses when the disk cannot hold it."""
    download, disk = plan.megabytes()
    free = shutil.disk_usage(ROOT).free // 10**6
    system = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    build = {
        "none": text(
            "no PyTorch: chapter 1, all four problems and the judge need none",
            "不装 PyTorch：第 1 章、四道题和判题器都用不到",
        ),
        "cpu": text(
            "PyTorch without CUDA (there is no NVIDIA GPU here), Triton on Linux",
            "PyTorch，不含 CUDA（这里没有 NVIDIA GPU）；Linux 上还有 Triton",
        ),
        "cuda": text("PyTorch with CUDA, Triton", "带 CUDA 的 PyTorch，Triton"),
    }[plan.torch]
    print(
        text(
            f"Setting up .venv ({system}):\n"
            "  JupyterLab, ipywidgets, matplotlib, NumPy, nbgrader, pytest and what they need\n"
            f"  {build}\n"
            f"  in all about {download} MB to download, less what pip has cached, and {disk} MB on disk",
            f"安装 .venv（{system}）：\n"
            "  JupyterLab、ipywidgets、matplotlib、NumPy、nbgrader、pytest 及其依赖\n"
            f"  {build}\n"
            f"  总共约下载 {download} MB（pip 缓存里已有的不再下载），占用磁盘 {disk} MB",
        ),
        flush=True,
    )
    if fresh and free < disk:
        raise SetupFailed(
            text(f"{disk} MB are needed and {free} MB are free.", f"需要 {disk} MB，磁盘只剩 {free} MB。"),
        )
