"""The answer's own tensors: what kernels store into them is out of sight until the call has returned.

Learner's side. While a GPU works, its host knows nothing of what comes out; and what torch computes from a kernel's
results is work that the kernel has not done. So when a launch ends, what its kernel stored is kept here, and noise lies
in its place: NaN, or huge integers, whatever the dtype. The next launch on that memory finds everything again, and so
does the judge. A wrapper may make tensors, look at them in another shape, hand them on and fill them with one value.
Whatever else torch is asked to do with them is refused by name; who goes round torch sees noise.
"""

import contextlib
import ctypes

import numpy as np
import torch
from kernel_input import MemoryFault
from kernel_torch import computes, name_of
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

PUTS = {"fill_", "zero_", "copy_"}  # what they write into is only written
HANDS_OUT = {"numpy", "tolist", "item", "__array__", "__dlpack__", "__repr__", "__format__"}
HANDS_OUT |= {"__bool__", "__int__", "__float__"}
NOISE = 0x7FF8, 0x8000  # 16 bits of NaN in each floating dtype of 16 bits or more


class HostRead(MemoryFault):
    """The wrapper works on what a kernel has stored; the text says by what, and on what."""


class Hidden:
    """A storage of the answer's own into which kernels have stored. held: its bytes, [n] uint8, as kernels know them.
    noise: what lies there while no kernel runs."""

    def __init__(self, name, storage):
        self.name, self.storage, self.held = name, storage, None

    def hide(self):
        seen = bytes_of(self.storage)
        self.held = seen.copy()
        words = np.random.default_rng().integers(*NOISE, (len(seen) + 1) // 2, dtype=np.uint16)
        self.noise = words.view(np.uint8)[: len(seen)]
        seen[:] = self.noise

    def show(self):
        self.check()
        bytes_of(self.storage)[:] = self.held

    def check(self):
        """Raises MemoryFault where something else lies in place of the noise."""
        if not np.array_equal(bytes_of(self.storage), self.noise):
            raise MemoryFault(f"{self.name}, into which a kernel has stored, was changed outside of a kernel")

    def twin(self, tensor):
        """A tensor on what is held, as `tensor` is one on the storage."""
        held = torch.from_numpy(self.held).untyped_storage()
        shape, strides = tensor.size(), tensor.stride()
        return torch.empty(0, dtype=tensor.dtype).set_(held, tensor.storage_offset(), shape, strides)


def bytes_of(storage):
    """The bytes of a storage in their place, [n] uint8."""
    size = storage.nbytes()
    return (
        np.frombuffer((ctypes.c_uint8 * size).from_address(storage.data_ptr()), np.uint8)
        if size
        else np.empty(0, np.uint8)
    )


class Own:
    """What is known of the answer's own storages, each by torch's own number for it. memory: knows the inputs."""

    def __init__(self, memory):
        self.memory = memory
        self.hidden, self.launched, self.fault = {}, {}, None
        # In this call: whether a kernel has begun, and whether torch has looked at a veiled input before.
        self.begun = self.looked = False

    def begin(self, name, storage):
        """A launch is given a storage, or a part of it. Raises MemoryFault where it was changed behind torch's back."""
        if storage._cdata not in self.launched and storage._cdata in self.hidden:
            self.hidden[storage._cdata].show()
        self.launched[storage._cdata] = (name, storage)

    def end(self, stored):
        """A launch has ended. stored: the addresses of the storages that it has stored into."""
        for number, (name, storage) in self.launched.items():
            if number in self.hidden or storage.data_ptr() in stored:
                self.hidden.setdefault(number, Hidden(name, storage)).hide()
        self.launched = {}

    def of(self, value):
        """What is hidden of a tensor; None where nothing is."""
        if not isinstance(value, torch.Tensor) or value.layout is not torch.strided:
            return None
        return self.hidden.get(value.untyped_storage()._cdata)

    def whole(self, value):
        """What a call has given, as the kernels left it: a copy, as the rest stays hidden. Raises MemoryFault."""
        hidden = self.of(value) if type(value) is torch.Tensor else None
        if hidden is None:
            return value
        hidden.check()
        return hidden.twin(value).clone(memory_format=torch.contiguous_format)

    def look(self, values):
        """Torch reads what is in these."""
        if not self.begun:
            self.looked |= any(self.memory.veiled(value) for value in tree_leaves(values))

    def refuse(self, name, hidden):
        self.fault = self.fault or HostRead(
            f"torch ({name}) works on {hidden.name}, into which a kernel has stored: the host sees nothing of it until "
            "the call has returned, so what is left to do is a kernel's work"
        )
        raise self.fault

    @contextlib.contextmanager
    def watched(self):
        """While this is open, what torch does with hidden memory is refused."""
        with Operations(self), Calls(self):
            yield


class Operations(TorchDispatchMode):
    """Looks at each operation of torch before it is carried out."""

    def __init__(self, own):
        super().__init__()
        self.own = own

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        works = computes(function)
        if works:
            self.own.look((args, kwargs))
        if not self.own.hidden:
            return function(*args, **kwargs)
        name = name_of(function)
        into = self.own.of(args[0]) if name in PUTS else None
        if into or works:
            for value in tree_leaves((args[1:] if into else args, kwargs)):
                if hidden := self.own.of(value):
                    self.own.refuse(name, hidden)
        if into:
            function(into.twin(args[0]), *args[1:], **kwargs)
            return args[0]
        return function(*args, **kwargs)


class Calls(TorchFunctionMode):
    """Looks at each call of torch that hands out what a tensor holds."""

    def __init__(self, own):
        super().__init__()
        self.own = own

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "")
        if name in HANDS_OUT:
            self.own.look(args[:1])
            if hidden := self.own.of(args[0]):
                self.own.refuse(name, hidden)
        return function(*args, **(kwargs or {}))


@contextlib.contextmanager
def unwatched():
    """The judge's own work on tensors, in a launch."""
    with torch._C._DisableTorchDispatch(), torch._C.DisableTorchFunction():
        yield
