# blocks side by side make one copy, whichever of the two comes first
# 两块挨着就能并成一次复制，不管哪块在前


def to_layout(kv, order):
    return kv.permute(["LBHNC".index(axis) for axis in order]).contiguous()


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    def goes_on(start, slot):
        return abs(slot - start) == plan[-1][2]

    plan = []
    done = 0
    while done < num_tokens:
        src_room = src_block_size - done % src_block_size
        dst_room = dst_block_size - done % dst_block_size
        length = min(src_room, dst_room, num_tokens - done)
        src = src_table[done // src_block_size] * src_block_size + done % src_block_size
        dst = dst_table[done // dst_block_size] * dst_block_size + done % dst_block_size
        if plan and goes_on(plan[-1][0], src) and goes_on(plan[-1][1], dst):
            plan[-1] = (plan[-1][0], plan[-1][1], plan[-1][2] + length)
        else:
            plan.append((src, dst, length))
        done += length
    return plan
