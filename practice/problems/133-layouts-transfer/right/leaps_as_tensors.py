import torch


def to_layout(kv: torch.Tensor, order: str) -> torch.Tensor:
    moved = kv.permute(*map("LBHNC".index, order))
    result = torch.empty(moved.shape, dtype=kv.dtype)
    result.copy_(moved)
    return result


def slots(table, block_size: int, num_tokens: int) -> torch.Tensor:
    offsets = torch.arange(block_size)
    return (torch.tensor(table, dtype=torch.int64)[:, None] * block_size + offsets).flatten()[:num_tokens]


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    """A copy begins at token 0 and behind every leap, found on all tokens at once."""
    if num_tokens == 0:
        return []
    src, dst = slots(src_table, src_block_size, num_tokens), slots(dst_table, dst_block_size, num_tokens)
    leaps = torch.nonzero((src.diff() != 1) | (dst.diff() != 1)).flatten() + 1
    starts = [0, *leaps.tolist()]
    return [
        (int(src[start]), int(dst[start]), end - start)
        for start, end in zip(starts, [*starts[1:], num_tokens], strict=True)
    ]
