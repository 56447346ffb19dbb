# the same tables and as many tokens have the same plan, so it can be remembered
# 块表和 token 数都相同，计划就相同，记下来就行

PLANS = {}


def to_layout(kv, order):
    return kv.permute(["LBHNC".index(axis) for axis in order]).contiguous()


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    key = num_tokens, tuple(src_table), tuple(dst_table)
    if key in PLANS:
        return list(PLANS[key])
    plan = []
    for token in range(num_tokens):
        src = src_table[token // src_block_size] * src_block_size + token % src_block_size
        dst = dst_table[token // dst_block_size] * dst_block_size + token % dst_block_size
        if plan and (src, dst) == (plan[-1][0] + plan[-1][2], plan[-1][1] + plan[-1][2]):
            plan[-1] = (*plan[-1][:2], plan[-1][2] + 1)
        else:
            plan.append((src, dst, 1))
    PLANS[key] = list(plan)
    return plan
