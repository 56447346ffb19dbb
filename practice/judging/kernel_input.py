"""An input of a kernel as it lies in memory: which addresses are elements, whose they are, and how often each is read.

Learner's side, with torch and numpy. An `Input` lies as its problem says: any strides but the last, blocks with room
between them, or a few blocks of a huge cache of which nothing else is ever touched. What it holds while a kernel runs
need not be what it holds before: see kernel_interpret.py. Where kernels may write into it, what they leave there is
kept apart, for the next kernel and for the judge.
"""

import gc
import mmap
from collections import Counter

import numpy as np
import torch

HOLE, ELEMENT = 0, 1  # ELEMENT + n: an element that n requests own
WRAPS = 1 << 31  # elements: an offset that is kept in 32 bits comes out as far below a tensor as this
NORESERVE = 0x4000  # Linux's MAP_NORESERVE, which Python's mmap names from 3.13 on
BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


class MemoryFault(Exception):
    """A kernel touches what is not its own; the text says what, how much of it, and where."""


def room_for(count, dtype):
    """[count] of dtype, not filled. Before one of more than 2^31 elements lies so much room that a wrapped offset meets
    nobody, and is nearest to this tensor, wherever others are; what is never touched takes no memory, but addresses."""
    if count <= WRAPS:
        return torch.empty(count, dtype=dtype)
    before, whole = 2 * WRAPS * dtype.itemsize, (2 * WRAPS + count) * dtype.itemsize
    try:
        pages = addresses(whole)
    except OSError:  # the rooms of earlier runs go when the errors that were raised there do
        gc.collect()
        pages = addresses(whole)
    return torch.frombuffer(pages, dtype=dtype, count=count, offset=before)


def addresses(size):
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NORESERVE)


class Input:
    """A tensor that an answer is given.

    values: what is in it while a kernel runs, [num_listed, ...]. layout: {"shape", "strides", "fill", "at"}: strides in
    elements, what lies in the room between elements, and which entries of the first axis `values` lists (the others
    are never touched, so they cost no memory). owned: how many requests own each element, shaped like `values`; what
    nobody owns may not be read. before: what is in it until a kernel starts, and after that. writable: which elements
    kernels may write, shaped like `values`; without it, none. earlier: an input that is needed no more; where it was of
    the same kind, its memory is used again.
    """

    def __init__(self, name, values, layout=None, owned=None, before=None, writable=None, *, earlier=None):
        layout = layout or {}
        shape = tuple(layout.get("shape", values.shape))
        strides = tuple(layout.get("strides", values.stride()))
        self.at = torch.tensor(layout.get("at", range(shape[0])), dtype=torch.int64)
        self.name, self.values, self.before = name, values, values if before is None else before
        self.veiled = before is not None
        self.step = strides[0] or 1  # from one entry of the first axis to the next
        count = shape[0] * self.step
        again = earlier and (len(earlier.storage), earlier.storage.dtype) == (count, values.dtype)
        self.storage = storage = earlier.storage if again else room_for(count, values.dtype)
        storage.view(-1, self.step)[self.at] = layout.get("fill", 0)
        self.elements = storage.as_strided(shape, strides)
        self.size = values.element_size()
        self.begin = storage.data_ptr()
        self.end = self.begin + storage.numel() * self.size
        self.inner = (self.step, *strides[1:])  # strides within what is kept about each listed entry
        self.codes = self.about(ELEMENT + (torch.tensor(1) if owned is None else owned))
        self.may = self.about(torch.tensor(False) if writable is None else writable).astype(bool)
        self.least = 0 if owned is None else int(owned.sum()) * self.size
        self.held = values.clone()  # what it holds while a kernel runs
        self.put(self.before)
        self.forget()

    def about(self, elements):
        """[num_listed, step] uint8: a number for each element, 0 for the room between them."""
        whole = torch.zeros(len(self.at), self.step, dtype=torch.uint8)
        whole.as_strided(self.values.shape, self.inner).copy_(elements)
        return whole.numpy()

    @property
    def tensor(self):
        """The tensor that an answer is given: another one each time, as one can make a tensor look elsewhere."""
        return self.elements.view(self.elements.shape)

    def forget(self):
        """Nothing has been read or written."""
        self.bytes_of_copies, self.bytes_stored, self.bytes_written, self.called = 0, 0, 0, False
        self.readers = Counter()  # bytes that each program has read
        self.seen, self.stored = np.zeros(self.codes.shape, bool), np.zeros(self.codes.shape, bool)

    def put(self, values):
        self.elements[self.at] = values

    def holds(self, values):
        """Whether these are its contents, to the bit."""
        return not self.differs(values).any()

    def differs(self, values):
        """Which elements hold something else than `values`, to the bit."""
        bits = BITS[self.size]
        return self.elements[self.at].contiguous().view(bits) != values.contiguous().view(bits)

    def take(self):
        """Keep what a kernel has left. Raises MemoryFault for an element that changed and that it did not store."""
        stored = torch.from_numpy(self.stored).as_strided(self.values.shape, self.inner)
        strange = (self.differs(self.held) & ~stored).nonzero()
        if len(strange):
            where = [int(self.at[strange[0, 0]]), *strange[0, 1:].tolist()]
            raise MemoryFault(
                f"{len(strange)} elements of {self.name} changed without a store of the kernel, the first is "
                f"{self.name}{where}"
            )
        self.held = self.elements[self.at].clone()

    @property
    def read(self):
        """Bytes read in the last call ÷ bytes that must be read, counting an element once for each of its owners."""
        return round(self.readers.total() / self.least, 3) if self.called else None

    @property
    def copies(self):
        """Bytes that kernels read in the last call from tensors of the answer's own, ÷ bytes that must be read."""
        return round(self.bytes_of_copies / self.least, 3) if self.called and self.least else None

    @property
    def kept(self):
        """Bytes that kernels stored in the last call in tensors of the answer's own, beside the result, ÷ bytes that
        must be read."""
        return round(self.bytes_stored / self.least, 3) if self.called and self.least else None

    @property
    def unread(self):
        """How many elements have an owner and were not read in the last call."""
        return int(((self.codes > ELEMENT) & ~self.seen).sum()) if self.called else None

    @property
    def programs(self):
        """How many programs have read of it in the last call."""
        return len(self.readers) if self.called else None

    @property
    def busiest(self):
        """What the program that has read most of it in the last call has read ÷ the average of those that read it."""
        if not self.called or not self.readers.total():
            return None
        return round(max(self.readers.values()) * len(self.readers) / self.readers.total(), 3)

    @property
    def after(self):
        """What kernels have left in it."""
        return self.held

    @property
    def wrote(self):
        """Bytes written in the last call ÷ bytes that may be written."""
        return round(self.bytes_written / (max(1, int(self.may.sum())) * self.size), 3) if self.called else None

    def touch(self, addresses, writes, program=None):
        """Which of `addresses`, all within the storage, are elements. Raises MemoryFault for what must be let be.
        program: which one of all launches touches them."""
        if writes and not self.may.any():
            raise MemoryFault(f"writes {len(addresses)} elements into {self.name}, an input")
        offset, within = np.divmod(addresses - self.begin, self.size)
        entry, place = np.divmod(offset, self.step)
        row = np.minimum(np.searchsorted(self.at.numpy(), entry), len(self.at) - 1)
        code = np.where(within == 0, self.codes[row, place], HOLE)
        listed = self.at.numpy()[row] == entry
        code = np.where(listed, code, np.minimum(code, ELEMENT))  # unlisted, so not owned
        element = code > HOLE
        foreign = element & ~(listed & self.may[row, place]) if writes else (code == ELEMENT) & (self.least > 0)
        if foreign.any():
            done = (
                "writes {} elements of {} that are not to be written"
                if writes
                else "reads {} elements of {} that no request owns"
            )
            first = self.index(int(addresses[np.flatnonzero(foreign)[0]]))
            raise MemoryFault(f"{done.format(foreign.sum(), self.name)}, the first is {self.name}{first}")
        if writes:
            self.bytes_written += int(element.sum()) * self.size
            self.stored[row[element], place[element]] = True
        else:
            self.readers[program] += int(element.sum()) * self.size
            self.seen[row[element], place[element]] = True
        return element

    def index(self, address):
        """The index of the element at an address."""
        entry, place = divmod((address - self.begin) // self.size, self.step)
        found = {0: entry}
        for axis in sorted(range(1, self.elements.dim()), key=lambda axis: -self.elements.stride(axis)):
            found[axis], place = divmod(place, self.elements.stride(axis) or 1)
        return [found[axis] for axis in range(self.elements.dim())]
