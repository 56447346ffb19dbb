"""The learner's side: started inside the sandbox, it runs programs of calls and answers with plain data.

Standard library only; it sees `fork.py`, `measure.py` and `wire.py` beside it, nothing else of the project. This first
process never runs a line of the learner's code: a few programs at a time run in a fork, which executes the source
afresh for each, so that nothing is left behind for the next. What a fork answers is not trusted; the judge compares it.

Frames, both ways: two u32 lengths, a JSON header, a body. The judge sends limits first, then jobs, the first of them
with a list of sources as body (one answer, or several mistakes of a bank); each is answered by a header that says how
the fork ended and, if it ended well, its answers.
"""

import contextlib
import gc
import json
import mmap
import os
import resource
import select
import shutil
import signal
import struct
import sys
import time
import types

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fork import execute
from measure import cpu_seconds, crowd, resident_mb, sysv_bytes

del sys.path[0]

# What answers usually import: once here instead of in every fork.
USUAL = (
    "abc array bisect collections copy dataclasses enum functools heapq itertools math operator random traceback typing"
)

PRINTED_KEPT = 4_000
LOOK_MS = 50  # how often memory and processes are looked at
RUNNING = [0]  # the fork at work
COUNTER = mmap.mmap(-1, 8)  # shared with the fork: the number of the call that is running


def receive(stream):
    size = stream.read(8)
    if len(size) < 8:
        os._exit(0)
    header, body = struct.unpack("<II", size)
    return json.loads(stream.read(header)), stream.read(body)


def send(fd, header, body=b""):
    head = json.dumps(header).encode()
    write_all(fd, struct.pack("<II", len(head), len(body)) + head + body)


def write_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def become_learner(codes, job, guard, result_fd, printed_fd):
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(printed_fd, 1)
    os.dup2(printed_fd, 2)
    status = 7
    try:
        body = execute(codes, job, COUNTER, guard).encode()
        sys.stdout.flush()
        write_all(result_fd, body)
        status = 0
    finally:
        os._exit(status)  # no atexit hook, no waiting for threads


def run(codes, job, guard, limits, sandboxed):
    """(header, body) of one job."""
    COUNTER[:8] = struct.pack("<q", -1)  # while the source is loaded
    result_r, result_w = os.pipe()
    printed_r, printed_w = os.pipe()
    pid = RUNNING[0] = patient_fork()
    if pid == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.close(CHANNEL_IN), os.close(CHANNEL_OUT), os.close(result_r), os.close(printed_r)
        if not sandboxed:
            os.setpgid(0, 0)
            os.nice(10)  # whoever watches must come to run
        become_learner(codes, job, guard, result_w, printed_w)
    os.close(result_w), os.close(printed_w)
    header, body = watch(pid, result_r, printed_r, limits, sandboxed)
    end(pid, sandboxed)
    RUNNING[0] = 0
    _, status, usage = os.wait4(pid, 0)
    sweep()
    if sandboxed and sysv_bytes():
        os._exit(0)  # such memory goes only with the sandbox
    os.close(result_r), os.close(printed_r)
    peak = usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    header["cpu"] = usage.ru_utime + usage.ru_stime
    header["peak_mb"] = round(max(peak, header.get("peak_mb", 0)), 1)
    header["call"] = struct.unpack("<q", COUNTER[:8])[0]
    if "ended" not in header:
        ended_well = os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0
        header["ended"] = "well" if ended_well and body else "early"
        header["status"] = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    if header["peak_mb"] > limits["memory_mb"]:
        header["ended"] = "memory"
    return header, body if header["ended"] == "well" else b""


def patient_fork():
    """os.fork, patient: processes that the last program left behind are dying, but may still count."""
    for _ in range(100):
        try:
            return os.fork()
        except BlockingIOError:
            time.sleep(0.01)
    return os.fork()


def watch(pid, result_fd, printed_fd, limits, sandboxed):
    """Read what the fork sends until it closes its end, or a limit is passed."""
    body, kept, printed, size = [], b"", 0, 0
    seen, since, cpu_then, looked = None, 0.0, 0.0, time.monotonic()
    header, ended = {}, False
    poll = select.poll()
    poll.register(result_fd, select.POLLIN)
    poll.register(printed_fd, select.POLLIN)
    open_fds = {result_fd, printed_fd}
    while result_fd in open_fds:
        events = poll.poll(LOOK_MS)
        for fd, _ in events:
            chunk = os.read(fd, 1 << 16)
            if not chunk:
                poll.unregister(fd)
                open_fds.discard(fd)
            elif fd == result_fd:
                body.append(chunk)
                size += len(chunk)
            else:
                printed += len(chunk)
                kept += chunk[: PRINTED_KEPT - len(kept)]
        call, now = struct.unpack("<q", COUNTER[:8])[0], time.monotonic()
        if call != seen:
            seen, since, cpu_then = call, now, cpu_seconds(pid)
        if size > limits["answer_bytes"] or printed > limits["printed_bytes"]:
            header["ended"] = "output"
        elif now - since > limits["call_seconds"] and too_long(now - since, cpu_seconds(pid) - cpu_then, limits):
            header["ended"] = "time"
        elif (now - looked) * 1000 >= LOOK_MS:
            looked = now
            header["peak_mb"] = max(header.get("peak_mb", 0), resident_mb(pid, sandboxed))
            if header["peak_mb"] > limits["memory_mb"]:
                header["ended"] = "memory"
            elif cpu_seconds(pid) > limits["total_seconds"]:
                header["ended"] = "together"
            elif not sandboxed and crowd(pid) > limits["processes"]:
                header["ended"] = "processes"
            elif not events and ended:
                break  # it has ended and said nothing since: only something it started still holds the pipe
            ended = bool(os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT))
        if "ended" in header:
            break
    header["printed"] = kept.decode("utf-8", "replace")
    return header, b"".join(body)


def too_long(wall, cpu, limits):
    """A call may use call_seconds of processor time, and three times that by the clock, as the machine may be busy."""
    return cpu > limits["call_seconds"] or wall > 3 * limits["call_seconds"]


def end(pid, sandboxed):
    """Kill the fork and what it started: in a sandbox everything but us, else its process group."""
    for kill, whom in ((os.kill, -1),) if sandboxed else ((os.killpg, pid), (os.kill, pid)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(whom, signal.SIGKILL)


def leave(*_):
    """SIGTERM: take the fork along."""
    if RUNNING[0]:
        end(RUNNING[0], False)
    os._exit(0)


def sweep():
    """Empty the scratch folder, so that the next program starts as this one did."""
    for name in os.listdir("."):
        try:
            os.unlink(name)
        except OSError:
            shutil.rmtree(name, ignore_errors=True)


def limit(limits, sandboxed):
    memory = limits["address_mb"] << 20
    wanted = {"RLIMIT_AS": memory, "RLIMIT_FSIZE": limits["file_bytes"], "RLIMIT_CORE": 0, "RLIMIT_NOFILE": 64}
    if sandboxed:  # elsewhere the count includes all that the user runs
        wanted["RLIMIT_NPROC"] = limits["processes"]
    for name, value in wanted.items():
        try:
            hard = resource.getrlimit(getattr(resource, name))[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(getattr(resource, name), (value, value))
        except (ValueError, OSError, AttributeError):
            pass  # macOS knows some of these by name only
    try:
        with open("/proc/self/oom_score_adj", "w") as score:
            score.write("1000")
    except OSError:
        pass
    keep_memory_private()


def keep_memory_private():
    """A fork must not read or write this process through /proc or ptrace: it judges the next answer too."""
    with contextlib.suppress(OSError, AttributeError, ImportError):
        import ctypes

        PR_SET_DUMPABLE = 4
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def main():
    sandboxed = sys.argv[1] == "sandboxed"
    if not sandboxed:
        signal.signal(signal.SIGTERM, leave)
    stream = os.fdopen(CHANNEL_IN, "rb", closefd=False)
    send(CHANNEL_OUT, {"hello": list(sys.version_info[:3])})
    for name in USUAL.split():
        __import__(name)
    first, _ = receive(stream)
    guard = prepare(first["modules"], first["site"], first["guard"])
    if first["provided"]:
        library = sys.modules["paged"] = types.ModuleType("paged")
        exec(compile(first["provided"], "paged.py", "exec", dont_inherit=True), library.__dict__)
    limit(first["limits"], sandboxed)
    send(CHANNEL_OUT, {"ready": True})
    codes = []
    while True:
        job, body = receive(stream)
        if "load" in job:
            codes, trouble = compiled(json.loads(body))
            if trouble:
                send(CHANNEL_OUT, {"ended": "syntax"} | trouble)
                continue
            gc.freeze()
        send(CHANNEL_OUT, *run(codes, job, guard, first["limits"] | job["limits"], sandboxed))


def prepare(modules, site, guard):
    """Import what answers use, and the module that watches their calls, where there is one: it comes first, as it may
    have to set the scene for them."""
    if not modules:
        return None
    sys.path.append(site)
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # a fork could not start their threads again
    if guard:
        sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
        guard = __import__(guard)
        del sys.path[0]
    for module in modules:
        __import__(module)
    if "torch" in modules:
        sys.modules["torch"].set_num_threads(1)
    return guard or None


def compiled(sources):
    """((source, its code) of every answer, None), or ([], what is wrong with one of them)."""
    try:
        return [(source, compile(source, "answer.py", "exec", dont_inherit=True)) for source in sources], None
    except SyntaxError as error:
        return [], {"line": error.lineno, "said": str(error.msg)[:300]}
    except (ValueError, RecursionError, MemoryError) as error:
        return [], {"line": None, "said": str(error)[:300] or type(error).__name__}


if __name__ == "__main__":
    CHANNEL_IN, CHANNEL_OUT = os.dup(0), os.dup(1)
    for number in range(3):
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    main()
