"""The batches on which every backend and every kernel must come to the numbers of float64, and that float64.

A batch is drawn from a seed: scattered physical blocks, every slot that nobody owns poisoned, K and V rounded to the
storage dtype before the float64 result is computed from them.
"""

from dataclasses import dataclass
from random import Random

import torch

NAN = float("nan")
TOLERANCE = {torch.float32: 1e-5, torch.float16: 2e-3, torch.bfloat16: 2e-2, torch.float64: 1e-12}

# block size, head dim, query heads per KV head, KV heads
SHAPES = {
    "block1-dim24-ratio1": (1, 24, 1, 2),
    "block4-dim80-ratio3": (4, 80, 3, 2),
    "block16-dim64-ratio5": (16, 64, 5, 1),
    "block64-dim96-ratio7": (64, 96, 7, 2),
    "block272-dim128-ratio8": (272, 128, 8, 1),
    "block16-dim256-ratio1": (16, 256, 1, 3),
    "block3-dim33-ratio2": (3, 33, 2, 1),
}
STAGES = ("decode", "prompt", "mixed")
# How K and V lie in memory; V the other way round, so that a kernel that takes K's strides for V's is found out.
LAYOUTS = {
    "contiguous": ("plain", "plain"),
    "padded-blocks": ("padded", "plain"),
    "layer-of-many": ("layer", "padded"),
    "heads-outside": ("heads", "layer"),
}


@dataclass
class Batch:
    """q [N, num_heads, D]; caches [num_blocks, block_size, num_kv_heads, D]; the rest as paged_attention's."""

    q: torch.Tensor
    k_cache: torch.Tensor
    v_cache: torch.Tensor
    block_tables: torch.Tensor  # int32, padded with -1
    seq_lens: torch.Tensor  # int32
    starts: torch.Tensor  # int32
    scale: float
    expected: torch.Tensor  # float64

    def owned(self) -> torch.Tensor:
        """[num_blocks, block_size], true for slots of some request."""
        block_size = self.k_cache.shape[1]
        owned = torch.zeros(self.k_cache.shape[:2], dtype=torch.bool)
        for table, seq_len in zip(self.block_tables.tolist(), self.seq_lens.tolist(), strict=True):
            for position in range(seq_len):
                owned[table[position // block_size], position % block_size] = True
        return owned


def lengths(block_size: int, stage: str) -> tuple[list[int], list[int]]:
    """(contexts, new tokens): contexts of 1, around a block's edge, and of hundreds."""
    contexts = [1, max(1, block_size - 1), block_size, block_size + 1, 131, 300]
    if stage == "decode":
        return contexts, [1] * len(contexts)
    if stage == "prompt":
        return contexts[:5], contexts[:5]
    return [*contexts, 9, 17], [1, 1, min(3, block_size), 0, 33, 1, 9, 0]


def batch(
    block_size: int,
    head_dim: int,
    ratio: int,
    num_kv_heads: int,
    stage: str = "decode",
    dtype: torch.dtype = torch.float32,
    layout: str = "contiguous",
    poison: float = NAN,
    q_factor: float = 1.0,
    seed: int = 0,
    order_seed: int = 0,
) -> Batch:
    """A batch by its seed; order_seed moves the physical blocks and changes nothing else."""
    generator = torch.Generator().manual_seed(seed)
    contexts, new_tokens = lengths(block_size, stage)
    needed = [-(-length // block_size) for length in contexts]
    num_blocks = sum(needed) + 3
    free = Random(order_seed).sample(range(num_blocks), num_blocks)
    shape = (num_blocks, block_size, num_kv_heads, head_dim)
    caches = [_empty(shape, how, dtype, poison) for how in LAYOUTS[layout]]
    block_tables = torch.full((len(contexts), max(needed)), -1, dtype=torch.int32)
    q = torch.randn(sum(new_tokens), ratio * num_kv_heads, head_dim, generator=generator, dtype=torch.float64)
    q = (q * q_factor).to(dtype)
    scale, expected, row = head_dim**-0.5, [], 0
    for i, (seq_len, num_new) in enumerate(zip(contexts, new_tokens, strict=True)):
        k, v = torch.randn(2, seq_len, num_kv_heads, head_dim, generator=generator, dtype=torch.float64).to(dtype)
        for logical in range(needed[i]):
            block_tables[i, logical] = block = free.pop()
            part = slice(logical * block_size, (logical + 1) * block_size)
            for cache, values in zip(caches, (k, v), strict=True):
                cache[block, : len(values[part])] = values[part]
        expected.append(contiguous_attention(q[row : row + num_new], k, v, scale))
        row += num_new
    starts = torch.tensor([0, *new_tokens]).cumsum(0).to(torch.int32)
    seq_lens = torch.tensor(contexts, dtype=torch.int32)
    return Batch(q, *caches, block_tables, seq_lens, starts, scale, torch.cat(expected))


def contiguous_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float) -> torch.Tensor:
    """Float64: q [T, num_heads, D] are the last T of the S tokens of k and v [S, num_kv_heads, D]."""
    ratio, (first, end) = q.shape[1] // k.shape[1], (len(k) - len(q), len(k))
    k, v = (x.double().repeat_interleave(ratio, 1) for x in (k, v))
    scores = torch.einsum("thd,shd->hts", q.double(), k) * scale
    later = torch.arange(end) > torch.arange(first, end)[:, None]
    return torch.einsum("hts,shd->thd", scores.masked_fill(later, -torch.inf).softmax(-1), v)


def error(found: torch.Tensor, expected: torch.Tensor) -> float:
    """The largest error × 1 / max(1, |expected|); NaN stays NaN."""
    assert found.shape == expected.shape
    return ((found.double() - expected).abs() / expected.abs().clamp(min=1)).max().item() if found.numel() else 0.0


def _empty(shape: tuple[int, ...], how: str, dtype: torch.dtype, poison: float) -> torch.Tensor:
    num_blocks, block_size, num_kv_heads, head_dim = shape
    match how:
        case "plain":
            return torch.full(shape, poison, dtype=dtype)
        case "padded":
            return torch.full((num_blocks, block_size + 3, *shape[2:]), poison, dtype=dtype)[:, :block_size]
        case "layer":
            return torch.full((num_blocks, 3, *shape[1:]), poison, dtype=dtype)[:, 1]
        case "heads":
            return torch.full((num_kv_heads, num_blocks, block_size, head_dim), poison, dtype=dtype).permute(1, 2, 0, 3)
    raise ValueError(how)
