"""Objects that raise, lie or give too much: each is a line on the block map, and what came before stays recorded."""

import json
import random
from itertools import chain

import pytest

from paged import BlockPool
from paged.sequence import Sequence
from paged.widgets import block_map
from paged.widgets.block_map_pages import Page, joined


class Interruption(BaseException):
    """As KeyboardInterrupt, no Exception."""


class Spiteful(Exception):
    def __str__(self) -> str:
        raise ZeroDivisionError

    __repr__ = __str__


class Unspeakable:
    def __repr__(self) -> str:
        raise ZeroDivisionError


def outcomes(widget: object) -> list[str]:
    return [frame["outcome"][0] for frame in widget._frames]


def last(widget: object) -> dict:
    return widget._frames[-1]["outcome"][1]


def draws(widget: object) -> bool:
    """Whether everything that shows the last step still works, in both editions."""
    for widget.lang in ("en", "zh"):
        page = widget._repr_mimebundle_()[0]["text/html"]
    json.dumps(widget.get_state()["_frames"]).encode()
    return bool(page and repr(widget) and widget.figure()._repr_png_())


def breaking(error: BaseException, *methods: str) -> type:
    """A pool whose methods, or properties, start to raise once `broken` is set; share sets it."""

    def raises(self: object, *arguments: object) -> object:
        raise error

    def get(name: str) -> object:
        def read(self: object) -> object:
            return raises(self) if self.__dict__.get("broken") else self.__dict__[name]

        return property(read, lambda self, value: self.__dict__.__setitem__(name, value))

    def plain(name: str) -> object:
        if name == "__deepcopy__":
            return lambda self, memo: BlockPool(self.num_blocks)
        return getattr(BlockPool, name)

    def method(name: str) -> object:
        def call(self: object, *arguments: object) -> object:
            return raises(self) if self.__dict__.get("broken") else plain(name)(self, *arguments)

        return call

    parts = {name: get(name) if name in ("ref_cnt", "copies") else method(name) for name in methods}
    return type("Breaking", (BlockPool,), parts | {"share": lambda self, blocks: setattr(self, "broken", True)})


ERRORS = [RuntimeError("no"), Spiteful(), SystemExit(3), KeyboardInterrupt(), Interruption("no"), GeneratorExit()]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("method", ["allocate", "free", "num_free"])
def test_whatever_a_call_raises_is_its_outcome_and_ends_the_script(method: str, error: BaseException) -> None:
    pool = breaking(error, method)(4)
    widget = block_map(pool, lang="en")
    argument = {"allocate": "1", "free": "[0]", "num_free": ""}[method]
    widget.run(f"x = pool.allocate(2)\npool.share(x)\npool.{method}({argument})\npool.share(x)")
    assert outcomes(widget)[:3] == ["start", "returned", "done"]
    if method == "num_free":  # it is noticed as soon as the map looks
        assert outcomes(widget)[3:] == ["unreadable"]
        assert last(widget)["what"] == "pool.num_free()"
    else:
        assert outcomes(widget)[3:] == ["raised"]
    assert last(widget)["error"] == type(error).__name__
    assert draws(widget)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("name", ["ref_cnt", "copies"])
def test_properties_that_raise_are_named_once(name: str, error: BaseException) -> None:
    widget = block_map(breaking(error, name)(4), lang="en")
    widget.run("x = pool.allocate(2)\npool.share(x)\npool.free(x)")
    assert outcomes(widget) == ["start", "returned", "done", "unreadable"]
    assert (last(widget)["what"], last(widget)["error"]) == (f"pool.{name}", type(error).__name__)
    widget.look()
    assert len(widget._frames) == 4
    assert draws(widget)


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), Interruption()])
def test_a_copy_that_ends_the_program_does_not_end_the_map(error: BaseException) -> None:
    widget = block_map(breaking(error, "__deepcopy__")(4), lang="en")
    widget.run("x = pool.allocate(1)\npool.share(x)")
    assert outcomes(widget) == ["start", "returned", "done", "unreadable"]
    assert (last(widget)["what"], last(widget)["error"]) == ("copy.deepcopy(pool)", type(error).__name__)
    assert widget.shown["free_queue"] is None
    assert draws(widget)


def test_a_pool_that_raises_from_the_start_opens_with_that_line() -> None:
    pool = breaking(SystemExit(1), "num_free")(4)
    pool.broken = True
    widget = block_map(pool, lang="en")
    assert outcomes(widget) == ["unreadable"]
    assert draws(widget)


def test_a_count_that_is_gone_or_too_large_is_said_and_can_come_back() -> None:
    pool = BlockPool(4)
    widget = block_map(pool, lang="en")
    widget.run("x = pool.allocate(2)")
    counts, pool.ref_cnt = pool.ref_cnt, [10**5000, 0, 0, 0]
    widget.look()
    assert (outcomes(widget)[-2:], last(widget)) == (["outside", "huge"], {"what": "pool.ref_cnt"})
    assert draws(widget)
    del pool.ref_cnt
    widget.look()
    assert (outcomes(widget)[-1], last(widget)["error"]) == ("unreadable", "AttributeError")
    assert draws(widget)
    pool.ref_cnt = counts
    widget.run("pool.free(x)")
    assert (outcomes(widget)[-1], widget.shown["ref_cnt"]) == ("done", [0, 0, 0, 0])


def test_a_table_that_raises_is_said_and_the_steps_before_it_stay() -> None:
    class Once(Sequence):
        @property
        def block_table(self) -> list[int]:
            if len(self.table) > 1:
                raise KeyboardInterrupt
            return self.table

        @block_table.setter
        def block_table(self, table: list[int]) -> None:
            self.table = table

    widget = block_map(BlockPool(8), Once, "en")
    widget.run("a = Once(pool, 2)\na.append(2)\na.append(1)\na.append(1)")
    assert outcomes(widget) == ["start", "done", "done", "done", "unreadable"]
    assert last(widget)["what"] == "a.block_table"
    assert draws(widget)


def test_results_that_cannot_be_written_down_are_named() -> None:
    class Odd(BlockPool):
        def allocate(self, n: int) -> object:
            return Unspeakable()

        def num_free(self) -> object:
            return 10**5000

    widget = block_map(Odd(4), lang="en")
    widget.run("pool.allocate(1)\npool.num_free()")
    assert [frame["outcome"][1]["result"] for frame in widget._frames[1:]] == [
        "<Unspeakable: ZeroDivisionError>",
        "<int: ValueError>",
    ]
    assert draws(widget)


@pytest.mark.parametrize("count", [5, 1_000_000])
def test_more_blocks_than_the_pool_has_are_counted_and_not_kept(count: int) -> None:
    class Generous(BlockPool):
        def allocate(self, n: int) -> list[int]:
            return list(range(count))

    widget = block_map(Generous(4), lang="en")
    widget.run("x = pool.allocate(1)\npool.num_free()")
    assert widget._frames[1]["outcome"] == ["too_many_blocks", {"count": count, "blocks": 4}]
    assert (outcomes(widget)[2], widget.shown["tables"]) == ("returned", {})
    assert draws(widget)


def test_long_lists_of_copies_and_long_tables_are_not_kept() -> None:
    pool = BlockPool(4)
    sequence = Sequence(pool, 4)
    widget = block_map(pool, [sequence], "en")
    pool.copies = [(0, 1)] * 1_000_000
    sequence.block_table = [0] * 1_000_000
    widget.look()
    assert [frame["outcome"] for frame in widget._frames if frame["outcome"][0] == "many"] == [
        ["many", {"what": "pool.copies", "limit": 10_000}],
        ["many", {"what": "a.block_table", "limit": 4}],
    ]
    assert draws(widget)


def test_an_append_beyond_the_pool_is_the_sequence_s_own_memory_error() -> None:
    widget = block_map(BlockPool(8), Sequence, "en")
    widget.run("a = Sequence(pool, 4)\na.append(1000000000)")
    assert widget._frames[-1]["outcome"][1] == {"error": "MemoryError", "message": "need 250000000 blocks, 8 are free"}
    assert widget._frames[-1]["trace"] == "untouched"


@pytest.mark.parametrize("claim", [33, 2_000_000, 10**12])
def test_a_claim_beyond_the_pool_is_said_and_not_drawn(claim: int) -> None:
    pool = BlockPool(8)
    sequence = Sequence(pool, 4)
    sequence.append(5)
    sequence.num_tokens = claim
    widget = block_map(pool, [sequence], "en")
    assert widget._frames[0]["outcome"] == ["claims", {"what": "a", "count": claim, "blocks": 8, "size": 4, "room": 32}]
    assert widget.shown["num_tokens"] == {"a": claim}
    assert widget._states[0][1].owners["a"].meant == ()
    assert draws(widget)
    sequence.num_tokens = 5
    widget.look()
    assert [list(page) for page in widget._states[-1][1].contents[:2]] == [[("a", n) for n in range(4)], [("a", 4)]]


def test_a_full_pool_of_four_million_tokens_is_kept_by_the_block() -> None:
    widget = block_map(BlockPool(1024), Sequence, "en", 4096)
    widget.run(f"a = Sequence(pool, 4096)\na.append({1024 * 4096 - 4096})\nb = a.fork()\nb.append(1)\na.append(1)")
    pages = widget._states[-1][1].contents
    assert sum(len(page.runs) for page in pages) == 1024
    assert (pages[1022].runs, pages[1023].runs) == ((("a", 4_186_112, 4096),), (("b", 4_190_208, 1),))
    assert outcomes(widget)[-1] == "raised"


def test_numbers_that_cannot_be_shown_and_scripts_that_are_no_text_are_refused() -> None:
    widget = block_map(BlockPool(8), Sequence, "en")
    for line in (f"pool.allocate(0x{'f' * 9000})", "pool.allocate(-1000000000000001)"):
        with pytest.raises(ValueError, match=r"Line 1: numbers go up to 1000000000000000 here"):
            widget.run(line)
    for line in (f"x = 0x{'f' * 9000}", f"pool.allocate({'1+' * 4000}1)"):
        with pytest.raises(ValueError, match="Line 1: "):
            widget.run(line)
    for script in (None, b"pool.allocate(1)", 3, ["pool.allocate(1)"]):
        with pytest.raises(ValueError, match=f"a script is text.* of type {type(script).__name__}"):
            widget.run(script)
    assert outcomes(widget) == ["start"]


# --- one block size ---


class Sized:
    def __init__(self, block_size: object) -> None:
        self.block_size, self.num_tokens, self.block_table = block_size, 0, []


@pytest.mark.parametrize("size", [True, 0, -4, 4.0, "4", None, float("nan"), 4097])
def test_a_sequence_s_own_block_size_is_a_whole_number(size: object) -> None:
    with pytest.raises(ValueError, match=r"a\.block_size (is 1 to 4,096 tokens|must be a whole number), got"):
        block_map(BlockPool(4), [Sized(size)])
    with pytest.raises(ValueError, match=r"b\.block_size"):
        block_map(BlockPool(4), [Sized(4), Sized(size)], block_size=4)


def test_the_first_sequence_settles_the_block_size_and_others_are_turned_away() -> None:
    pool = BlockPool(8)
    widget = block_map(pool, Sequence, "en")
    assert widget.block_size == 4
    widget.run("a = Sequence(pool, 2)\na.append(3)\nb = Sequence(pool, 4)\nb = Sequence(pool, 2)")
    assert widget.block_size == 2
    assert outcomes(widget) == ["start", "done", "done", "other_size", "done"]
    assert widget._frames[3]["outcome"][1] == {"own": 4, "size": 2}
    assert widget.shown["tables"] == {"a": [0, 1], "b": []}
    assert widget._states[-1][1].contents[:2] == (Page((("a", 0, 2),)), Page((("a", 2, 1),)))


def test_a_block_size_that_was_given_stands() -> None:
    widget = block_map(BlockPool(8), Sequence, "en", 4)
    widget.run("a = Sequence(pool, 2)")
    assert (outcomes(widget), widget.block_size) == (["start", "other_size"], 4)


# --- arguments ---


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"block_size": True}, "block_size must be a whole number, got True"),
        ({"block_size": 4.0}, r"block_size must be a whole number, got 4\.0"),
        ({"block_size": "4"}, "block_size must be a whole number, got '4'"),
        ({"block_size": 4097}, "block_size is 1 to 4,096 tokens, got 4097"),
        ({"lang": "xx"}, "lang must be one of en, zh, got 'xx'"),
        ({"lang": 3}, "lang must be one of en, zh, got 3"),
        ({"sequences": 5}, "sequences must be a list of them, or a class, got 5"),
        ({"pool": None}, "this one lacks num_free"),
    ],
)
def test_arguments_of_a_wrong_kind_are_refused_by_name(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        block_map(**{"pool": BlockPool(4)} | arguments)


# --- pages, beside lists of slots ---


def test_pages_agree_with_lists_of_slots() -> None:
    rng = random.Random(7)
    for _ in range(300):
        slots, page = [], Page()
        for _ in range(rng.randint(1, 6)):
            offset, count = rng.randint(0, 6), rng.randint(1, 5)
            writer, first = rng.choice(["", "a", "b"]), rng.randint(0, 9)
            run = (writer, first if writer else 0, count)
            slots += [None] * (offset + count - len(slots))
            slots[offset : offset + count] = [(writer, first + n) if writer else None for n in range(count)]
            page = page.with_runs(offset, [run])
        assert list(page) == slots
        assert (len(page), page.used()) == (len(slots), sum(slot is not None for slot in slots))
        cut = rng.randint(0, 12)
        assert list(page.head(cut)) == slots[:cut]
        low, high = sorted(rng.choices(range(14), k=2))
        assert list(joined(page.cut(low, high))) == [*chain(slots, [None] * 14)][low:high]
        other = [rng.choice([slot, slot, None, ("c", 0)]) for slot in slots][:cut]
        theirs = joined((*(slot or ("", 0)), 1) for slot in other)
        assert page.missing_from(theirs) == sum(a != b for a, b in zip(slots, [*other, *[None] * 20], strict=False))
