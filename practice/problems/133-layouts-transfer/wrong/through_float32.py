# float32 holds every number of a cache, so it can be the type on the way
# float32 装得下缓存里的任何数，中间可以用它


def to_layout(kv, order):
    return kv.float().permute(["LBHNC".index(axis) for axis in order]).contiguous().to(kv.dtype)


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
