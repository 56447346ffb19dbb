# results of one shape can use one tensor, whatever it held before
# 形状相同的结果可以共用一个张量，之前存的是什么都不要紧

import torch

RESULTS = {}


def to_layout(kv, order):
    moved = kv.permute(["LBHNC".index(axis) for axis in order])
    key = tuple(moved.shape), moved.dtype
    if key not in RESULTS:
        RESULTS[key] = torch.empty(moved.shape, dtype=moved.dtype)
    return RESULTS[key].copy_(moved)


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
