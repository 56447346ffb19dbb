"""Grading a Triton kernel, on any Linux machine: run it in Triton's interpreter, and compile it for GPUs not there.

Groups of tests run in the interpreter (kernel_interpret.py). A group made by `compiled` is run last, and only for an
answer that the interpreter accepts: its wrapper is compiled in bfloat16 for several GPUs (kernel_compile.py), of which
the first counts and the others are for the learner to know. A kernel that the interpreter has not run does not count.
"""

import contextlib
from collections.abc import Iterator

from practice.judging.catalogue import Problem
from practice.judging.drive import Driver
from practice.judging.failure import Failure
from practice.judging.generate import Group
from practice.judging.plan import Plan, plans
from practice.judging.program import Program
from practice.judging.sandbox import Child
from practice.judging.warm import Children
from practice.judging.wire import Between

INTERPRETED, COMPILED = "kernel_interpret", "kernel_compile"
GPUS = ["sm_90", "sm_80", "sm_100"]  # the first is the one that counts
COUNTS, ALL = Plan({"gpus": GPUS[:1]}, []), Plan({"gpus": GPUS}, [])
SHARED_LIMIT = 227 << 10  # of sm_90, in bytes


class Fits:
    """What is due of a compiled kernel: nothing spilled, and no more shared memory than a block may have."""

    def __getattr__(self, name: str):
        return lambda *args: {"spilled_bytes": 0, "shared_bytes": Between(0, SHARED_LIMIT)}


def compiled(points: int, play, title: dict[str, str], hint: dict[str, str], explain=lambda state: None) -> Group:
    """A group that compiles. play(answer): makes the inputs and one call."""

    def for_gpu(answer, plan):
        for gpu in plan.gpus:
            answer.input("gpu", gpu)
            play(answer)

    return Group(
        name="compiled",
        title=title,
        points=points,
        plans=plans({}, (0, 0), gpus=[GPUS[:1], GPUS]),
        play=for_gpu,
        oracle=Fits(),
        programs=0,
        always=[COUNTS, ALL],
        hint=hint,
        explain=explain,
        guard=COMPILED,
    )


@contextlib.contextmanager
def interpreter(problem: Problem, children: Children, examples_only: bool = False) -> Iterator[Child]:
    """The child in which answers to any problem run; where they will be compiled as well, another one gets ready."""
    if problem.kind == "kernel" and not examples_only:
        children.expect(problem, COMPILED)
    with children.lend(problem, INTERPRETED if problem.kind == "kernel" else "") as child:
        yield child


def check(group: Group, interpreter: Driver, children: Children) -> tuple[Failure | None, list[dict]]:
    """Compile the answer that `interpreter` has run: how that fails, and a row of figures per kernel and GPU.

    For the GPUs that don't count, what does not compile is no fault, only a row less.
    """
    problem = interpreter.problem
    with children.lend(problem, group.guard) as child:
        driver = Driver(problem, interpreter.source, child)
        first, all_gpus = group.recorded(0)
        failure = driver.load() or driver.run(all_gpus)
        if failure and failure.step < len(first.calls):
            failure = driver.run(first)  # not what became of the others
        elif failure:
            failure = None
        return failure or another_kernel(first, interpreter.kernels, driver.kernels), driver.kernels


def another_kernel(program: Program, ran: list[dict], compiled: list[dict]) -> Failure | None:
    """A failure where what was compiled is not what the interpreter ran."""
    known = {(kernel["kernel"], kernel["sha256"]) for kernel in ran}
    strange = sorted({row["kernel"] for row in compiled if (row["kernel"], row["sha256"]) not in known})
    if not strange:
        return None
    return Failure("WA", len(program.calls) - 1, program, why="another_kernel", detail=", ".join(strange))
