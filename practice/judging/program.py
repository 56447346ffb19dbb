"""A program: a run of calls on the learner's objects, with what every call must answer.

Who writes a problem writes plain Python against a `Recorder` as if the learner's names were local. Each call is carried
out at once by the problem's own oracle, and written down with its result and the state of all objects after it:

    def play(answer, plan):
        pool = answer.BlockPool(8)
        blocks = pool.allocate(3)          # the oracle's [0, 1, 2]; the learner's must be the same
        pool.free(blocks)
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import ModuleType

import msgspec

from practice.judging.inputs import Due, due, lies, made_of
from practice.judging.wire import ArrayData, Handle, TensorData, an, pack, packed, to_json, unpack

Fields = dict[str, tuple[str, ...]]
CALLS_IN_A_BATCH = 300
GIVEN = "="


@dataclass
class Call:
    """One call: `result = target.name(*args)`; without target a name of the answer itself; args None reads a field.

    `result = args[0]` has the target GIVEN: a value that lives in the learner's process and may change there. A call
    that makes a list of objects has a list of names as `result`. `forgets`: objects that are no longer looked at.
    Everything is kept in packed form (see wire.py), because the objects themselves go on changing. `row` is what the
    child must send for this call: outcome ("ok" or "raised"), value (or the exception's type), the watched fields.
    `kind`: the class of `result`, where the call makes an object.
    """

    result: str | list[str] | None
    target: str | None
    name: str
    args: list | None
    row: bytes = b""
    kind: str = "object"
    forgets: list[str] = field(default_factory=list)

    @property
    def makes(self) -> list[str]:
        """The names of the objects that the call makes."""
        return self.result if isinstance(self.result, list) else [self.result] if self.result else []

    @property
    def due(self) -> str:
        """In words, what a call that makes objects must give."""
        kind = self.kind.replace("ndarray", "tensor")  # the oracle's, and the learner's
        return f"a list of {len(self.result)} × {kind}" if isinstance(self.result, list) else an(kind)

    def __str__(self) -> str:
        if self.target == GIVEN:
            value, *layout = map(unpack, self.args[:2])
            return f"{self.result} = {value!r}{lies(**layout[0]) if layout and layout[0] else ''}"
        if self.name == "__setitem__":
            index, value = (unpack(arg) for arg in self.args)
            places = index if type(index) is tuple else (index,)
            return f"{self.target}[{', '.join(map(repr, places))}] = {value!r}"
        words = field_name(self.target, self.name) if self.target else self.name
        if self.args is not None:
            words += f"({', '.join(repr(unpack(arg)) for arg in self.args)})"
        return f"{self.left} = {words}" if self.makes else words

    @property
    def left(self) -> str:
        """What stands left of the `=`."""
        return f"[{', '.join(self.result)}]" if isinstance(self.result, list) else self.result or ""

    def expected(self) -> tuple[str, object, list]:
        outcome, value, state = msgspec.json.decode(self.row)
        return outcome, unpack(value), [unpack(item) for item in state]


@dataclass
class Program:
    """Calls, which fields of which objects to look at after each, and counts of what the run exercises."""

    calls: list[Call]
    watch: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    _frame: dict | None = None

    def frame(self) -> dict:
        """What the child is sent."""
        if self._frame is None:
            self._frame = {
                "run": [[c.result, c.target, c.name, c.args, c.forgets] for c in self.calls],
                "watch": self.watch,
            }
        return self._frame

    def fields(self, number: int) -> list[tuple[str, str]]:
        """(object, field) for each state value after call `number`."""
        born = {name for call in self.calls[: number + 1] for name in call.makes}
        born -= {name for call in self.calls[: number + 1] for name in call.forgets}
        return [(who, name) for who, names in self.watch if who in born for name in names]


def field_name(who: str, name: str) -> str:
    """What a field is called; an object that is watched as a whole, as a tensor is, has no name of a field."""
    return f"{who}.{name}" if name else who


def in_batches(programs: Iterable[Program], calls: int = CALLS_IN_A_BATCH) -> Iterator[list[Program]]:
    """The programs, a few at a time: what one fork plays. A fork costs as much as some hundred calls."""
    batch: list[Program] = []
    for program in programs:
        batch.append(program)
        if sum(len(waiting.calls) for waiting in batch) >= calls:
            yield batch
            batch = []
    if batch:
        yield batch


class Recorder:
    """The learner's names as the author of a problem sees them.

    oracle: module or namespace whose functions and classes stand in for the learner's.
    watch: for each oracle class the fields to compare after every call; "num_free()" is called, "ref_cnt" is read.
    names: for each oracle class what its objects are called in a counterexample, in order of birth.

    uses_up: functions that use up the objects in the lists they are given: these are looked at no more, as an answer
    may go on with the same objects or make new ones.

    numpy arrays cross as tensors of the same dtype, or with `arrays` as they are; the oracle is given the arrays, and
    may change what was `given`.
    """

    def __init__(
        self,
        oracle: ModuleType,
        watch: Fields | None = None,
        names: dict[str, list[str]] | None = None,
        uses_up: tuple[str, ...] = (),
        arrays: bool = False,
    ):
        self._oracle, self._watch, self._names, self._uses_up = oracle, watch or {}, names or {}, uses_up
        self._array = ArrayData if arrays else TensorData
        self._born: Counter[str] = Counter()
        self._seen: list[tuple[str, object, str, bool]] = []  # handle, object, field, whether it is called
        self._known: dict[bytes, str] = {}  # see packed
        self._due: dict[str, Due] = {}  # of inputs of a kernel
        self.program = Program([])

    def __getattr__(self, name: str):
        function = getattr(self._oracle, name)
        return lambda *args: self._call(None, name, function, args)

    def count(self, what: str, times: int = 1) -> None:
        """Note that the run exercises `what`; the judge adds these up and reports them as coverage."""
        self.program.counts[what] = self.program.counts.get(what, 0) + times

    def given(self, name: str, array) -> "Proxy":
        """A tensor that calls may change; it is looked at after every call."""
        known = array.copy()
        call = Call(name, GIVEN, "", [pack(self._plain(known))], kind="tensor")
        self.program.calls.append(call)
        self.program.watch.append((name, ("",)))
        self._seen.append((name, known, "", False))
        self._finish(call, "ok", None)
        return Proxy(self, name, known)

    def input(
        self, name: str, known, *, values=None, layout=None, owned=None, before=None, writable=None, counted=False
    ) -> "Proxy":
        """An input of a kernel, which may change it only where it is `writable`; then it is looked at after every call.

        known: what the oracle is given, an array or what behaves like one; what the oracle writes must come to stand in
        `values`, or in `known` itself where there are none. values, layout, owned, before, writable: how it lies in
        memory, see kernel_input.Input. counted: what is owned must all be read, about once, and in place; what is
        writable must all be written, about once. With a dict some of these counts must be what it says, see inputs.py.
        """
        array = known if values is None else values
        parts = made_of(array, layout or {}, owned, before, writable)
        call = Call(name, GIVEN, "", [pack(self._plain(part)) for part in parts], kind="tensor")
        self.program.calls.append(call)
        fields = tuple(due(owned, writable)) + (("after",) if writable is not None else ())
        if fields:
            if name not in self._due:
                self._due[name] = Due(due(owned, writable))
                self.program.watch.append((name, fields))
                self._seen += [(name, self._due[name], field, False) for field in fields]
            self._due[name].begin(counted, array)
        self._finish(call, "ok", None)
        return Proxy(self, name, known)

    def _call(self, target: str | None, name: str, function, args: tuple):
        call = Call(
            None, target, name, [pack(self._plain(_swap(arg, lambda proxy: Handle(proxy._handle)))) for arg in args]
        )
        self.program.calls.append(call)
        try:
            value = function(*[_swap(arg, lambda proxy: proxy._object) for arg in args])
        except Exception as error:
            self._finish(call, "raised", type(error).__name__)
            raise
        for known in self._due.values():
            known.called()
        if target is None and name in self._uses_up:
            lists = (arg for arg in args if isinstance(arg, list))
            call.forgets = [item._handle for items in lists for item in items if isinstance(item, Proxy)]
            self._seen = [seen for seen in self._seen if seen[0] not in call.forgets]
        if isinstance(value, list) and value and all(type(item).__name__ in self._watch for item in value):
            call.result, call.kind = [self._adopt(item) for item in value], type(value[0]).__name__
            self._finish(call, "ok", None)
            return [Proxy(self, *known) for known in zip(call.result, value, strict=True)]
        if type(value).__name__ in self._watch:
            call.result, call.kind = self._adopt(value), type(value).__name__
            self._finish(call, "ok", None)
            return Proxy(self, call.result, value)
        self._finish(call, "ok", value)
        return value

    def _adopt(self, value: object) -> str:
        kind = type(value).__name__
        born, names = self._born[kind], self._names.get(kind, [kind.lower()])
        self._born[kind] += 1
        handle = names[born] if born < len(names) else f"{names[-1]}{born - len(names) + 2}"
        self.program.watch.append((handle, self._watch[kind]))
        self._seen += [(handle, value, name.removesuffix("()"), name.endswith("()")) for name in self._watch[kind]]
        return handle

    def _finish(self, call: Call, outcome: str, value: object) -> None:
        state = ",".join([self._packed(_look(*field)) for _, *field in self._seen])
        call.row = f'["{outcome}",{self._packed(value)},[{state}]]'.encode()

    def _packed(self, value: object) -> str:
        text = packed(value, self._known)
        if '{"o"' in text or '{"N"' in text:  # a numpy array, perhaps in a list
            text = to_json(pack(self._plain(value)))
        return text

    def _plain(self, value: object) -> object:
        """`value` with numpy arrays, also those in lists and tuples, as what they are to the answer."""
        if type(value).__module__ == "numpy" and hasattr(value, "tobytes"):
            return self._array(value.dtype.name, value.shape, value.tobytes())
        if type(value) in (list, tuple):
            return type(value)(map(self._plain, value))
        return value


class Proxy:
    """An oracle object whose method calls are recorded; reading a field gives its value and records nothing."""

    def __init__(self, recorder: Recorder, handle: str, known: object):
        self._recorder, self._handle, self._object = recorder, handle, known

    def __getattr__(self, name: str):
        value = getattr(self._object, name)
        if not callable(value):
            return value
        return lambda *args: self._recorder._call(self._handle, name, value, args)


def peek(proxy: Proxy) -> object:
    """The oracle's own object, for looking ahead without a call that the learner's object would see."""
    return proxy._object


def _look(known: object, name: str, called: bool) -> object:
    value = getattr(known, name) if name else known
    return value() if called else value


def _swap(value, change):
    """`value` with every Proxy in it, lists and tuples included, replaced by `change(proxy)`."""
    if isinstance(value, Proxy):
        return change(value)
    if type(value) in (list, tuple):
        return type(value)(_swap(item, change) for item in value)
    return value
