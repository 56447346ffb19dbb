"""A Triton kernel on the processor: runs an answer under Triton's interpreter and watches what its kernels do.

Learner's side; it must be imported before Triton is. Every load, store and atomic of a kernel is checked before it
happens (kernel_access.py, kernel_memory.py). What a cache holds is put there when a kernel starts and taken away when
it ends, so that only a kernel that reads the cache can give the right result, whatever is computed before or after it;
what kernels write into a cache, or store in tensors of the answer's own (kernel_own.py), is taken away as well, and
given to the next one and to the judge. A kernel must be Triton and nothing else (kernel_language.py). Memory that
nobody has filled gives NaN or a huge integer, not 0.

All this lives in one process with the answer, so code that sets out to undo it can, by changing Triton, torch or this:
the counts are as honest as the answer is. What is expected is never here.

Checked for Triton 3.7.1: the hooks go into parts of it that other versions may name otherwise.
"""

import os

os.environ |= {"TRITON_INTERPRET": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

import hashlib
import inspect
import linecache

import kernel_access
import kernel_language
import torch
import triton
import triton.language as tl
import triton.runtime.interpreter as interpreter
from kernel_input import Input, MemoryFault
from kernel_memory import Memory
from kernel_own import Own, unwatched
from kernel_unheard import printed, unheard
from triton.runtime.autotuner import Autotuner
from triton.tools.tensor_descriptor import TensorDescriptor

MEMORY = Memory()
OWN = Own(MEMORY)
LAUNCHED, RESULTS = [], []  # RESULTS: the storages of what calls have given, kept so that none is used again


class EarlyRead(Exception):
    """What an answer raised that had looked at an input before any kernel had started; the text says what."""


class NotStored(Exception):
    """A call gives memory that nobody has written to: a launch is missing, or stores elsewhere."""


def begin(source):
    """Before an answer is loaded: Triton reads a kernel's source by its file's name."""
    linecache.cache["answer.py"] = (len(source), None, source.splitlines(keepends=True), "answer.py")
    MEMORY.__init__()
    OWN.__init__(MEMORY)
    LAUNCHED.clear()
    RESULTS.clear()
    kernel_language.read.cache_clear()


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
    """`function(*args)`, watched. Raises MemoryFault for what must not be touched or looked at, NotTriton for a kernel
    that is something else, EarlyRead, NotStored, or what a kernel raised itself, whether the answer has caught it or
    not."""
    MEMORY.fault, MEMORY.bytes_of_copies, MEMORY.bytes_stored = None, 0, 0
    OWN.fault, OWN.looked, OWN.begun = None, False, False
    for known in MEMORY.inputs:
        known.put(known.before)
        known.forget()
    torch.set_deterministic_debug_mode("warn")  # memory that nobody has filled holds NaN
    try:
        with OWN.watched():
            value = function(*[arg.tensor if isinstance(arg, Input) else arg for arg in args])
    except BaseException as error:
        fault = innermost(MEMORY.fault or OWN.fault or error)
        if OWN.looked and not OWN.begun and isinstance(fault, Exception) and not isinstance(fault, MemoryFault):
            raise EarlyRead(f"{type(fault).__name__}: {fault}").with_traceback(fault.__traceback__) from None
        raise fault from None
    finally:
        torch.set_deterministic_debug_mode("default")
        print(printed(), end="")
    if fault := MEMORY.fault or OWN.fault:
        raise innermost(fault)
    for known in MEMORY.inputs:
        known.called, known.bytes_of_copies = True, MEMORY.bytes_of_copies
        known.bytes_stored = max(0, MEMORY.bytes_stored - bytes_of_result(value))
        if not known.holds(known.before):
            raise MemoryFault(f"{known.name}, an input, was changed outside of a kernel")
    if type(value) is torch.Tensor and value.layout is torch.strided:
        at = value.untyped_storage().data_ptr()
        if name := next((known.name for known in MEMORY.inputs if known.begin <= at < known.end), None):
            raise MemoryFault(f"the result lies in the memory of {name}")
        if value.numel() and any(at == storage.data_ptr() for storage in RESULTS):
            raise MemoryFault("the result lies in the memory of an earlier result, which it changes")
        RESULTS.append(value.untyped_storage())
    if OWN.of(value) is None and nobody_has_written(value):
        if OWN.begun:
            raise NotStored("the result is memory that nobody has written to: no kernel that ran stores into it")
        raise NotStored("the result is memory that nobody has written to: the call started no kernel")
    return OWN.whole(value)


def nobody_has_written(value):
    """Whether this is a tensor with nothing in it but what undefined memory is filled with."""
    if not isinstance(value, torch.Tensor) or value.numel() == 0 or value.dtype == torch.bool:
        return False
    return bool((value.isnan() if value.is_floating_point() else value == torch.iinfo(value.dtype).max).all())


def bytes_of_result(value):
    return value.numel() * value.element_size() if isinstance(value, torch.Tensor) else 0


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
    source = kernel_language.read(function).whole
    return {"kernel": function.__name__, "sha256": hashlib.sha256(source.encode()).hexdigest()}


def tensors_of(arguments):
    for name, value in arguments:
        if isinstance(value, TensorDescriptor):
            value = value.base
        if isinstance(value, torch.Tensor):
            yield name, value


run = interpreter.InterpretedFunction.run


def watched_run(self, *args, grid, warmup, **options):
    """A launch. What it begins with is worked out first: once the caches hold what they are to hold, no Python but that
    of kernels may run."""
    OWN.begun = True
    if warmup:
        return run(self, *args, grid=grid, warmup=warmup, **options)
    given = [*zip(self.arg_names, args, strict=False), *options.items()]
    with MEMORY.kept():
        kernel_language.check(self, given)
        for hook in self.pre_run_hooks:
            hook(*args, **options)
        own = {name: value for name, value in options.items() if name in self.arg_names}
        sizes = grid(inspect.getcallargs(self.fn, *args, **own)) if callable(grid) else grid
        with unwatched():
            return launch(self, given, args, (*map(int, sizes), 1, 1)[:3], options)


def launch(self, given, args, grid, options):
    """Caches and the answer's own tensors hold what they are to hold, until the launch ends."""
    about = named(self.fn)
    if about not in LAUNCHED:
        LAUNCHED.append(about)
    MEMORY.register(tensors_of(given))
    for known in MEMORY.inputs:
        if not known.holds(known.before):
            raise MemoryFault(f"{known.name}, an input, was changed before the kernel started")
    try:
        for storage in MEMORY.storages:
            OWN.begin(*storage)
        for known in MEMORY.inputs:
            known.put(known.held)
        with unheard():
            interpreter.GridExecutor(self.rewrite(), self.arg_names, grid)(*args, **options)
        for known in MEMORY.inputs:
            known.take()
    finally:
        for known in MEMORY.inputs:
            known.put(known.before)
        OWN.end(MEMORY.stored)


def first_config(self, *args, **options):
    """An autotuner has nothing to time here: it takes its first configuration."""
    return self.fn.run(*args, **options, **self.configs[0].all_kwargs())


interpreter.FunctionRewriter.rewrite_ast = kernel_language.rewritten
interpreter.InterpretedFunction.run = watched_run
Autotuner.run = first_config
kernel_access.watch(MEMORY)
torch.set_num_threads(1)  # a fork of a process that has computed with more would hang


@triton.jit
def nothing(x):
    tl.store(x, 0)


def first():
    """The first launch, watched, costs most: here, once, and not in every fork."""
    x = torch.empty(1)
    nothing[(1,)](x)
    return x.zero_()


call(first, [])
