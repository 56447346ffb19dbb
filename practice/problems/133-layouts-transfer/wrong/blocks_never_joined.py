# a copy ends wherever a block ends on one of the two sides
# 任何一边的块到头了，这次复制就得结束


def to_layout(kv, order):
    return kv.permute(["LBHNC".index(axis) for axis in order]).contiguous()


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    plan = []
    done = 0
    while done < num_tokens:
        src_room = src_block_size - done % src_block_size
        dst_room = dst_block_size - done % dst_block_size
        length = min(src_room, dst_room, num_tokens - done)
        src = src_table[done // src_block_size] * src_block_size + done % src_block_size
        dst = dst_table[done // dst_block_size] * dst_block_size + done % dst_block_size
        plan.append((src, dst, length))
        done += length
    return plan
