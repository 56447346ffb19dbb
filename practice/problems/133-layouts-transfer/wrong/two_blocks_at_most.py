# a copy goes on if this block follows the block in which the copy begins
# 这一块紧跟在这次复制开头的那一块后面，才接得上


def to_layout(kv, order):
    return kv.permute(["LBHNC".index(axis) for axis in order]).contiguous()


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    plan = []
    done = last = 0
    while done < num_tokens:
        src_room = src_block_size - done % src_block_size
        dst_room = dst_block_size - done % dst_block_size
        length = min(src_room, dst_room, num_tokens - done)
        src = src_table[done // src_block_size] * src_block_size + done % src_block_size
        dst = dst_table[done // dst_block_size] * dst_block_size + done % dst_block_size
        if plan and src == plan[-1][0] + last and dst == plan[-1][1] + last:
            plan[-1] = (plan[-1][0], plan[-1][1], plan[-1][2] + length)
        else:
            plan.append((src, dst, length))
        done += length
        last = length
    return plan
