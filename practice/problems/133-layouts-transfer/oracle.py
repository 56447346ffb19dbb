"""What 133 asks for, the slow way: element by element, and token by token."""

from itertools import product

import numpy as np

LOGICAL = "LBHNC"


class Laid:
    """What to_layout returns: the methods of a tensor that the tests use, on an array."""

    def __init__(self, array):
        self.array = array

    def contiguous(self):
        return self.array

    def is_contiguous(self):
        return self.array.flags.c_contiguous

    def permute(self, *axes):
        return Laid(self.array.transpose(axes))


def to_layout(kv, order):
    kv = kv.array if isinstance(kv, Laid) else kv
    sizes = dict(zip(LOGICAL, kv.shape, strict=True))
    moved = np.empty([sizes[axis] for axis in order], kv.dtype)
    for index in product(*map(range, kv.shape)):
        place = dict(zip(LOGICAL, index, strict=True))
        moved[tuple(place[axis] for axis in order)] = kv[index]
    return Laid(moved)


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    src, dst = _slots(src_table, src_block_size), _slots(dst_table, dst_block_size)
    plan = []
    for token in range(num_tokens):
        goes_on = token and (src[token], dst[token]) == (src[token - 1] + 1, dst[token - 1] + 1)
        if goes_on:
            plan[-1][2] += 1
        else:
            plan.append([src[token], dst[token], 1])
    return [tuple(copy) for copy in plan]


def _slots(table, block_size):
    """All slots of a table, in the order of the positions."""
    return [block * block_size + offset for block in table for offset in range(block_size)]
