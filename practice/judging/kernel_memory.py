"""Memory as a kernel sees it: what it may touch, and what is said about the rest.

Learner's side, with torch and numpy. Triton's interpreter runs one program after the other, so of two that store into
one element the last one wins there, always; on a GPU nobody knows which one does. That is a fault where they store
different values; the same value twice is only waste. Nor does anybody know whether a program finds what another one of
the same launch stores. Atomics are made for all this: they are no fault, and who has used one may have waited.
"""

import contextlib
import math

import numpy as np
import torch
from kernel_input import MemoryFault

FAR = 1 << 33  # bytes from an input: nobody wants to know how many elements that is


class Stores:
    """What the programs of one launch have stored so far, element by element."""

    def __init__(self):
        self.known = {}  # address -> (program, number of the store, bits)
        self.count, self.waited = 0, set()  # waited: programs that have used an atomic

    def clash(self, addresses, values, program):
        """Note that `program` stores `values`, [n], at `addresses`, [n]. The first address where other bits were stored
        already, by another program or by the same store; None where there is none."""
        self.count += 1
        values = np.ascontiguousarray(values)
        for address, bits in zip(addresses.tolist(), values.view(f"u{values.itemsize}").tolist(), strict=True):
            who, when, what = self.known.get(address, (program, 0, bits))
            if what != bits and (who != program or when == self.count):
                return address
            self.known[address] = (program, self.count, bits)
        return None

    def others(self, addresses, program):
        """The first of `addresses` that another program has stored into; None where there is none."""
        if program in self.waited:
            return None
        return next((at for at in addresses.tolist() if self.known.get(at, (program,))[0] != program), None)


class Memory:
    """All that a kernel may touch: the inputs of a run, and the tensors that the answer made and gave to a launch."""

    def __init__(self):
        self.inputs, self.own, self.fault = [], [], None
        self.bytes_of_copies, self.bytes_stored, self.launches = 0, 0, 0  # bytes read from `own`, and stored there
        self.storages, self.stores = [], Stores()  # storages: of `own`, each with its name
        self.stored = set()  # where those of `own` begin that this launch has stored into

    def register(self, tensors):
        """A launch begins. tensors: what it is given, by name; those in an input's memory are that input."""
        self.own, self.storages, self.stores, self.stored = [], [], Stores(), set()
        self.launches += 1
        for name, tensor in tensors:
            storage = tensor.untyped_storage()
            begin = storage.data_ptr()
            if not any(known.begin <= begin < known.end for known in self.inputs):
                self.own.append((begin, begin + storage.nbytes(), tensor.element_size(), name))
                self.storages.append((name, storage))

    def veiled(self, value):
        """Whether this is a tensor in an input that holds something else until a kernel starts."""
        if not isinstance(value, torch.Tensor) or value.layout is not torch.strided:
            return False
        at = value.untyped_storage().data_ptr()
        return any(known.veiled and known.begin <= at < known.end for known in self.inputs)

    def load(self, pointers, mask, program=None):
        """Note a load of a program. Raises MemoryFault for what must not be touched."""
        with self.kept():
            addresses = active(pointers, mask)
            self.touch(addresses, writes=False, program=(self.launches, program))
            for begin, end, _, _ in self.own:
                if begin in self.stored:
                    inside = addresses[(begin <= addresses) & (addresses < end)]
                    if (at := self.stores.others(inside, program)) is not None:
                        raise MemoryFault(
                            f"a program reads {self.place(at)}, into which another one of the same launch stores: "
                            "on a GPU nobody knows which comes first"
                        )

    def store(self, pointers, mask, values, program):
        """Note a store of a program, or an atomic where `values` is None; see Stores. Raises MemoryFault."""
        with self.kept():
            addresses = active(pointers, mask)
            self.touch(addresses, writes=True)
            if values is None:
                self.stores.waited.add(program)
                return
            clash = self.stores.clash(addresses, values[on(mask, values)], program)
            if clash is not None:
                raise MemoryFault(
                    f"two programs, or two lanes of one, write different values into {self.place(clash)}: "
                    "on a GPU nobody knows which one stays"
                )

    @contextlib.contextmanager
    def kept(self):
        """A fault, or whatever else a launch raises, is kept: an answer that catches it is told all the same."""
        try:
            yield
        except Exception as error:
            self.fault = self.fault or error
            raise

    def touch(self, left, writes, program=None):
        """Look where addresses lie. Raises MemoryFault for what must not be touched."""
        for known in self.inputs:
            inside = (known.begin <= left) & (left < known.end)
            if inside.any():
                inside[inside] = known.touch(left[inside], writes, program)
                left = left[~inside]
        for begin, end, size, _ in self.own:
            inside = (begin <= left) & (left < end)
            if writes:
                self.bytes_stored += int(inside.sum()) * size
                self.stored |= {begin} if inside.any() else set()
            else:
                self.bytes_of_copies += int(inside.sum()) * size
            left = left[~inside]
        if left.size:
            raise MemoryFault(self.outside(left, "writes" if writes else "reads"))

    def place(self, address):
        """What to call the element at an address: an input's by its index."""
        for known in self.inputs:
            if known.begin <= address < known.end:
                return f"{known.name}{known.index(address)}"
        begin, _, size, name = next(own for own in self.own if own[0] <= address < own[1])
        return f"element {(address - begin) // size} of {name}"

    def outside(self, addresses, verb):
        """What to say about addresses that belong to nothing: where they are, seen from the nearest tensor."""
        address = int(addresses[0])
        words = f"{verb} {len(addresses)} elements outside of every tensor"
        known = [*self.own, *((known.begin, known.end, known.size, known.name) for known in self.inputs)]
        near = [place for place in known if place[0] - FAR < address < place[1] + FAR]
        if not near:
            return words
        begin, end, size, name = min(near, key=lambda place: max(place[0] - address, address - place[1]))
        if address < begin:
            return f"{words}, the first {math.ceil((begin - address) / size)} before {name}"
        if address >= end:
            return f"{words}, the first {(address - end) // size + 1} past the end of {name}"
        return f"{words}, in the room between elements of {name}"


def on(mask, values):
    """A mask, or True, as one bool for each of `values`."""
    return np.broadcast_to(np.asarray(mask, bool), np.shape(values))


def active(pointers, mask):
    """The addresses where the mask is on, [n] int64."""
    pointers = np.asarray(pointers)
    return pointers[on(mask, pointers)].astype(np.int64)
