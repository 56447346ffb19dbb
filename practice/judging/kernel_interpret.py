"""A Triton kernel on the processor: runs an answer under Triton's interpreter and watches what its kernels do.

Learner's side; it must be imported before Triton is. Every load, store and atomic of a kernel is checked against memory
(kernel_memory.py) before it happens. What a cache holds is put there when a kernel starts and taken away when it ends,
so that only a kernel that reads the cache can give the right result, whatever is computed before or after it; what
kernels write into a cache is taken away as well, and given to the next one and to the judge. What a GPU leaves
undefined is not kind here: a masked load without `other`, or memory that nobody has filled, gives NaN or a huge
integer, not 0.

All this lives in one process with the answer, so code that sets out to undo it can: the counts are as honest as the
answer is. What is expected is never here.

Checked for Triton 3.7.1: the hooks go into parts of it that other versions may name otherwise.
"""

import os

os.environ |= {"TRITON_INTERPRET": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

import functools
import hashlib
import inspect
import linecache

import numpy as np
import torch
import triton
import triton.runtime.interpreter as interpreter
from kernel_input import Input, MemoryFault
from kernel_memory import Memory
from triton.runtime.autotuner import Autotuner
from triton.tools.tensor_descriptor import TensorDescriptor

MEMORY = Memory()
LAUNCHED = []


def begin(source):
    """Before an answer is loaded: Triton reads a kernel's source by its file's name."""
    linecache.cache["answer.py"] = (len(source), None, source.splitlines(keepends=True), "answer.py")
    MEMORY.__init__()
    LAUNCHED.clear()
    source_hash.cache_clear()  # code that differs in a comment alone counts as equal


def given(name, value, *about):
    """What stands for a value of the run: an Input for a tensor. Of one in an example, nothing else is known: kernels
    may write into it."""
    if not isinstance(value, torch.Tensor):
        return value
    earlier = next((known for known in MEMORY.inputs if known.name == name), None)
    about = about or (None, None, None, torch.ones_like(value, dtype=torch.bool))
    made = Input(name, value, *about, earlier=earlier)
    MEMORY.inputs = [known for known in MEMORY.inputs if known is not earlier] + [made]
    return made


def seen(value):
    """What an example looks at: of an Input what the last kernel left in it."""
    return value.held if isinstance(value, Input) else value


def call(function, args):
    """`function(*args)`, watched. Raises MemoryFault for what must not be touched, else what a kernel raised itself."""
    MEMORY.fault, MEMORY.bytes_of_copies, MEMORY.bytes_stored = None, 0, 0
    for known in MEMORY.inputs:
        known.put(known.before)
        known.forget()
    torch.set_deterministic_debug_mode("warn")  # memory that nobody has filled holds NaN
    try:
        value = function(*[arg.tensor if isinstance(arg, Input) else arg for arg in args])
    except BaseException as error:
        raise MEMORY.fault or innermost(error) from None
    finally:
        torch.set_deterministic_debug_mode("default")
    if MEMORY.fault:
        raise MEMORY.fault
    for known in MEMORY.inputs:
        known.called, known.bytes_of_copies = True, MEMORY.bytes_of_copies
        known.bytes_stored = max(0, MEMORY.bytes_stored - bytes_of_result(value))
        if not known.holds(known.before):
            raise MemoryFault(f"{known.name}, an input, was changed outside of a kernel")
    if type(value) is torch.Tensor and value.layout is torch.strided:
        at = value.untyped_storage().data_ptr()
        if name := next((known.name for known in MEMORY.inputs if known.begin <= at < known.end), None):
            raise MemoryFault(f"the result lies in the memory of {name}")
    return value


def bytes_of_result(value):
    """What kernels may store of a result, in float32 where it is narrower: a wrapper may convert it."""
    return value.numel() * max(4, value.element_size()) if isinstance(value, torch.Tensor) else 0


def launched():
    """The kernels that ran: [{"kernel", "sha256"}]."""
    return LAUNCHED


def innermost(error):
    """What a kernel raised: the interpreter wraps it, once for every function of it that calls another."""
    while isinstance(error, interpreter.InterpreterError) and error.__cause__:
        error = error.__cause__
    return error


def named(function):
    """A kernel's name, and the hash of its source."""
    return {"kernel": function.__name__, "sha256": source_hash(function.__code__)}


@functools.cache
def source_hash(code):
    """Finding a source takes longer than many a launch."""
    return hashlib.sha256(inspect.getsource(code).encode()).hexdigest()


def tensors_of(arguments):
    for name, value in arguments:
        if isinstance(value, TensorDescriptor):
            value = value.base
        if isinstance(value, torch.Tensor):
            yield name, value


run = interpreter.InterpretedFunction.run


def watched_run(self, *args, grid, warmup, **options):
    """A launch: the caches hold what they are to hold, until it ends."""
    if warmup:
        return run(self, *args, grid=grid, warmup=warmup, **options)
    about = named(self.fn)
    if about not in LAUNCHED:
        LAUNCHED.append(about)
    MEMORY.register(tensors_of([*zip(self.arg_names, args, strict=False), *options.items()]))
    for known in MEMORY.inputs:
        if not known.holds(known.before):
            MEMORY.fault = MemoryFault(f"{known.name}, an input, was changed before the kernel started")
            raise MEMORY.fault
        known.put(known.held)
    try:
        value = run(self, *args, grid=grid, warmup=warmup, **options)
        with MEMORY.kept():
            for known in MEMORY.inputs:
                known.take()
        return value
    finally:
        for known in MEMORY.inputs:
            known.put(known.before)


def watch(builder):
    """Put the checks before each access that the interpreter makes."""
    load, store = builder.create_masked_load, builder.create_masked_store
    rmw, cas = builder.create_atomic_rmw, builder.create_atomic_cas

    def watched_load(self, ptrs, mask, other, *rest, **options):
        on = np.asarray(getattr(mask, "data", mask))
        MEMORY.load(ptrs.data, on, self.grid_idx)
        if other is None and not on.all():
            other = undefined(ptrs)
        return load(self, ptrs, mask, other, *rest, **options)

    def watched_store(self, ptrs, value, mask, *rest):
        MEMORY.store(ptrs.data, getattr(mask, "data", mask), value.data, self.grid_idx)
        return store(self, ptrs, value, mask, *rest)

    def watched_rmw(self, op, ptr, value, mask, *rest):
        MEMORY.store(ptr.data, mask.data, None, self.grid_idx)
        return rmw(self, op, ptr, value, mask, *rest)

    def watched_cas(self, ptr, *rest):
        MEMORY.store(ptr.data, True, None, self.grid_idx)
        return cas(self, ptr, *rest)

    builder.create_masked_load, builder.create_masked_store = watched_load, watched_store
    builder.create_atomic_rmw, builder.create_atomic_cas = watched_rmw, watched_cas


def undefined(ptrs):
    """What a masked load without `other` gives where the mask is off."""
    kind = interpreter._get_np_dtype(ptrs.get_element_ty())
    worst = np.nan if np.issubdtype(kind, np.floating) else np.iinfo(kind).max
    return interpreter.TensorHandle(np.full(ptrs.data.shape, worst, kind), ptrs.get_element_ty())


def first_config(self, *args, **options):
    """An autotuner has nothing to time here: it takes its first configuration."""
    return self.fn.run(*args, **options, **self.configs[0].all_kwargs())


interpreter.InterpretedFunction.run = watched_run
Autotuner.run = first_config
watch(type(interpreter.interpreter_builder))
torch.set_num_threads(1)  # a fork of a process that has computed with more would hang


@triton.jit
def nothing(x):
    pass


nothing[(1,)](0)  # the first launch costs most: here, once, and not in every fork
