"""Backend "native": the C++ kernel of native.cpp, called through ctypes.

Its interface is one C struct of pointers, sizes and strides, so that it needs neither torch's headers nor half a minute
to compile them. Queries and results cross as float32; K and V are read where they lie, as float32, bfloat16 or float16.
The call lets go of Python's lock and uses as many threads as torch does (torch.set_num_threads).
"""

import ctypes
import functools
import os
from collections.abc import Callable

import numpy as np
import torch

from paged.kernels import BackendUnavailable, build

MAX_HEAD_DIM = 256
STORAGES = {torch.float32: 0, torch.bfloat16: 1, torch.float16: 2}
PROCESS = os.getpid()  # a fork has lost the threads of this one, and would wait for them forever


class Call(ctypes.Structure):
    """`struct Call` of native.cpp, field by field."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("q", "out", "k", "v", "blocks", "seq_lens", "starts")),
        *((name, ctypes.c_int64) for name in ("num_requests", "num_heads", "num_kv_heads", "head_dim", "block_size")),
        *((name, ctypes.c_int64 * 3) for name in ("k_stride", "v_stride")),
        ("storage", ctypes.c_int64),
        ("threads", ctypes.c_int64),
        ("scale", ctypes.c_double),
        ("team", ctypes.c_void_p),
    ]


@functools.cache
def _kernel() -> Callable[[Call], int]:
    path = build.library()
    try:
        kernel = ctypes.CDLL(str(path)).paged_attention
    except OSError as error:
        raise BackendUnavailable(
            f"backend 'native' has compiled {path}, which cannot be loaded ({error}): set XDG_CACHE_HOME to a folder "
            "from which programs may run, or use backend='batched'"
        ) from error
    kernel.argtypes, kernel.restype = [ctypes.POINTER(Call)], ctypes.c_int
    return kernel


@functools.cache
def _team() -> int | None:
    """The address of GNU OpenMP's GOMP_parallel, whose threads torch computes with; None where torch has others."""
    try:
        return ctypes.cast(ctypes.CDLL(None).GOMP_parallel, ctypes.c_void_p).value
    except (AttributeError, OSError, TypeError):
        return None


def attend(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    tables: list[np.ndarray],
    seq_lens: list[int],
    starts: list[int],
    scale: float,
) -> torch.Tensor:
    """paged_attention after its checks; scores and sums are float32.

    Raises BackendUnavailable without a C++ compiler, off the CPU, for head dims above 256, for other dtypes than
    float32, bfloat16 and float16, and for a cache whose head_dim elements do not lie side by side; MemoryError.
    """
    _check(q, k_cache, v_cache)
    kernel = _kernel()
    queries = q.to(torch.float32).contiguous()
    out = torch.empty_like(queries)
    blocks = np.concatenate([*tables, np.empty(0, np.int64)])
    lengths, begins = np.array(seq_lens, np.int64), np.array(starts, np.int64)
    call = Call(
        *(tensor.data_ptr() for tensor in (queries, out, k_cache, v_cache)),
        *(numbers.ctypes.data for numbers in (blocks, lengths, begins)),
        len(seq_lens),
        *(q.shape[1], k_cache.shape[2], k_cache.shape[3], k_cache.shape[1]),
        k_cache.stride()[:3],
        v_cache.stride()[:3],
        STORAGES[k_cache.dtype],
        torch.get_num_threads(),
        scale,
        _team() if os.getpid() == PROCESS else None,
    )
    if kernel(call):
        raise MemoryError(f"backend 'native' got no memory for its tiles: {len(seq_lens)} requests, {len(q)} queries")
    return out.to(q.dtype)


def _check(q: torch.Tensor, k_cache: torch.Tensor, v_cache: torch.Tensor) -> None:
    for name, tensor in {"q": q, "K": k_cache, "V": v_cache}.items():
        if tensor.device.type != "cpu":
            raise BackendUnavailable(f"backend 'native' runs on the CPU, {name} is on {tensor.device}: use 'triton'")
        if tensor.dtype not in STORAGES:
            known = ", ".join(str(dtype).removeprefix("torch.") for dtype in STORAGES)
            raise BackendUnavailable(f"backend 'native' knows {known}; {name} is {tensor.dtype}: use 'batched'")
    if k_cache.dtype != v_cache.dtype:
        raise BackendUnavailable(f"backend 'native' needs one dtype for K and V, got {k_cache.dtype}, {v_cache.dtype}")
    if k_cache.shape[3] > MAX_HEAD_DIM:
        raise BackendUnavailable(
            f"backend 'native' takes head dims up to {MAX_HEAD_DIM}, got {k_cache.shape[3]}: use 'batched'"
        )
    for name, cache in (("K", k_cache), ("V", v_cache)):
        if cache.stride(3) != 1 and cache.shape[3] > 1:
            raise BackendUnavailable(
                f"backend 'native' needs the {cache.shape[3]} elements of a head side by side, "
                f"in {name} they are {cache.stride(3)} apart: use 'batched'"
            )
