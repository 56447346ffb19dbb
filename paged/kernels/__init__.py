"""Faster ways to the numbers of `paged_attention(..., backend="reference")`, one file each.

    backend="batched"   batched.py          torch only: one gather and one call for several decode requests
    backend="native"    native.py           a C++ kernel that reads K and V where they lie: native.cpp, tile.h and
                                            vectors.h, which build.py compiles once
    backend="triton"    triton_backend.py   Triton kernels for a GPU, or slowly for TRITON_INTERPRET=1

The Triton kernels also stand alone, each with the function that launches it: triton_slots.py, triton_write.py,
triton_decode.py, triton_split_kv.py, triton_varlen.py. Those functions check nothing, as in an engine's inner loop.

A backend is imported when it is first chosen. It is a function attend(q, k_cache, v_cache, tables, seq_lens, starts,
scale), called after all checks of paged/attention.py: tables are int32 or int64 [B, W] on the CPU, with 0 past each
context; seq_lens and starts are lists. "native" gets tables as they come, and checks them.
"""

import os

PROCESS = os.getpid()  # a fork of it has none of its threads, and would wait for them forever


class BackendUnavailable(RuntimeError):
    """This machine, or this kind of tensor, cannot use the backend; the message says what to do. Nothing was read."""
