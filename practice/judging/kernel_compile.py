"""A Triton kernel compiled for a GPU that is not there: an answer's own wrapper runs, and its launches launch nothing.

Learner's side; Triton must not be in interpreter mode. Triton is told by a driver of ours that it runs on the GPU asked
for, so that each launch is compiled with the very arguments, specialisation and options that it would have there. What
the tensors hold does not matter, and they take no memory to speak of: nothing reads them.

Checked for Triton 3.7.1: the hook goes into a part of it that other versions may name otherwise.
"""

import os

os.environ["TRITON_CACHE_DIR"] = os.path.join(os.getcwd(), "triton")  # the scratch folder, emptied after each run

import hashlib
import inspect
import linecache
import re

import torch
import triton
from kernel_figures import figures
from triton.backends.compiler import GPUTarget
from triton.compiler.errors import CompilationError
from triton.runtime import driver
from triton.runtime.autotuner import Autotuner
from triton.runtime.jit import JITFunction

COMPILED = []
TARGET = ["sm_90"]


class NotCompiled(Exception):
    """The compiler refuses a kernel; the text says why and, where it knows, at which line."""


class Driver:
    """As much of a driver as Triton asks for while it compiles."""

    def get_current_target(self):
        return GPUTarget("cuda", capability(), 32)

    def get_current_device(self):
        return capability()  # what is compiled is kept by the number of the device

    def set_current_device(self, device):
        pass

    def get_current_stream(self, device=None):
        return 0

    def get_active_torch_device(self):
        return torch.device("cpu")

    def get_device_interface(self):
        return torch.cpu

    def map_python_to_cpp_type(self, kind):
        return kind


def capability():
    return int(TARGET[0].removeprefix("sm_"))


def begin(source):
    """Before an answer is loaded: Triton reads a kernel's source by its file's name."""
    linecache.cache["answer.py"] = (len(source), None, source.splitlines(keepends=True), "answer.py")
    COMPILED.clear()


def given(name, value, layout=None):
    """What stands for a value of the run: a tensor with the strides asked for, or the GPU by its name."""
    if not isinstance(value, torch.Tensor):
        TARGET[0] = value
        return value
    if not layout:
        return value
    shape, strides = layout["shape"], layout["strides"]
    return torch.empty(shape[0] * strides[0], dtype=value.dtype).as_strided(shape, strides)


def call(function, args):
    """Run the wrapper: {"spilled_bytes", "shared_bytes"} of its kernels together. Raises NotCompiled."""
    before = len(COMPILED)
    function(*args)
    rows = COMPILED[before:]
    if not rows:
        raise NotCompiled("no kernel was launched")
    for what in ("loads", "stores"):
        if not any(row[what] for row in rows):
            raise NotCompiled(f"compiled for these arguments, the kernels hold no {what}: nothing is left of them")
    return {
        "spilled_bytes": sum(row["spilled_bytes"] for row in rows),
        "shared_bytes": max(row["shared_bytes"] for row in rows),
    }


def launched():
    """A row of figures for each kernel that was compiled, with the hash of its source."""
    return COMPILED


run = JITFunction.run


def compiled_run(self, *args, grid, warmup, **options):
    """A launch: compiled and looked at."""
    kernel = compiled(self, *args, grid=grid, **options)
    COMPILED.append(named(self) | figures(kernel, TARGET[0]))
    return kernel


def compiled(self, *args, grid, **options):
    """A launch, compiled. Raises NotCompiled."""
    try:
        return run(self, *args, grid=grid, warmup=True, **options)
    except CompilationError as error:
        raise NotCompiled(reason(error)) from None


def named(self):
    """A kernel's name, and the hash of its source."""
    return {"kernel": self.__name__, "sha256": hashlib.sha256(inspect.getsource(self.fn).encode()).hexdigest()}


def reason(error):
    """What the compiler has against a kernel, in a line: the innermost error's last words, and where."""
    while isinstance(error.__cause__, CompilationError):
        error = error.__cause__
    said = str(error.__cause__ or error).strip().splitlines() or [type(error).__name__]
    where = re.match(r"at (\d+):", str(error))
    return said[-1] + (f" (line {where.group(1)} of the kernel)" if where else "")


def first_config(self, *args, **options):
    """An autotuner has nothing to time here: it takes its first configuration, as in the interpreter."""
    return self.fn.run(*args, **options, **self.configs[0].all_kwargs())


JITFunction.run = compiled_run
Autotuner.run = first_config
driver.set_active(Driver())


@triton.jit
def nothing(x):
    pass


nothing[(1,)](0)  # the first compilation costs most: here, once, and not in every fork
