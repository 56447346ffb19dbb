"""Strategies for what a hostile child could send in answer to PROGRAM: half right, forged, cut and mangled."""

import json

from fake_child import answered, call, frame, row
from hypothesis import strategies as st

from practice.judging.program import Program

PROGRAM = Program(
    [call(None, result="pool", args=[4]), call(0.5), call("MemoryError", "raised"), call((1, [2]), args=None)],
    watch=[("pool", ("num_free()", "ref_cnt"))],
)
for step in PROGRAM.calls:
    outcome, value, _ = step.expected()
    step.row = row(value, outcome, (4, [0, 0]))

numbers = st.integers() | st.sampled_from([-1, 2**31, 2**63, -(2**63) - 1, 2**64, 10**400, -(10**400)])
letters = st.characters(exclude_categories=["Cs"])
texts = st.text(letters, max_size=9) | st.sampled_from(["MemoryError", "x" * 5000, "\x1b[2J", "[/bold]", "\\", ""])
leaves = st.none() | st.booleans() | numbers | st.floats(allow_nan=False, allow_infinity=False) | texts
packed = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.builds(lambda tag, body: {tag: body}, st.sampled_from("tdfbohTx"), inner)
        | st.builds(lambda items: {"t": items}, st.lists(inner, max_size=3))
        | st.builds(lambda pairs: {"d": pairs}, st.lists(st.tuples(inner, inner).map(list), max_size=2))
    ),
    max_leaves=8,
)
DUE = [json.loads(step.row) for step in PROGRAM.calls]
states = st.just([4, [0, 0]]) | st.lists(packed, min_size=2, max_size=2) | st.lists(packed, max_size=3)
forged = st.tuples(st.sampled_from(["ok", "raised"]), packed, states).map(list) | packed
rows = st.tuples(*[st.just(row) | forged for row in DUE]).map(list) | st.lists(forged, max_size=5)
note = st.fixed_dictionaries(
    {}, optional={"type": texts, "said": texts, "line": st.integers(1, 9), "where": texts, "leaves": st.booleans()}
)
notes = st.dictionaries(st.sampled_from("0123"), note, max_size=3)
sound = st.fixed_dictionaries({"rows": rows}, optional={"notes": notes})
unsound = st.fixed_dictionaries(
    {},
    optional={
        "rows": rows | packed,
        "notes": st.dictionaries(st.sampled_from("0123"), note | packed, max_size=2) | packed,
        "missing": st.lists(texts, max_size=2) | packed,
        "failed": note | packed,
        "more": packed,
    },
)
answers = sound | sound | unsound | packed
bodies = st.lists(answers, min_size=1, max_size=1).map(lambda given: {"answers": given}) | answers
headers = st.fixed_dictionaries({"ended": st.sampled_from(
    ["well"] * 8 + ["time", "memory", "output", "syntax", "early", "", "WELL", None, 5, ["well"]]
)}, optional={
    "call": numbers | leaves,
    "status": numbers | leaves,
    "peak_mb": numbers | leaves,
    "cpu": numbers | leaves,
    "printed": texts | leaves,
    "line": numbers | leaves,
    "said": texts | leaves,
}) | packed  # fmt: skip


def cut(sent: bytes, at: int) -> bytes:
    return sent[: at % (len(sent) + 1)]


def flip(sent: bytes, at: int, byte: int) -> bytes:
    at %= len(sent)
    return sent[:at] + bytes([byte]) + sent[at + 1 :]


def well(body: object) -> bytes:
    return frame({"ended": "well", "call": 4}, json.dumps(body).encode())


forged_answers = (sound | unsound).map(lambda answer: well({"answers": [answer]}))
frames = st.builds(lambda header, body: frame(header, json.dumps(body).encode()), headers, bodies) | bodies.map(well)
honest = st.just(answered(DUE))
mangled_bytes = (
    frames
    | st.builds(cut, frames | honest, st.integers(0, 10_000))
    | st.builds(flip, honest, st.integers(0, 10_000), st.integers(0, 255))
    | st.binary(max_size=60)
    | st.builds(frame, st.binary(max_size=30), st.binary(max_size=30))
)
