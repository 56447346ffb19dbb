# a function can call itself for each copy, however many there are
# 每次复制都可以递归调用一次，有多少次都行


def to_layout(kv, order):
    return kv.permute(["LBHNC".index(axis) for axis in order]).contiguous()


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    def slots(token):
        src = src_table[token // src_block_size] * src_block_size + token % src_block_size
        return src, dst_table[token // dst_block_size] * dst_block_size + token % dst_block_size

    def rest(token):
        if token == num_tokens:
            return []
        (src, dst), length = slots(token), 1
        while token + length < num_tokens and slots(token + length) == (src + length, dst + length):
            length += 1
        return [(src, dst, length), *rest(token + length)]

    return rest(0)
