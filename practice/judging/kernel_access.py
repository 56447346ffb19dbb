"""The loads, stores and atomics of Triton's interpreter: each is checked before it happens.

Learner's side. What a GPU leaves undefined is not kind here: a masked load without `other` gives NaN or a huge integer,
not 0.
"""

import numpy as np
import triton.runtime.interpreter as interpreter

OTHER = {"given": False}  # whether the load at work has one
load_from = interpreter.interpreter_semantic._load_legacy


def watch(memory):
    """From here on each access that the interpreter makes is checked against `memory`, a kernel_memory.Memory."""
    builder = type(interpreter.interpreter_builder)
    load, store = builder.create_masked_load, builder.create_masked_store
    rmw, cas = builder.create_atomic_rmw, builder.create_atomic_cas

    def watched_load(self, ptrs, mask, other, *rest, **options):
        on = np.asarray(getattr(mask, "data", mask))
        memory.load(ptrs.data, on, self.grid_idx)
        if other is None and not on.all():
            other = filled(ptrs, 0) if OTHER["given"] else undefined(ptrs)
        return load(self, ptrs, mask, other, *rest, **options)

    def watched_store(self, ptrs, value, mask, *rest):
        memory.store(ptrs.data, getattr(mask, "data", mask), value.data, self.grid_idx)
        return store(self, ptrs, value, mask, *rest)

    def watched_rmw(self, op, ptr, value, mask, *rest):
        memory.store(ptr.data, mask.data, None, self.grid_idx)
        return rmw(self, op, ptr, value, mask, *rest)

    def watched_cas(self, ptr, *rest):
        memory.store(ptr.data, True, None, self.grid_idx)
        return cas(self, ptr, *rest)

    builder.create_masked_load, builder.create_masked_store = watched_load, watched_store
    builder.create_atomic_rmw, builder.create_atomic_cas = watched_rmw, watched_cas
    interpreter.interpreter_semantic._load_legacy = load_with


def undefined(ptrs):
    """What a masked load without `other` gives where the mask is off."""
    kind = interpreter._get_np_dtype(ptrs.get_element_ty())
    return filled(ptrs, np.nan if np.issubdtype(kind, np.floating) else np.iinfo(kind).max)


def filled(ptrs, value):
    kind = interpreter._get_np_dtype(ptrs.get_element_ty())
    return interpreter.TensorHandle(np.full(ptrs.data.shape, value, kind), ptrs.get_element_ty())


def load_with(ptr, mask, other, *rest):
    """The interpreter takes an `other` that is one 0 for none, as it asks `if other`."""
    OTHER["given"] = other is not None
    return load_from(ptr, mask, other, *rest)
