# entries that the tokens do not need can be cut off the tables themselves
# token 用不到的项，可以直接从传进来的块表里删掉


def to_layout(kv, order):
    return kv.permute(["LBHNC".index(axis) for axis in order]).contiguous()


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    del src_table[-(-num_tokens // src_block_size) :]
    del dst_table[-(-num_tokens // dst_block_size) :]
    plan = []
    done = 0
    while done < num_tokens:
        src_room = src_block_size - done % src_block_size
        dst_room = dst_block_size - done % dst_block_size
        length = min(src_room, dst_room, num_tokens - done)
        src = src_table[done // src_block_size] * src_block_size + done % src_block_size
        dst = dst_table[done // dst_block_size] * dst_block_size + done % dst_block_size
        if plan and plan[-1][0] + plan[-1][2] == src and plan[-1][1] + plan[-1][2] == dst:
            plan[-1] = (plan[-1][0], plan[-1][1], plan[-1][2] + length)
        else:
            plan.append((src, dst, length))
        done += length
    return plan
