# copies that fit together are joined, even if their tokens do not follow one another
# 能拼在一起的复制就合并，哪怕它们的 token 不是一先一后


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
        for i, (first_src, first_dst, before) in enumerate(plan):
            if (src, dst) == (first_src + before, first_dst + before):
                plan[i] = (first_src, first_dst, before + length)
                break
            if (src + length, dst + length) == (first_src, first_dst):
                plan[i] = (src, dst, before + length)
                break
        else:
            plan.append((src, dst, length))
        done += length
    return plan
