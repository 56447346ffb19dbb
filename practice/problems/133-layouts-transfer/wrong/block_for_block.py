# entry i of the source table belongs to entry i of the destination table
# 源端块表的第 i 项，对应目的端块表的第 i 项


def to_layout(kv, order):
    return kv.permute(["LBHNC".index(axis) for axis in order]).contiguous()


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    plan = []
    done = 0
    length = min(src_block_size, dst_block_size)
    for src_block, dst_block in zip(src_table, dst_table, strict=False):
        if done >= num_tokens:
            break
        src, dst = src_block * src_block_size, dst_block * dst_block_size
        moved = min(length, num_tokens - done)
        if plan and plan[-1][0] + plan[-1][2] == src and plan[-1][1] + plan[-1][2] == dst:
            plan[-1] = (plan[-1][0], plan[-1][1], plan[-1][2] + moved)
        else:
            plan.append((src, dst, moved))
        done += moved
    return plan
