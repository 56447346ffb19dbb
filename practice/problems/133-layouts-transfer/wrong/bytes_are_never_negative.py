# what has one byte is uint8
# 一个字节的就是 uint8

import torch

DTYPES = {1: torch.uint8, 2: torch.float16, 4: torch.float32, 8: torch.float64}


def to_layout(kv, order):
    moved = kv.permute(["LBHNC".index(axis) for axis in order])
    return torch.empty(moved.shape, dtype=DTYPES[kv.element_size()]).copy_(moved)


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    plan = []
    for token in range(num_tokens):
        src = src_table[token // src_block_size] * src_block_size + token % src_block_size
        dst = dst_table[token // dst_block_size] * dst_block_size + token % dst_block_size
        if plan and (src, dst) == (plan[-1][0] + plan[-1][2], plan[-1][1] + plan[-1][2]):
            plan[-1] = (*plan[-1][:2], plan[-1][2] + 1)
        else:
            plan.append((src, dst, 1))
    return plan
