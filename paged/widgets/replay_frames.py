"""The frames of a run as views to draw: rows of objects, with both sides compared and set against the call before.

A pool is an object with a field `ref_cnt`, a sequence one with a field `block_table`; whatever else there is becomes a
plain row of fields. Everything is compared here once; the browser and the static page only draw.
"""

import re
from collections.abc import Mapping

from paged.widgets.replay_cells import Pool, Values
from paged.widgets.replay_values import MISSING, MOST_LETTERS, cut, draw, places

KINDS = {"block_table": "chips", "copies": "pairs"}
NOWHERE = (False, set())
BIRTH = re.compile(r"(\w+) = (?:(\w+)\.)?\w+\((.*)\)", re.DOTALL)  # b = a.fork(), a = Sequence(pool, 4)


class Run:
    """A whole run: the calls, the values after each, and which objects there are."""

    def __init__(self, frames: list[Mapping]):
        """Raises ValueError for an empty run, or a frame without a call or without expected values."""
        if not frames:
            raise ValueError("a replay needs at least one frame, got none")
        for number, frame in enumerate(frames):
            if not isinstance(frame.get("call"), str) or not isinstance(frame.get("expected"), Mapping):
                raise ValueError(f"frame {number} needs a str `call` and a dict `expected`, has {sorted(frame)}")
        self.calls = [frame["call"] for frame in frames]
        self.history: list[Values] = [(frame["expected"], _got(frame)) for frame in frames]
        names = dict.fromkeys(name for now in self.history for values in now for name in values)
        self.fields: dict[str, list[str]] = {}  # of each object; "" has the names without one, such as "result"
        for name in names:
            self.fields.setdefault(name.rpartition(".")[0], []).append(name)
        pools = [who for who in self.fields if who and f"{who}.ref_cnt" in names]
        self.sequences = [who for who in self.fields if who not in ("", *pools) and f"{who}.block_table" in names]
        self.homes = self._homes(pools)
        self.pools = {pool: Pool(pool, self.homes, self.history) for pool in pools}
        others = [who for who in self.fields if who not in (*pools, *self.sequences)]
        self.objects = sorted(others, key=bool) + pools + self.sequences

    def views(self) -> list[dict]:
        """One per frame: {call, answered, differs: names of fields, rows}."""
        return [self._view(number) for number in range(len(self.calls))]

    def _homes(self, pools: list[str]) -> dict[str, str | None]:
        """The pool of each sequence: the only one, or the one that it, or what it was forked from, was made with."""
        homes: dict[str, str | None] = dict.fromkeys(self.sequences, pools[0] if len(pools) == 1 else None)
        for call in self.calls if len(pools) > 1 else ():
            if birth := BIRTH.fullmatch(call):
                name, parent, arguments = birth.groups()
                named = (word for word in re.findall(r"\w+", arguments) if word in pools)
                homes[name] = homes.get(parent) or next(named, None)
        return {name: homes[name] for name in self.sequences}

    def _view(self, number: int) -> dict:
        now = self.history[number]
        rows = [row for who in self.objects for row in self._rows(who, number)]
        differs = [name for name in _names(*now) if now[1] and _differs(name, *now) != NOWHERE]
        call = cut(self.calls[number], MOST_LETTERS)
        return {"call": call, "answered": bool(now[1]), "differs": differs, "rows": rows}

    def _rows(self, who: str, number: int) -> list[dict]:
        """One row for an object, if it is there by now; a name without an object has a row of its own."""
        there = _names(*self.history[number])
        parts = [self._part(who, name, number) for name in self.fields[who] if name in there]
        if not who or not parts:
            return [{"name": part["label"], "kind": "value", "parts": [part]} for part in parts]
        row = {"name": who, "kind": "object", "parts": parts}
        if who in self.pools:
            parts.sort(key=lambda part: part["label"] != "ref_cnt")
            row["kind"] = "pool"
        elif who in self.sequences:
            row |= {"kind": "sequence", "colour": self.sequences.index(who), "home": self.homes[who]}
        return [row]

    def _part(self, who: str, name: str, number: int) -> dict:
        """One field: the expected side and, unless it looks the same, the learner's."""
        field = name.rpartition(".")[2]
        now, before = self.history[number], self.history[max(0, number - 1)]
        differs = _differs(name, *now) if now[1] else NOWHERE
        sides = []
        for which, values in enumerate(now):
            value = values.get(name, MISSING)
            if who in self.pools and field == "ref_cnt" and type(value) is list:
                sides.append(self.pools[who].side(which, number))
                continue
            new = NOWHERE if name == "result" else places(before[which].get(name, MISSING), value)
            sides.append(draw(value, differs, new, KINDS.get(field, "value")))
        return {"label": field, "sides": sides[:1] if sides[0] == sides[1] else sides}


def _got(frame: Mapping) -> Mapping:
    """What came back: nothing, where the child died or sent something else."""
    got = frame.get("got")
    return got if isinstance(got, Mapping) else {}


def _names(want: Mapping, have: Mapping) -> list[str]:
    return list(want | have)


def _differs(name: str, want: Mapping, have: Mapping) -> tuple[bool, set[int]]:
    return places(want.get(name, MISSING), have.get(name, MISSING))
