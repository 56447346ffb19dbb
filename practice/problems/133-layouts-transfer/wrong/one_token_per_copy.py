# every token is a copy of its own
# 每个 token 各是一次复制


def to_layout(kv, order):
    return kv.permute(["LBHNC".index(axis) for axis in order]).contiguous()


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    return [
        (
            src_table[token // src_block_size] * src_block_size + token % src_block_size,
            dst_table[token // dst_block_size] * dst_block_size + token % dst_block_size,
            1,
        )
        for token in range(num_tokens)
    ]
