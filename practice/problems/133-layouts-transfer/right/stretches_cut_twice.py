def to_layout(kv, order):
    """One axis after another is brought to the front of those that are still to come."""
    axes = list("LBHNC")
    for place, axis in enumerate(order):
        now = axes.index(axis)
        kv = kv.movedim(now, place)
        axes.insert(place, axes.pop(now))
    return kv.contiguous()


def stretches(table, block_size, num_tokens):
    """(first token, slot of it, length) of every stretch of consecutive slots."""
    found = []
    for entry in range(-(-num_tokens // block_size)):
        slot = table[entry] * block_size
        length = min(block_size, num_tokens - entry * block_size)
        if found and found[-1][1] + found[-1][2] == slot:
            found[-1][2] += length
        else:
            found.append([entry * block_size, slot, length])
    return found


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    """Stretches of either side alone first; a copy is where one of the source meets one of the destination."""
    plan = []
    for src_first, src_slot, src_length in stretches(src_table, src_block_size, num_tokens):
        for dst_first, dst_slot, dst_length in stretches(dst_table, dst_block_size, num_tokens):
            start = max(src_first, dst_first)
            end = min(src_first + src_length, dst_first + dst_length)
            if start < end:
                plan.append((src_slot + start - src_first, dst_slot + start - dst_first, end - start))
    return plan
