"""Plans: what Hypothesis draws, and what a problem's `play` turns into calls."""

from dataclasses import dataclass

from hypothesis import strategies as st


@dataclass(frozen=True)
class Op:
    """One step of a plan: what to do, and two numbers (0–255) to choose with. Small numbers are the simple choices."""

    kind: str
    pick: int
    amount: int


@dataclass(frozen=True)
class Plan:
    """A drawn run: named choices as attributes (`plan.block_size`) and the steps in `ops`."""

    choices: dict
    ops: list[Op]

    def __getattr__(self, name: str):
        try:
            return self.choices[name]
        except KeyError:
            raise AttributeError(name) from None


@dataclass(frozen=True)
class Plans:
    """What plans may be: `strategy` draws them, `choices` are the values of each named choice, the simplest first."""

    strategy: st.SearchStrategy[Plan]
    choices: dict[str, list]


def plans(kinds: dict[str, int], steps: tuple[int, int], **choices: list) -> Plans:
    """Plans of `steps` = (fewest, most) steps; kinds: kind → how often; choices: name → values, the simplest first.

    A run is drawn in one piece, as bytes: far cheaper than a draw per step. A zero byte of kind is no step at all.
    """
    wheel = [kind for kind, weight in kinds.items() for _ in range(weight)]

    def decode(drawn) -> Plan:
        values, data = drawn
        ops = [
            Op(wheel[(data[i] - 1) * len(wheel) // 255], data[i + 1], data[i + 2])
            for i in range(0, len(data) - 2, 3)
            if data[i]
        ]
        return Plan(dict(zip(choices, values, strict=True)), ops)

    values = st.tuples(*map(st.sampled_from, choices.values()))
    drawn = st.tuples(values, st.binary(min_size=3 * steps[0], max_size=3 * steps[1]))
    return Plans(drawn.map(decode), choices)
