from bisect import bisect_right
from itertools import pairwise


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
    """Stretches of either side alone first; tokens are copied together from one cut of either side to the next."""
    src = stretches(src_table, src_block_size, num_tokens)
    dst = stretches(dst_table, dst_block_size, num_tokens)
    cuts = sorted({first for first, _, _ in [*src, *dst]} | {num_tokens})
    return [(slot_of(src, start), slot_of(dst, start), end - start) for start, end in pairwise(cuts)]


def slot_of(found, token):
    first, slot, _ = found[bisect_right(found, token, key=lambda stretch: stretch[0]) - 1]
    return slot + token - first
