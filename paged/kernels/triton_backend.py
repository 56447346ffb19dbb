"""Backend "triton": chooses among the Triton kernels of this folder and gives them tensors.

One query per request takes the decode kernel, and split-KV where requests times KV heads are fewer than a GPU's
processors; every other batch takes the varlen kernel. How many splits is a rule of thumb that no GPU has confirmed yet
(see choose_num_splits).
"""

import importlib.util

import torch

from paged.kernels import BackendUnavailable

DTYPES = (torch.float16, torch.bfloat16, torch.float32)
MIN_POSITIONS_PER_SPLIT = 256
MAX_SPLITS = 32


def attend(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    tables: torch.Tensor,
    seq_lens: list[int],
    starts: list[int],
    scale: float,
) -> torch.Tensor:
    """paged_attention after its checks; scores and sums are float32.

    Raises BackendUnavailable without Triton, without a GPU unless TRITON_INTERPRET=1, for bfloat16 in the interpreter,
    for dtypes that differ or are not among float16, bfloat16 and float32, and if head_dim elements do not lie side by
    side.
    """
    _check(q, k_cache, v_cache)
    if len(q) == 0:
        return torch.empty_like(q)
    tables = tables.to(q.device, torch.int32)
    lengths = torch.tensor(seq_lens, dtype=torch.int32, device=q.device)
    if starts == list(range(len(seq_lens) + 1)):
        num_splits = choose_num_splits(q.device, len(seq_lens) * k_cache.shape[2], max(seq_lens))
        if num_splits > 1:
            from paged.kernels.triton_split_kv import paged_decode as split_decode

            return split_decode(q, k_cache, v_cache, tables, lengths, scale, num_splits)
        from paged.kernels.triton_decode import paged_decode

        return paged_decode(q, k_cache, v_cache, tables, lengths, scale)
    from paged.kernels.triton_varlen import paged_attention

    begins = torch.tensor(starts, dtype=torch.int32, device=q.device)
    return paged_attention(q, k_cache, v_cache, tables, lengths, begins, scale)


def choose_num_splits(device: torch.device, programs: int, longest: int) -> int:
    """Splits that give a GPU two programs per processor, each with MIN_POSITIONS_PER_SPLIT or more; 1 on a CPU."""
    if device.type == "cpu":
        return 1
    wanted = 2 * torch.cuda.get_device_properties(device).multi_processor_count // programs
    return max(1, min(wanted, longest // MIN_POSITIONS_PER_SPLIT, MAX_SPLITS))


def _check(q: torch.Tensor, k_cache: torch.Tensor, v_cache: torch.Tensor) -> None:
    if importlib.util.find_spec("triton") is None:
        raise BackendUnavailable(
            "backend 'triton' needs Triton, which exists for Linux only: `make setup` without CORE=1 installs it "
            "there; elsewhere use backend='native'"
        )
    if not q.dtype == k_cache.dtype == v_cache.dtype or q.dtype not in DTYPES:
        raise BackendUnavailable(
            "backend 'triton' needs q, K and V in one dtype of float16, bfloat16 and float32, "
            f"got {q.dtype}, {k_cache.dtype}, {v_cache.dtype}: use 'batched'"
        )
    for name, tensor in {"q": q, "K": k_cache, "V": v_cache}.items():
        if tensor.stride(-1) != 1 and tensor.shape[-1] > 1:
            raise BackendUnavailable(
                f"backend 'triton' needs the {tensor.shape[-1]} elements of a head side by side, "
                f"in {name} they are {tensor.stride(-1)} apart: use 'batched'"
            )
    if q.device.type == "cpu":
        _check_interpreter(q.dtype)


def _check_interpreter(dtype: torch.dtype) -> None:
    from triton.runtime.jit import JITFunction

    from paged.kernels.triton_decode import _decode

    if isinstance(_decode, JITFunction):  # decided when that file was imported, not now
        raise BackendUnavailable(
            "backend 'triton' needs q, K and V on a GPU, these are on the CPU. Without a GPU, start Python with "
            "TRITON_INTERPRET=1 in its environment (set later, it does not count): Triton's interpreter gives the same "
            "numbers, thousands of times slower. To be fast on a CPU, use backend='native'"
        )
    if dtype == torch.bfloat16:
        raise BackendUnavailable(
            "Triton's interpreter computes bfloat16 wrongly without a word: use float16 or float32, or backend='native'"
        )
