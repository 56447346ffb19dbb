from itertools import product


def to_layout(kv, order):
    sizes = dict(zip("LBHNC", kv.shape, strict=True))
    moved = kv.new_empty([sizes[axis] for axis in order])
    for layer, block in product(range(sizes["L"]), range(sizes["B"])):
        target, rest = moved, order
        for axis, place in (("L", layer), ("B", block)):
            target = target.select(rest.index(axis), place)
            rest = rest.replace(axis, "")
        target.copy_(kv[layer, block].permute(["HNC".index(axis) for axis in rest]))
    return moved


class Walk:
    """Goes through the slots of a table; knows how many may be taken before it leaps."""

    def __init__(self, table, block_size):
        self.blocks = list(table)
        self.size = block_size
        self.slot = self.room = 0
        self.next_block()

    def next_block(self):
        """Opens the next blocks, as many as lie side by side."""
        if self.blocks:
            self.slot = self.blocks[0] * self.size
        end = self.slot
        while self.blocks and self.blocks[0] * self.size == end:
            self.blocks.pop(0)
            end += self.size
        self.room = end - self.slot

    def take(self, n):
        self.slot += n
        self.room -= n
        if self.room == 0:
            self.next_block()


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    src, dst = Walk(src_table, src_block_size), Walk(dst_table, dst_block_size)
    plan = []
    while num_tokens > 0:
        length = min(src.room, dst.room, num_tokens)
        plan.append((src.slot, dst.slot, length))
        src.take(length)
        dst.take(length)
        num_tokens -= length
    return plan
