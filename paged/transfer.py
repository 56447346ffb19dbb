"""Moving a request's KV from one engine to another: the order of the axes in memory, and which slots go where.

With prefill and decode on separate machines, one engine computes a prompt's KV and another goes on with it. The two
may keep it in different layouts and in blocks of different sizes; vLLM's NIXL connector, say, was made to serve a
prefill with blocks of 16 and a decode with blocks of 128 (issue 26744).

vLLM 0.30 describes every layout by one logical shape, [L, B, H, N, C], and an order of these letters in memory
(v1/kv_cache_layout.py): layers, blocks, KV heads, tokens of a block, content. With FlashAttention the content of a
head and token is its K followed by its V, 2 * head_dim numbers. NHD is vLLM's other name for LBNHC, HND for LBHNC.

A transfer costs by the piece as well as by the byte, so neighbours travel together. SGLang merges pages that follow
each other on both sides (group_concurrent_contiguous in srt/disaggregation), which takes pages of one size. The plan
here counts in slots, and the sizes may be any two. In LBNHC and LHBNC consecutive slots of a layer (and head) follow
one another in memory across blocks; other orders cut a run up at the end of each block.

What is left out: the wire itself, and heads or layers that are split differently on the two sides.
"""

from typing import TYPE_CHECKING

from paged.slots import as_ints

if TYPE_CHECKING:
    import torch

LOGICAL_ORDER = "LBHNC"


def to_layout(kv: "torch.Tensor", order: str) -> "torch.Tensor":
    """The same KV with its axes in `order`, contiguous in memory; shares memory with `kv` that lies so already.

    kv: [L, B, H, N, C] of any dtype, contiguous or not. order: the five letters, outermost axis first; with "LBNHC"
    the result is [L, B, N, H, C].

    Raises ValueError for other numbers of axes, and for an order that does not name each of the five once.
    """
    if kv.dim() != len(LOGICAL_ORDER):
        raise ValueError(f"kv must be [L, B, H, N, C], got {kv.dim()} axes: {list(kv.shape)}")
    if sorted(order) != sorted(LOGICAL_ORDER):
        raise ValueError(f"order must name each of L, B, H, N and C once, got {order!r}")
    return kv.permute([LOGICAL_ORDER.index(axis) for axis in order]).contiguous()


def transfer_plan(
    num_tokens: int, src_table: list[int], src_block_size: int, dst_table: list[int], dst_block_size: int
) -> list[tuple[int, int, int]]:
    """The copies (src_slot, dst_slot, length) that move a request's first num_tokens tokens, in their order.

    A copy moves `length` tokens, which lie in consecutive slots on both sides, and is as long as it can be: no plan in
    the order of the tokens has fewer. What comes after the tokens in a table, or in its last block, is not looked at.

    Raises ValueError for negative num_tokens, a block_size below 1, a table that is too short, and among the blocks
    that hold the tokens a negative one (padding) or one that is there twice.
    """
    if num_tokens < 0:
        raise ValueError(f"cannot move {num_tokens} tokens")
    src_blocks = _used_blocks("source", src_table, src_block_size, num_tokens)
    dst_blocks = _used_blocks("destination", dst_table, dst_block_size, num_tokens)
    plan: list[tuple[int, int, int]] = []
    moved = 0
    while moved < num_tokens:
        src_block, src_offset = divmod(moved, src_block_size)
        dst_block, dst_offset = divmod(moved, dst_block_size)
        src_slot = src_blocks[src_block] * src_block_size + src_offset
        dst_slot = dst_blocks[dst_block] * dst_block_size + dst_offset
        length = min(src_block_size - src_offset, dst_block_size - dst_offset, num_tokens - moved)
        moved += length
        if plan:
            src_start, dst_start, before = plan[-1]
            if (src_slot, dst_slot) == (src_start + before, dst_start + before):
                plan[-1] = (src_start, dst_start, before + length)
                continue
        plan.append((src_slot, dst_slot, length))
    return plan


def _used_blocks(side: str, table: list[int], block_size: int, num_tokens: int) -> list[int]:
    """The blocks of a table that hold its first num_tokens tokens. Raises ValueError as transfer_plan says."""
    if block_size < 1:
        raise ValueError(f"{side} block_size must be at least 1, got {block_size}")
    needed = -(-num_tokens // block_size)  # rounded up
    if len(table) < needed:
        raise ValueError(f"{num_tokens} tokens need {needed} blocks of {block_size}, the {side} has {len(table)}")
    blocks = as_ints(table[:needed])
    if min(blocks, default=0) < 0:
        raise ValueError(f"{side} entry {blocks.index(min(blocks))} is {min(blocks)}, but holds tokens")
    if len(set(blocks)) < len(blocks):
        twice = next(block for block in blocks if blocks.count(block) > 1)
        raise ValueError(f"block {twice} is in the {side} table {blocks.count(twice)} times")
    return blocks
