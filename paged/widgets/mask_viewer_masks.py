"""Causal masks of a batch at any stage, and the mistakes that are often made with them.

Every mask here lets a query see a run of keys from position 0 on, so a row of a mask is one number. A request is
(context, new): `new` queries, which are the last tokens of its context. Query j stands at position context - new + j.
"""

from itertools import accumulate

MISTAKES = ("none", "top_left", "strict", "full")
STAGES = ("idle", "prompt", "decode", "chunk")


def seen(context: int, new: int, query: int, mistake: str = "none") -> int:
    """How many keys the query sees: up to and with its own position, or with one of MISTAKES made.

    "top_left" aligns the triangle with the first key instead of the last, "strict" leaves out the query's own position,
    "full" hides nothing.
    """
    if mistake == "top_left":
        return query + 1
    if mistake == "full":
        return context
    return context - new + query + (mistake != "strict")


def query_start_loc(requests: list[list[int]]) -> list[int]:
    """Where each request's rows begin in the batch, and where the last one's end."""
    return list(accumulate((new for _, new in requests), initial=0))


def differing(requests: list[list[int]], mistake: str) -> int:
    """Cells of all masks that are not as they should be."""
    return sum(
        abs(seen(context, new, query, mistake) - seen(context, new, query))
        for context, new in requests
        for query in range(new)
    )


def stage(context: int, new: int) -> str:
    """One of STAGES: no query in this step, a whole prompt, decode, or one chunk of a prompt."""
    return "idle" if new == 0 else "prompt" if new == context else "decode" if new == 1 else "chunk"
