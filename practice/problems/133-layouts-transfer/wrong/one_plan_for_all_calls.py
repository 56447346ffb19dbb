# one list can be emptied and filled again at every call
# 每次调用都可以清空同一个列表，重新填

PLAN = []


def to_layout(kv, order):
    return kv.permute(["LBHNC".index(axis) for axis in order]).contiguous()


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    plan = PLAN
    plan.clear()
    for token in range(num_tokens):
        src = src_table[token // src_block_size] * src_block_size + token % src_block_size
        dst = dst_table[token // dst_block_size] * dst_block_size + token % dst_block_size
        if plan and (src, dst) == (plan[-1][0] + plan[-1][2], plan[-1][1] + plan[-1][2]):
            plan[-1] = (*plan[-1][:2], plan[-1][2] + 1)
        else:
            plan.append((src, dst, 1))
    return plan
