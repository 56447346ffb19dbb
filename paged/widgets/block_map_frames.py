"""The steps of a block map as plain data for the browser: each one only says what its call has changed.

    {call, outcome: [key, values], trace, free, took, tail | queue, copied, copies,
     blocks: {block: [count, runs]}, owners: {name: [table, tokens, lost, number, listed]}}

A run [writer, position, n] is n slots with that writer's tokens from that position on; writer "" stands for n empty
slots. The queue is what it was, without its first `took` blocks, and with `tail` behind it; where that does not lead
from one to the other, it is in `queue` as a whole, or None where it is not known. The pairs in `copied` are those that
the call has added to pool.copies; `copies` are all of them, where that is not what it led to.
"""

from __future__ import annotations

from paged.widgets.block_map_state import State


def encode(step: dict, state: State, before: State | None) -> dict:
    """`step` ({call, outcome, trace}) with what the browser needs to get from the state before it to `state`."""
    blocks = {
        str(block): [count, [list(run) for run in page.runs]]
        for block, (count, page) in enumerate(zip(state.counts, state.contents, strict=True))
        if before is None or (count, page) != (before.counts[block], before.contents[block])
    }
    owners = {
        name: [list(owner.table), owner.tokens, owner.lost, owner.number, list(owner.listed)]
        for name, owner in state.owners.items()
        if before is None or before.owners.get(name) != owner
    }
    gone = [name for name in before.owners if name not in state.owners] if before else []
    return {
        **step,
        "blocks": blocks,
        "owners": owners | dict.fromkeys(gone),
        "free": state.num_free,
        **_queue(state.queue, before.queue if before else None),
        "copied": [list(pair) for pair in state.copied],
        **_copies(state, before),
    }


def _queue(now: tuple[int, ...] | None, before: tuple[int, ...] | None) -> dict:
    if now is None or before is None:
        return {"queue": None if now is None else list(now)}
    took = next(took for took in range(len(before) + 1) if before[took:] == now[: len(before) - took])
    return {"took": took, "tail": list(now[len(before) - took :])}


def _copies(state: State, before: State | None) -> dict:
    if before and state.copies == before.copies + state.copied:
        return {}
    return {"copies": [list(pair) for pair in state.copies]}
