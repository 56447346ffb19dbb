"""How a run of a learner's code went wrong, and what an exception in it said."""

from dataclasses import dataclass, field

import msgspec

from practice.judging.program import Program

MOST_SAID = 400


class Note(msgspec.Struct):
    """What an exception in the learner's code said, and where. `leaves`: it would end a process (SystemExit …)."""

    type: str = "?"
    said: str = ""
    line: int | None = None
    where: str | None = None
    leaves: bool = False

    def __str__(self) -> str:
        text = legible(f"{self.type}: {self.said}" if self.said else self.type)
        return f"{text} (line {self.line}, in {legible(self.where or '?')})" if self.line else text


@dataclass(frozen=True)
class Raised:
    """Stands where a result would stand when a call raises: the exception, and what it said."""

    what: str

    def __repr__(self) -> str:
        return f"raises {self.what}"


@dataclass
class Failure:
    """How a run went wrong. `step`: number of the call, or -1 while the file was imported.

    verdict: CE WA RE TLE MLE OLE. expected / got: differing things by name ("result", "pool.ref_cnt", …);
    state: all that was seen after the call. `why` and `detail` say what else there is to say; `rule` is the rule that
    the state breaks, in words of both languages, where the problem can tell; `flaky`: it did not fail so again; `rows`:
    what came back for each call, in packed form.
    """

    verdict: str
    step: int = -1
    program: Program | None = None
    expected: dict[str, object] = field(default_factory=dict)
    got: dict[str, object] = field(default_factory=dict)
    state: dict[str, object] = field(default_factory=dict)
    why: str = ""
    detail: str = ""
    printed: str = ""
    rule: dict[str, str] = field(default_factory=dict)
    flaky: bool = False
    rows: list[bytes] = field(default_factory=list)

    @property
    def num_calls(self) -> int:
        """How many `steps` there are."""
        calls = self.program.calls[: self.step] if self.program else []
        return 1 + sum(call.args is not None for call in calls)

    @property
    def steps(self) -> list[str]:
        """The calls up to the one that differs; fields read on the way change nothing and are left out."""
        calls = self.program.calls[: self.step + 1] if self.program else []
        return [str(call) for n, call in enumerate(calls) if call.args is not None or n == self.step]


def legible(text: str, most: int | None = MOST_SAID) -> str:
    """What foreign code says, without codes that would drive a terminal, and cut unless `most` is None."""
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else "\N{REPLACEMENT CHARACTER}" for letter in text[:most]
    )
