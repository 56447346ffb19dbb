"""Who does one step of decoding in benchmarks/gpu.py: the library's kernels, and others over the same K and V.

Each side is a list of calls that take turns. Every call has queries, blocks and results of its own, and so many calls
there are that what one has left in the L2 cache is gone when its turn comes again (Case.copies).
"""

from collections.abc import Callable

import torch
from gpu_report import HEADS, KV_HEADS, Case
from torch.nn.functional import scaled_dot_product_attention

from paged.kernels.triton_decode import paged_decode
from paged.kernels.triton_split_kv import paged_decode as split_decode

Calls = list[Callable[[], torch.Tensor]]


class Inputs:
    """`copies` inputs of a case, in one cache whose blocks lie scattered: q [copies, B, HEADS, D], k_cache and v_cache
    [num_blocks, block_size, KV_HEADS, D], tables [copies, B, blocks] int32, seq_lens [B] int32."""

    def __init__(self, case: Case, copies: int, device: torch.device, dtype: torch.dtype):
        self.case, self.copies, self.scale = case, copies, case.head_dim**-0.5
        values = {"dtype": dtype, "device": device}
        num_blocks = copies * case.batch * case.blocks
        self.q = torch.randn(copies, case.batch, HEADS, case.head_dim, **values)
        shape = (num_blocks, case.block_size, KV_HEADS, case.head_dim)
        self.k_cache, self.v_cache = (torch.randn(shape, **values) for _ in range(2))
        scattered = torch.randperm(num_blocks, device=device).to(torch.int32)
        self.tables = scattered.view(copies, case.batch, case.blocks)
        self.seq_lens = torch.full((case.batch,), case.context, dtype=torch.int32, device=device)

    def in_order(self, n: int) -> tuple[torch.Tensor, torch.Tensor]:
        """K and V of input n, [B, KV_HEADS, context, D] contiguous."""
        index, shape = self.tables[n].flatten().long(), (self.case.batch, -1, KV_HEADS, self.case.head_dim)
        k, v = (cache[index].view(shape)[:, : self.case.context] for cache in (self.k_cache, self.v_cache))
        return k.transpose(1, 2).contiguous(), v.transpose(1, 2).contiguous()


def error(inputs: Inputs, found: torch.Tensor) -> float:
    """How far a side's result for input 0 is from float32: the largest error times 1 / max(1, |expected|)."""
    k, v = (x.float() for x in inputs.in_order(0))
    rows = inputs.q[0].float().unflatten(1, (KV_HEADS, -1))
    expected = scaled_dot_product_attention(rows, k, v, scale=inputs.scale).flatten(1, 2)
    return ((found - expected).abs() / expected.abs().clamp(min=1)).max().item()


def library(inputs: Inputs, num_splits: int) -> Calls:
    """The decode kernel, or split-KV where num_splits is above 1."""

    def call(n: int) -> torch.Tensor:
        given = inputs.q[n], inputs.k_cache, inputs.v_cache, inputs.tables[n], inputs.seq_lens, inputs.scale
        return paged_decode(*given) if num_splits == 1 else split_decode(*given, num_splits)

    return [lambda n=n: call(n) for n in range(inputs.copies)]


def contiguous(inputs: Inputs) -> Calls:
    """What paging costs: K and V in order, one call of torch's attention, query heads of a KV head as its rows."""

    def call(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        rows = q.unflatten(1, (KV_HEADS, -1))
        return scaled_dot_product_attention(rows, k, v, scale=inputs.scale).flatten(1, 2)

    given = [(inputs.q[n], *inputs.in_order(n)) for n in range(inputs.copies)]
    return [lambda given=given: call(*given) for given in given]


def flex(inputs: Inputs, compiled: bool = True) -> Calls:
    """FlexAttention over its own paged cache, [1, KV_HEADS, slots, D]; block_size is its page, which must divide the
    context. Experimental in torch 2.13."""
    from torch.nn.attention.experimental._paged_attention import PagedAttention
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention, noop_mask

    case, device = inputs.case, inputs.q.device
    attention = torch.compile(flex_attention) if compiled else flex_attention
    batch = torch.arange(case.batch, device=device)
    positions = torch.arange(case.context, device=device).expand(case.batch, -1)
    whole = create_block_mask(
        noop_mask, case.batch, None, 1, case.context, device=str(device), BLOCK_SIZE=(128, case.block_size)
    )

    def call(n: int) -> Callable[[], torch.Tensor]:
        pages = case.batch * case.blocks
        paged = PagedAttention(pages, case.block_size, case.batch, device=str(device))
        paged.empty_pages = torch.randperm(pages).tolist()
        for request in batch:
            paged.reserve(request, torch.tensor(case.context, device=device))
        k, v = inputs.in_order(n)
        shape = (1, KV_HEADS, pages * case.block_size, case.head_dim)
        caches = [torch.empty(shape, dtype=k.dtype, device=device) for _ in range(2)]
        paged.assign(batch, positions, k, v, *caches)
        mask = paged.convert_logical_block_mask(whole)
        q = inputs.q[n][:, :, None]
        return lambda: attention(q, *caches, block_mask=mask, enable_gqa=True, scale=inputs.scale)[:, :, 0]

    return [call(n) for n in range(inputs.copies)]
