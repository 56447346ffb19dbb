"""An accepted decode kernel on a GPU, where this machine has one: how fast it is. For the learner to know; no points.

The answer's wrapper runs in the sandbox, without a GPU, and what it would launch is written down (kernel_record.py).
Those launches are then made and timed by a process of the judge's own (kernel_replay.py), so that no Python of the
answer is near the clock: in one process with it, events, streams and the clock itself could be replaced, and CUDA tells
no other process how long a kernel took. The price: a wrapper in which torch computes between kernels is not timed, and
says so. Nothing of this has been run on a GPU yet.
"""

import functools
import json
import math
import shutil
import subprocess
import sys
from array import array
from pathlib import Path

from practice.judging.catalogue import Problem
from practice.judging.drive import Driver
from practice.judging.generate import Group
from practice.judging.kernel import another_kernel
from practice.judging.plan import Plan
from practice.judging.program import GIVEN, Program
from practice.judging.warm import Children
from practice.judging.wire import unpack

RECORDED = "kernel_record"
REPLAY = Path(__file__).with_name("kernel_replay.py")
REPLAY_SECONDS = 120.0
DECODES = {"q", "k_cache", "v_cache", "block_tables", "seq_lens"}
NONE_FOUND = {"reason": "no GPU found"}


@functools.cache
def card() -> dict[str, str] | None:
    """{"name", "target"} of the first NVIDIA GPU here, such as {"name": "NVIDIA H200", "target": "sm_90"}."""
    if not shutil.which("nvidia-smi"):
        return None
    asked = ["nvidia-smi", "--query-gpu=name,compute_cap", "--format=csv,noheader"]
    try:
        said = subprocess.run(asked, capture_output=True, text=True, timeout=20, check=True).stdout.splitlines()
    except (OSError, subprocess.SubprocessError):
        return None
    name, _, capability = said[0].rpartition(", ") if said else ("", "", "")
    return {"name": name, "target": f"sm_{capability.replace('.', '')}"} if name else None


def timed(group: Group, interpreter: Driver, children: Children) -> dict:
    """What is told of an answer on the GPU: {"name", "per_cent", …} as kernel_replay.py gives them, {"name", "reason"}
    where it was not timed, NONE_FOUND without a GPU, {} for a kernel that does not decode.

    group: the problem's that compiles. interpreter: what has run the answer; other kernels are not timed.
    """
    gpu = card()
    program = group.program(Plan({"gpus": [gpu["target"] if gpu else "sm_90"]}, []))
    inputs = inputs_of(program)
    if set(inputs) != DECODES:
        return {}
    if not gpu:
        return NONE_FOUND
    try:
        plan, reason = recorded(program, interpreter, children)
    except Exception as error:  # a figure more or less is no reason to lose a verdict
        plan, reason = {}, f"{type(error).__name__}: {error}"[:200]
    if reason:
        return {"name": gpu["name"], "reason": reason}
    plan |= {"inputs": inputs, "scale": next(arg for arg in map(unpack, program.calls[-1].args) if type(arg) is float)}
    return {"name": gpu["name"]} | replayed(plan)


def inputs_of(program: Program) -> dict[str, dict]:
    """The tensors that a program gives, by name: dtype, shape, strides, and the values of seq_lens."""
    found = {}
    for call in program.calls:
        if call.target == GIVEN and not isinstance(value := unpack(call.args[0]), str):
            layout = unpack(call.args[1]) if len(call.args) > 1 else {}
            shape = list(layout.get("shape", value.shape))
            strides = list(layout.get("strides", (math.prod(shape[axis + 1 :]) for axis in range(len(shape)))))
            found[call.result] = {"dtype": value.dtype, "shape": shape, "strides": strides}
            if call.result == "seq_lens":
                found["seq_lens"]["values"] = array("i", value.data).tolist()
    return found


def recorded(program: Program, interpreter: Driver, children: Children) -> tuple[dict, str]:
    """({"launches", "own", "result"}, "") of the answer's call, or why there are none."""
    problem: Problem = interpreter.problem
    with children.lend(problem, RECORDED) as child:
        driver = Driver(problem, interpreter.source, child)
        failure = driver.load() or driver.run(program)
    if failure:
        return {}, (failure.detail or failure.verdict).removeprefix("NotRecorded: ")
    launches = [row for row in driver.kernels if row["kernel"]]
    if another_kernel(program, interpreter.kernels, launches):
        return {}, "it launches kernels that did not run in the interpreter"
    [around] = [json.loads(row["plan"]) for row in driver.kernels if not row["kernel"]]
    return around | {"launches": [json.loads(row["plan"]) for row in launches]}, ""


def replayed(plan: dict) -> dict:
    """What kernel_replay.py says about a plan, and the score: the bytes that must move, per cent of a copy's."""
    command = [sys.executable, "-I", str(REPLAY)]
    try:
        done = subprocess.run(
            command, input=json.dumps(plan), capture_output=True, text=True, timeout=REPLAY_SECONDS, check=True
        )
        found = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"reason": f"not done after {REPLAY_SECONDS:.0f} s"}
    except (subprocess.CalledProcessError, ValueError) as error:
        return {"reason": f"{REPLAY.name}: {error}"[:200]}
    if "reason" not in found:
        found["per_cent"] = round(100 * found["bytes_per_second"] / found["copy_bytes_per_second"], 1)
    return found
