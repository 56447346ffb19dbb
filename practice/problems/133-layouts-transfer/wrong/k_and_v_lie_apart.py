# all of K comes before all of V
# 内存里先是全部的 K，再是全部的 V

import torch


def to_layout(kv, order):
    moved = kv.permute(["LBHNC".index(axis) for axis in order])
    half = kv.shape[4] // 2
    k, v = kv[..., :half], kv[..., half:]
    axes = ["LBHNC".index(axis) for axis in order]
    return torch.cat([k.permute(axes).flatten(), v.permute(axes).flatten()]).reshape(moved.shape)


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    plan = []
    done = 0
    while done < num_tokens:
        src_room = src_block_size - done % src_block_size
        dst_room = dst_block_size - done % dst_block_size
        length = min(src_room, dst_room, num_tokens - done)
        src = src_table[done // src_block_size] * src_block_size + done % src_block_size
        dst = dst_table[done // dst_block_size] * dst_block_size + done % dst_block_size
        if plan and plan[-1][0] + plan[-1][2] == src and plan[-1][1] + plan[-1][2] == dst:
            plan[-1] = (plan[-1][0], plan[-1][1], plan[-1][2] + length)
        else:
            plan.append((src, dst, length))
        done += length
    return plan
