"""Memory as a kernel sees it: which addresses are elements of which input, whose they are, and how often they are read.

Learner's side, with torch and numpy. An `Input` lies in memory as its problem says: any strides but the last, blocks
with room between them, or a few blocks of a huge cache of which nothing else is ever touched. What it holds while a
kernel runs need not be what it holds before: see kernel_interpret.py.
"""

import math

import numpy as np
import torch

HOLE, ELEMENT = 0, 1  # ELEMENT + n: an element that n requests own
FAR = 1 << 33  # bytes from an input: nobody wants to know how many elements that is
BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


class MemoryFault(Exception):
    """A kernel touches what is not its own; the text says what, how much of it, and where."""


class Input:
    """A tensor that an answer is given.

    values: what is in it while a kernel runs, [num_listed, ...]. layout: {"shape", "strides", "fill", "at"}: strides in
    elements, what lies in the room between elements, and which entries of the first axis `values` lists (the others
    are never touched, so they cost no memory). owned: how many requests own each element, shaped like `values`; what
    nobody owns may not be read. before: what is in it until a kernel starts, and after that. earlier: an input that
    is needed no more; where it was of the same kind, its memory is used again.
    """

    def __init__(self, name, values, layout=None, owned=None, before=None, earlier=None):
        layout = layout or {}
        shape = tuple(layout.get("shape", values.shape))
        strides = tuple(layout.get("strides", values.stride()))
        self.at = torch.tensor(layout.get("at", range(shape[0])), dtype=torch.int64)
        self.name, self.values, self.before = name, values, values if before is None else before
        self.step = strides[0] or 1  # from one entry of the first axis to the next
        storage = torch.empty(shape[0] * self.step, dtype=values.dtype)
        if earlier and (earlier.storage.shape, earlier.storage.dtype) == (storage.shape, storage.dtype):
            storage = earlier.storage
        self.storage = storage
        storage.view(-1, self.step)[self.at] = layout.get("fill", 0)
        self.tensor = storage.as_strided(shape, strides)
        self.size = values.element_size()
        self.begin = storage.data_ptr()
        self.end = self.begin + storage.numel() * self.size
        codes = torch.zeros(len(self.at), self.step, dtype=torch.uint8)
        inner = codes.as_strided(values.shape, (self.step, *strides[1:]))
        inner.copy_(ELEMENT + (torch.ones_like(inner) if owned is None else owned))
        self.codes = codes.numpy()
        self.least = 0 if owned is None else int(owned.sum()) * self.size
        self.put(self.before)
        self.forget()

    def forget(self):
        """Nothing has been read."""
        self.bytes_read, self.bytes_of_copies, self.called = 0, 0, False
        self.seen = np.zeros(self.codes.shape, bool)

    def put(self, values):
        self.tensor[self.at] = values

    def holds(self, values):
        """Whether these are its contents, to the bit."""
        bits = BITS[self.size]
        return torch.equal(self.tensor[self.at].contiguous().view(bits), values.contiguous().view(bits))

    @property
    def read(self):
        """Bytes read in the last call ÷ bytes that must be read, counting an element once for each of its owners."""
        return round(self.bytes_read / self.least, 3) if self.called else None

    @property
    def copies(self):
        """Bytes that kernels read in the last call from tensors of the answer's own, ÷ bytes that must be read."""
        return round(self.bytes_of_copies / self.least, 3) if self.called and self.least else None

    @property
    def unread(self):
        """How many elements have an owner and were not read in the last call."""
        return int(((self.codes > ELEMENT) & ~self.seen).sum()) if self.called else None

    def touch(self, addresses, writes):
        """Which of `addresses`, all within the storage, are elements. Raises MemoryFault for what must be let be."""
        if writes:
            raise MemoryFault(f"writes {len(addresses)} elements into {self.name}, an input")
        offset, within = np.divmod(addresses - self.begin, self.size)
        entry, place = np.divmod(offset, self.step)
        row = np.minimum(np.searchsorted(self.at.numpy(), entry), len(self.at) - 1)
        code = np.where(within == 0, self.codes[row, place], HOLE)
        code = np.where(self.at.numpy()[row] == entry, code, np.minimum(code, ELEMENT))  # unlisted, so not owned
        if self.least and (code == ELEMENT).any():
            first = np.flatnonzero(code == ELEMENT)[0]
            where = self.index(int(entry[first]), int(place[first]))
            raise MemoryFault(
                f"reads {(code == ELEMENT).sum()} elements of {self.name} that no request owns, the first is "
                f"{self.name}{where}"
            )
        self.bytes_read += int((code > HOLE).sum()) * self.size
        self.seen[row[code > HOLE], place[code > HOLE]] = True
        return code > HOLE

    def index(self, entry, place):
        """The index of the element at `place` within `entry` of the first axis."""
        found = {0: entry}
        for axis in sorted(range(1, self.tensor.dim()), key=lambda axis: -self.tensor.stride(axis)):
            found[axis], place = divmod(place, self.tensor.stride(axis) or 1)
        return [found[axis] for axis in range(self.tensor.dim())]


class Memory:
    """All that a kernel may touch: the inputs of a run, and the tensors that the answer made and gave to a launch."""

    def __init__(self):
        self.inputs, self.own, self.fault = [], [], None
        self.bytes_of_copies = 0  # read from `own`

    def register(self, tensors):
        """Tensors given to a launch; those that lie in an input's memory are that input."""
        self.own = []
        for tensor in tensors:
            storage = tensor.untyped_storage()
            begin = storage.data_ptr()
            if not any(known.begin <= begin < known.end for known in self.inputs):
                self.own.append((begin, begin + storage.nbytes(), tensor.element_size()))

    def touch(self, pointers, mask, writes):
        """Note an access. Raises MemoryFault, and keeps it: an answer that catches it is told all the same."""
        pointers = np.asarray(pointers)
        left = pointers[np.broadcast_to(np.asarray(mask, bool), pointers.shape)].astype(np.int64)
        try:
            for known in self.inputs:
                inside = (known.begin <= left) & (left < known.end)
                if inside.any():
                    inside[inside] = known.touch(left[inside], writes)
                    left = left[~inside]
            for begin, end, size in self.own:
                inside = (begin <= left) & (left < end)
                self.bytes_of_copies += 0 if writes else int(inside.sum()) * size
                left = left[~inside]
            if left.size:
                raise MemoryFault(self.outside(left, "writes" if writes else "reads"))
        except MemoryFault as fault:
            self.fault = self.fault or fault
            raise

    def outside(self, addresses, verb):
        """What to say about addresses that belong to nothing: where they are, seen from the nearest input."""
        address = int(addresses[0])
        words = f"{verb} {len(addresses)} elements outside of every tensor"
        near = [known for known in self.inputs if known.begin - FAR < address < known.end + FAR]
        if not near:
            return words
        nearest = min(near, key=lambda known: max(known.begin - address, address - known.end))
        if address < nearest.begin:
            return f"{words}, the first {math.ceil((nearest.begin - address) / nearest.size)} before {nearest.name}"
        if address >= nearest.end:
            return f"{words}, the first {(address - nearest.end) // nearest.size + 1} past the end of {nearest.name}"
        return f"{words}, in the room between elements of {nearest.name}"
