"""Starting the learner's process: in bubblewrap where that works, else as a plain subprocess with limits.

bubblewrap shows the process an interpreter and nothing else: no home, no project, no network, no other processes, and
no place to write but a small scratch folder. Whether it works is found out by starting it, never assumed; when it does
not, the plain subprocess takes over and the verdict line says so. JUDGE_SANDBOX = auto | bubblewrap | plain decides.
"""

import contextlib
import functools
import itertools
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from practice.judging.channel import Channel, ChildGone

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
START_SECONDS = 60.0  # on a busy machine, importing torch takes its time
LEARNERS_SIDE = ("child.py", "fork.py", "measure.py", "wire.py")
KERNEL_WATCH = ("input", "memory", "access", "own", "torch", "unheard", "language", "interpret")
KERNELS = tuple(f"kernel_{name}.py" for name in (*KERNEL_WATCH, "compile", "figures", "record"))
_serial = itertools.count()


class SandboxUnavailable(RuntimeError):
    """JUDGE_SANDBOX=bubblewrap was asked for and does not work here; the text says why."""


@dataclass
class Child:
    """A started child that has said hello. `kind` is "bubblewrap" or "plain"; `why` tells why it is plain.

    It serves one set of modules and limits, but any number of answers, one after the other.
    """

    process: subprocess.Popen
    channel: Channel
    kind: str
    why: str
    scratch: str | None
    lost: bool = False  # it can serve no other answer
    ready: bool = False

    def prepare(self, modules: list[str], limits: dict, provided: str, guard: str) -> None:
        """Have it import `modules`, run the library code `provided` and take on `limits`; it takes its time for that,
        see `settle`."""
        site = "/site" if self.kind == "bubblewrap" else site_packages()
        about = {"modules": modules, "site": site, "limits": limits, "provided": provided, "guard": guard}
        self.channel.send(about)

    def settle(self) -> None:
        """Wait until it is prepared for its first answer."""
        if self.ready:
            return
        said, _ = self.channel.receive(START_SECONDS)
        if said != {"ready": True}:
            raise RuntimeError(f"the child answered {said} where it had to be ready")
        self.ready = True

    def close(self) -> None:
        """End the child and everything it started."""
        if self.kind == "plain":
            self.process.terminate()  # it takes what it started with it
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(1.0)
            _kill_group(self.process.pid)
        self.process.kill()
        self.process.wait()
        self.channel.close()
        self.process.stderr.close()
        if self.scratch:
            shutil.rmtree(self.scratch, ignore_errors=True)


def start(modules: list[str], limits: dict, provided: str = "", guard: str = "", wait: bool = True) -> Child:
    """A fresh child, prepared, or without `wait` about to be.

    Installed packages are shown to it only where `modules` of them are needed. provided: source that answers may import
    as `paged`. guard: the module of KERNELS that makes the calls.
    """
    child = _start(site_packages() if modules else None)
    try:
        child.prepare(modules, limits, provided, guard)
        if wait:
            child.settle()
    except BaseException:
        child.close()
        raise
    return child


def kind() -> tuple[str, str]:
    """("bubblewrap" or "plain", why it is plain), as a child started now would be."""
    child = _start(None)
    child.close()
    return child.kind, child.why


def _start(site: str | None) -> Child:
    wish = os.environ.get("JUDGE_SANDBOX", "auto")
    if wish not in ("auto", "bubblewrap", "plain"):
        raise SandboxUnavailable(f"JUDGE_SANDBOX is {wish!r}; it may be auto, bubblewrap or plain")
    why = "JUDGE_SANDBOX=plain" if wish == "plain" else _why_not()
    if not why:
        child, why = _try(_bubblewrap(site), "bubblewrap", None)
        if child:
            return child
    if wish == "bubblewrap":
        raise SandboxUnavailable(f"bubblewrap does not work here: {why}")
    scratch = tempfile.mkdtemp(prefix="judge-")
    command = [_interpreter(), "-I", "-S", str(HERE / "child.py"), "plain"]
    child, trouble = _try(command, "plain", scratch)
    if not child:
        shutil.rmtree(scratch, ignore_errors=True)
        raise RuntimeError(f"the child process does not start: {trouble}")
    child.why = why
    return child


def site_packages() -> str:
    """The folder that holds this interpreter's installed packages."""
    return sysconfig.get_paths()["platlib"]


def _why_not() -> str:
    if sys.platform != "linux":
        return f"bubblewrap is for Linux, this is {sys.platform}"
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed"
    if os.geteuid() == 0 and not shutil.which("setpriv"):
        return "setpriv (util-linux) is not installed"
    return ""


def _try(command: list[str], kind: str, scratch: str | None) -> tuple[Child | None, str]:
    """Start `command` and wait for its hello. (child, "") or (None, what went wrong)."""
    try:
        process = (
            _starter()
            .submit(
                subprocess.Popen,
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=scratch or "/",
                env={"LC_ALL": "C.UTF-8"},
                start_new_session=True,
            )
            .result()
        )
    except OSError as error:
        return None, str(error)
    child = Child(process, Channel(process.stdin, process.stdout), kind, "", scratch)
    try:
        hello, _ = child.channel.receive(START_SECONDS)
        if hello.get("hello") == list(sys.version_info[:3]):
            return child, ""
        trouble = f"Python {hello.get('hello')} started in it instead of {sys.version_info[:3]}"
    except (ChildGone, TimeoutError):
        child.process.kill()
        lines = process.stderr.read(4000).decode("utf-8", "replace").strip().splitlines()
        trouble = lines[-1] if lines else f"no answer from {command[0]}"
    child.scratch = None
    child.close()
    return None, trouble


@functools.cache
def _starter() -> ThreadPoolExecutor:
    """The thread that starts all children: bubblewrap ends them when the thread that started them ends, and whoever
    asks for a child may be a worker that ends long before the judge."""
    return ThreadPoolExecutor(1, "judge-starter")


os.register_at_fork(after_in_child=_starter.cache_clear)


def _interpreter() -> str:
    """The interpreter itself, without the virtual environment around it."""
    return getattr(sys, "_base_executable", sys.executable) or sys.executable


def _bubblewrap(site: str | None) -> list[str]:
    prefix = os.path.realpath(sys.base_prefix)
    python = os.path.realpath(_interpreter())
    root = os.geteuid() == 0
    words = [shutil.which("bwrap"), "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"]
    if root:  # RLIMIT_NPROC does not bind root, in a user namespace either: drop to a uid that nobody else has
        words += ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
    else:
        words += ["--unshare-all"]
    words += ["--ro-bind", "/usr", "/usr"]
    for name in ("/bin", "/lib", "/lib32", "/lib64"):
        if os.path.islink(name):
            words += ["--symlink", os.readlink(name), name]
        elif os.path.isdir(name):
            words += ["--ro-bind", name, name]
    words += ["--proc", "/proc", "--dev", "/dev"]
    if prefix != "/usr":
        words += ["--ro-bind", prefix, "/py"]
        python = "/py" + python.removeprefix(prefix)
    words += _hidden([("/usr", "/usr"), (prefix, "/usr" if prefix == "/usr" else "/py")])
    words += ["--perms", "0755", "--dir", "/judge"]  # a parent that bwrap makes by itself is closed to other users
    for name in (*LEARNERS_SIDE, *(KERNELS if site else ())):
        words += ["--ro-bind", str(HERE / name), f"/judge/{name}"]
    if site:
        words += ["--ro-bind", site, "/site"]
    words += ["--perms", "1777", "--size", str(64 << 20), "--tmpfs", "/tmp", "--chdir", "/tmp"]
    words += ["--remount-ro", "/dev", "--remount-ro", "/"]
    words += ["--setenv", "HOME", "/tmp", "--setenv", "LC_ALL", "C.UTF-8", "--setenv", "LD_LIBRARY_PATH", "/py/lib"]
    if root:
        uid = str(100_000 + os.getpid() * 64 + next(_serial) % 64)  # RLIMIT_NPROC counts per uid
        words += [shutil.which("setpriv"), f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
        words += ["--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"]
    return [*words, python, "-I", "-S", "/judge/child.py", "sandboxed"]


def _hidden(shown: list[tuple[str, str]]) -> list[str]:
    """Cover the project where it lies inside a folder that the sandbox shows."""
    words = []
    for outside, inside in shown:
        if PROJECT.is_relative_to(outside):
            words += ["--tmpfs", str(Path(inside, PROJECT.relative_to(outside)))]
    return words


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
