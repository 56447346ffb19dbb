# a copy is complete when the next one begins
# 下一次复制开始了，前一次才算完成


def to_layout(kv, order):
    return kv.permute(["LBHNC".index(axis) for axis in order]).contiguous()


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    plan = []
    start, length = None, 0
    for token in range(num_tokens):
        src = src_table[token // src_block_size] * src_block_size + token % src_block_size
        dst = dst_table[token // dst_block_size] * dst_block_size + token % dst_block_size
        if start is not None and (src, dst) == (start[0] + length, start[1] + length):
            length += 1
            continue
        if start is not None:
            plan.append((*start, length))
        start, length = (src, dst), 1
    return plan
