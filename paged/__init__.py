"""A paged KV cache, from scratch: block pool, sequences with copy-on-write, K/V storage, paged attention.

    from paged import BlockPool, Sequence, PagedKVCache, paged_attention, slot_mapping_for

Nothing is loaded before it is used: the bookkeeping (pool, sequence, slots, sampling, token_map, transfer, memory,
workload) is plain Python and stays usable where torch is missing; cache and attention bring torch in on first use.
"""

from importlib import import_module

_HOMES = {
    "BlockPool": "pool",
    "Sequence": "sequence",
    "slot_mapping_for": "slots",
    "ReqToTokenPool": "token_map",
    "TokenAllocator": "token_map",
    "to_layout": "transfer",
    "transfer_plan": "transfer",
    "parallel_sample": "sampling",
    "beam_step": "sampling",
    "memory_saved": "sampling",
    "PagedKVCache": "cache",
    "paged_attention": "attention",
}
_MODULES = ("memory", "workload")

__all__ = [
    "BlockPool",
    "PagedKVCache",
    "ReqToTokenPool",
    "Sequence",
    "TokenAllocator",
    "beam_step",
    "memory",
    "memory_saved",
    "paged_attention",
    "parallel_sample",
    "slot_mapping_for",
    "to_layout",
    "transfer_plan",
    "workload",
]


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name in _HOMES:
        found = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
