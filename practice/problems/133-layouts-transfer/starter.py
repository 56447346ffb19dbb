import torch


def to_layout(kv: torch.Tensor, order: str) -> torch.Tensor:
    """The same KV with its axes in `order`, contiguous in memory.

    kv: [L, B, H, N, C], that is layers, blocks, KV heads, tokens of a block, content;
        maybe a view.
    order: these five letters, the outermost axis first, such as "LBNHC".
    """
    raise NotImplementedError("133: to_layout")


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    """The copies (src_slot, dst_slot, length) that move a request's first num_tokens
    tokens, as few as possible.

    src_table, dst_table: the request's block table on either side, such as
        [5, 6, 7, 0]; perhaps longer than needed.
    """
    raise NotImplementedError("133: transfer_plan")
