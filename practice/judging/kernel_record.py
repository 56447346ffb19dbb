"""What a GPU would be asked to do: an answer's own wrapper runs; each launch is compiled and written down, not made.

Learner's side; needs no GPU, see kernel_compile.py. The judge makes the launches later, in a process where no line of
the answer's Python runs (kernel_replay.py). So all that a launch works on must be known: the inputs of the run, memory
that the wrapper took and at most filled with one value, and numbers. What torch computes between launches cannot be
written down, and is refused by name.

An autotuner takes its first configuration. Checked for Triton 3.7.1.
"""

import base64
import json

import kernel_compile
import torch
from kernel_compile import begin as begin_compile
from kernel_compile import given as given_compile
from kernel_torch import computes, name_of
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes
from torch.utils._pytree import tree_leaves
from triton.runtime.jit import JITFunction

NUMBERS = ("i1", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64", "fp32", "fp64")


class Record:
    """What is known of a run: inputs by address, launches, the wrapper's own memory, the result, and memory that torch
    has computed into, by address. alive: what must not go, or something else would get its address."""

    def __init__(self):
        self.inputs, self.launches, self.own, self.result, self.computed, self.alive = {}, [], [], None, {}, []


RECORD = Record()


class NotRecorded(Exception):
    """A launch that cannot be made elsewhere; the text says why."""


class Watch(TorchDispatchMode):
    """Notes which memory torch computes into."""

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        value = function(*args, **(kwargs or {}))
        if computes(function):
            for tensor in tree_leaves(value):
                if isinstance(tensor, torch.Tensor):
                    RECORD.alive.append(tensor)  # or another would get its address
                    RECORD.computed[tensor.untyped_storage().data_ptr()] = name_of(function)
        return value


def begin(source):
    begin_compile(source)
    RECORD.__init__()


def given(name, value, layout=None):
    """What stands for a value of the run, as when it is compiled."""
    made = given_compile(name, value, layout)
    if isinstance(made, torch.Tensor):
        RECORD.inputs[made.untyped_storage().data_ptr()] = name
        RECORD.alive.append(made)
    return made


def call(function, args):
    """Run the wrapper: what is due of a compiled kernel, which is not what this is for. Raises NotRecorded."""
    torch.set_deterministic_debug_mode("warn")  # memory that nobody has filled holds NaN
    try:
        with Watch():
            value = function(*args)
    finally:
        torch.set_deterministic_debug_mode("default")
    if not RECORD.launches:
        raise NotRecorded("no kernel was launched")
    place = memory("the result", value)
    if place[0] != "own":
        raise NotRecorded("the result lies in the memory of an input")
    dtype = str(value.dtype).removeprefix("torch.")
    RECORD.result = {"place": place, "shape": list(value.shape), "strides": list(value.stride()), "dtype": dtype}
    shared = max(launch["shared"] for launch in RECORD.launches)
    return {"spilled_bytes": 0, "shared_bytes": shared}


def launched():
    """A row for each launch, and one for the memory around them, whose kernel has no name."""
    if RECORD.result is None:
        return []
    around = {"own": [about for _, about in RECORD.own], "result": RECORD.result}
    rows = [
        {"kernel": launch.pop("kernel"), "sha256": launch.pop("sha256"), "number": number, "plan": json.dumps(launch)}
        for number, launch in enumerate(RECORD.launches)
    ]
    return [*rows, {"kernel": "", "sha256": "", "number": -1, "plan": json.dumps(around)}]


def recorded_run(self, *args, grid, warmup, **options):
    """A launch: compiled, and written down."""
    bound = self.signature.bind(*args, **{name: value for name, value in options.items() if name in self.arg_names})
    bound.apply_defaults()
    kernel = kernel_compile.compiled(self, *args, grid=grid, **options)
    about = kernel.metadata
    unusual = {
        "clusters": getattr(about, "num_ctas", 1) != 1,
        "a cooperative grid": getattr(about, "launch_cooperative_grid", False),
        "scratch memory": about.global_scratch_size or about.profile_scratch_size,
    }
    for what, asked in unusual.items():
        if asked:
            raise NotRecorded(f"{self.__name__} is launched with {what}")
    sizes = grid(dict(bound.arguments)) if callable(grid) else grid
    RECORD.launches.append(
        {
            **kernel_compile.named(self),
            "symbol": about.name,
            "cubin": base64.b64encode(kernel.asm["cubin"]).decode(),
            "shared": about.shared,
            "threads": 32 * about.num_warps,
            "grid": [int(size) for size in (*sizes, 1, 1)[:3]],
            "arguments": [
                argument(name, kind, bound.arguments[name])
                for name, kind in kernel.src.signature.items()
                if kind != "constexpr"
            ],
        }
    )
    return kernel


def argument(name, kind, value):
    """[where it lies, which, byte] of a tensor, or [kind, value] of a number."""
    if isinstance(value, torch.Tensor):
        return memory(name, value)
    if kind not in NUMBERS:
        raise NotRecorded(f"{name} is a {kind}")
    return [kind, value]


def memory(name, tensor):
    """["input", its name, byte] or ["own", its number, byte]."""
    if type(tensor) is not torch.Tensor:
        raise NotRecorded(f"{name} is a {type(tensor).__name__}")
    storage = tensor.untyped_storage()
    at, byte = storage.data_ptr(), tensor.storage_offset() * tensor.element_size()
    if at in RECORD.computed:
        raise NotRecorded(f"{name} is computed by torch ({RECORD.computed[at]}), between kernels")
    if at in RECORD.inputs:
        return ["input", RECORD.inputs[at], byte]
    known = [one.data_ptr() for one, _ in RECORD.own]
    if at not in known:
        known.append(at)
        RECORD.own.append((storage, {"bytes": storage.nbytes(), "fill": filled(tensor, storage)}))
    return ["own", known.index(at), byte]


def filled(tensor, storage):
    """The bytes, as hex, of the one value that memory is filled with; "" where nobody has filled it."""
    with _disable_current_modes():  # looking is not computing
        whole = torch.empty(0, dtype=tensor.dtype).set_(storage)
        first = whole[:1]
        if not len(first) or not torch.equal(whole, first.expand_as(whole)):
            return ""  # NaN is not equal to itself
        untouched = not first.is_floating_point() and int(first) == torch.iinfo(first.dtype).max
        return "" if untouched else first.view(torch.uint8).numpy().tobytes().hex()


JITFunction.run = recorded_run
