"""Backend "native": the C++ kernel of native.cpp, called through ctypes.

Its interface is one C struct of pointers, sizes and strides, so that it needs neither torch's headers nor half a minute
to compile them. Queries and results cross as float32; K and V are read where they lie, as float32, bfloat16 or float16.
The call lets go of Python's lock and uses as many threads as torch does (torch.set_num_threads).
"""

import ctypes
import functools
import os
import struct
from array import array
from collections.abc import Callable

import torch

from paged.kernels import PROCESS, BackendUnavailable, build
from paged.storage import checked_tables

MAX_HEAD_DIM = 256
STORAGES = {torch.float32: 0, torch.bfloat16: 1, torch.float16: 2}
NO_MEMORY, WRONG_TABLE = 1, 2  # what the kernel returns


# `struct Call` of native.cpp: pointers, sizes and strides, the scale, and the thread pool.
CALL = struct.Struct("25qdq")


@functools.cache
def _kernel() -> Callable[[bytes], int]:
    path = build.library()
    try:
        kernel = ctypes.CDLL(str(path)).paged_attention
    except OSError as error:
        raise BackendUnavailable(
            f"backend 'native' has compiled {path}, which cannot be loaded ({error}): set XDG_CACHE_HOME to a folder "
            "from which programs may run, or use backend='batched'"
        ) from error
    kernel.argtypes, kernel.restype = [ctypes.c_char_p], ctypes.c_int
    return kernel


@functools.cache
def _team() -> int:
    """The address of GNU OpenMP's GOMP_parallel, whose threads torch computes with; 0 where torch has others."""
    try:
        return ctypes.cast(ctypes.CDLL(None).GOMP_parallel, ctypes.c_void_p).value or 0
    except (AttributeError, OSError, TypeError):
        return 0


def attend(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    tables: torch.Tensor,
    seq_lens: list[int],
    starts: list[int],
    scale: float,
) -> torch.Tensor:
    """paged_attention after its checks, but for that of the tables; scores and sums are float32.

    Raises ValueError where paged.storage.checked_tables does; BackendUnavailable without a C++ compiler, off the CPU,
    for head dims above 256, for other dtypes than float32, bfloat16 and float16, and for a cache whose head_dim
    elements do not lie side by side; MemoryError.
    """
    _check(q, k_cache, v_cache)
    kernel = _kernel()
    queries = q.to(torch.float32).contiguous()
    out = torch.empty_like(queries)
    numbers = array("q", seq_lens + starts)
    lengths, _ = numbers.buffer_info()
    call = CALL.pack(
        *(queries.data_ptr(), out.data_ptr(), k_cache.data_ptr(), v_cache.data_ptr()),
        *(tables.data_ptr(), lengths, lengths + len(seq_lens) * numbers.itemsize),
        *(*tables.shape, *tables.stride(), q.shape[1], *k_cache.shape, *k_cache.stride()[:3], *v_cache.stride()[:3]),
        *(tables.itemsize, STORAGES[k_cache.dtype], torch.get_num_threads()),
        *(scale, _team() if os.getpid() == PROCESS else 0),
    )
    status = kernel(call)
    if status == NO_MEMORY:
        raise MemoryError(f"backend 'native' got no memory for its tiles: {len(seq_lens)} requests, {len(q)} queries")
    if status == WRONG_TABLE:
        checked_tables(k_cache, tables, seq_lens)
        raise AssertionError("the kernel refused block tables that are right")
    return out if q.dtype == torch.float32 else out.to(q.dtype)


def _check(q: torch.Tensor, k_cache: torch.Tensor, v_cache: torch.Tensor) -> None:
    if not q.is_cpu:  # K and V are where q is
        raise BackendUnavailable(f"backend 'native' runs on the CPU, q is on {q.device}: use 'triton'")
    dtypes = q.dtype, k_cache.dtype, v_cache.dtype
    for name, dtype in zip(("q", "K", "V"), dtypes, strict=True):
        if dtype not in STORAGES:
            known = ", ".join(str(known).removeprefix("torch.") for known in STORAGES)
            raise BackendUnavailable(f"backend 'native' knows {known}; {name} is {dtype}: use 'batched'")
    if dtypes[1] != dtypes[2]:
        raise BackendUnavailable(f"backend 'native' needs one dtype for K and V, got {dtypes[1]}, {dtypes[2]}")
    head_dim = k_cache.shape[3]
    if head_dim > MAX_HEAD_DIM:
        raise BackendUnavailable(
            f"backend 'native' takes head dims up to {MAX_HEAD_DIM}, got {head_dim}: use 'batched'"
        )
    for name, cache in (("K", k_cache), ("V", v_cache)):
        if cache.stride(3) != 1 and head_dim > 1:
            raise BackendUnavailable(
                f"backend 'native' needs the {head_dim} elements of a head side by side, "
                f"in {name} they are {cache.stride(3)} apart: use 'batched'"
            )
