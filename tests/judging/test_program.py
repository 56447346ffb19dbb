"""The recorder writes down what the author's script did: calls, arguments as they were, answers, and states."""

from types import SimpleNamespace

import msgspec
import pytest

from practice.judging.program import Call, Proxy, Recorder, peek
from practice.judging.wire import Foreign, Handle, pack


class Box:
    """An oracle class with a field, a method that is watched, and one that changes what it is given."""

    def __init__(self, *items):
        self.items = list(items)

    def size(self):
        return len(self.items)

    def put(self, items):
        self.items.extend(items)
        items.append("spoilt")
        return self.items

    def twin(self):
        return Box(*self.items)

    def merge(self, boxes):
        for box in boxes:
            self.items += box.items

    def fail(self):
        self.items.clear()
        raise KeyError("no")


def double(numbers):
    return [2 * number for number in numbers]


def crash():
    raise SystemExit


ORACLE = SimpleNamespace(Box=Box, double=double, crash=crash, LIMIT=7)


@pytest.fixture
def answer():
    return Recorder(ORACLE, watch={"Box": ("size()", "items")}, names={"Box": ["box", "lid"]})


def rows(recorder):
    return [msgspec.json.decode(call.row) for call in recorder.program.calls]


def test_a_function_is_called_and_written_down(answer):
    assert answer.double([1, 2]) == [2, 4]
    [call] = answer.program.calls
    assert (call.result, call.target, call.name, call.args) == (None, None, "double", [[1, 2]])
    assert rows(answer) == [["ok", [2, 4], []]]


def test_an_object_gets_a_name_and_is_looked_at_after_every_call_of_the_run(answer):
    box = answer.Box(1)
    assert isinstance(box, Proxy)
    answer.double([])
    assert [str(call) for call in answer.program.calls] == ["box = Box(1)", "double([])"]
    assert rows(answer) == [["ok", None, [1, [1]]], ["ok", [], [1, [1]]]]
    assert answer.program.watch == [("box", ("size()", "items"))]


def test_arguments_stay_as_they_were_when_the_call_was_made(answer):
    box, items = answer.Box(), [[1]]
    box.put(items)
    items[0].append(2)
    assert answer.program.calls[1].args == [[[1]]]
    assert str(answer.program.calls[1]) == "box.put([[1]])"


def test_results_and_states_stay_as_they_were_when_the_call_returned(answer):
    box = answer.Box()
    got = box.put([1])
    got.append(2)
    box.put([3])
    assert rows(answer)[1] == ["ok", [1], [1, [1]]]
    assert rows(answer)[2] == ["ok", [1, 2, 3], [3, [1, 2, 3]]]


def test_names_follow_the_order_of_birth_and_go_on_for_ever(answer):
    for _ in range(4):
        answer.Box()
    assert [call.result for call in answer.program.calls] == ["box", "lid", "lid2", "lid3"]


def test_a_class_without_names_is_called_by_its_own_in_small_letters():
    recorder = Recorder(ORACLE, watch={"Box": ("items",)})
    recorder.Box(), recorder.Box()
    assert [call.result for call in recorder.program.calls] == ["box", "box2"]


def test_a_method_that_gives_an_object_gives_a_proxy_of_it(answer):
    twin = answer.Box(1).twin()
    assert str(answer.program.calls[1]) == "lid = box.twin()"
    twin.put([2])
    assert rows(answer)[2] == ["ok", [1, 2], [1, [1], 2, [1, 2]]]


def test_an_object_that_is_not_watched_is_no_plain_data():
    recorder = Recorder(ORACLE)
    recorder.Box()
    assert recorder.program.calls[0].expected() == ("ok", Foreign("a Box"), [])


@pytest.mark.parametrize("wrap", [list, tuple], ids=["list", "tuple"])
def test_objects_go_as_arguments_by_their_names_nested_ones_too(answer, wrap):
    box, lid = answer.Box(1), answer.Box(2)
    box.merge(wrap([lid, wrap([])][:1]))
    call = answer.program.calls[2]
    assert call.args == [pack(wrap([Handle("lid")]))]
    assert str(call) in ("box.merge([lid])", "box.merge((lid,))")
    assert peek(box).items == [1, 2]


def test_an_exception_is_written_down_with_the_state_it_leaves_and_goes_on(answer):
    box = answer.Box(1)
    with pytest.raises(KeyError):
        box.fail()
    assert rows(answer)[1] == ["raised", "KeyError", [0, []]]


def test_an_oracle_that_would_end_the_process_is_no_answer(answer):
    with pytest.raises(SystemExit):
        answer.crash()


def test_looking_is_not_recorded(answer):
    box = answer.Box(1)
    assert box.items == [1]
    assert peek(box).size() == 1
    assert len(answer.program.calls) == 1


def test_counts_add_up(answer):
    answer.count("forks")
    answer.count("forks", 2)
    answer.count("nothing", 0)
    assert answer.program.counts == {"forks": 3, "nothing": 0}


def test_a_name_the_oracle_lacks_is_the_authors_mistake(answer):
    with pytest.raises(AttributeError):
        answer.Bocks(1)


def test_the_child_is_sent_no_expected_value(answer):
    answer.Box(4321).put([8765])
    frame = answer.program.frame()
    assert frame == {
        "run": [["box", None, "Box", [4321], []], [None, "box", "put", [[8765]], []]],
        "watch": [("box", ("size()", "items"))],
    }


def test_fields_are_those_of_the_objects_born_so_far(answer):
    answer.Box()
    answer.double([])
    answer.Box()
    assert answer.program.fields(1) == [("box", "size()"), ("box", "items")]
    assert answer.program.fields(2)[2:] == [("lid", "size()"), ("lid", "items")]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (Call("pool", None, "BlockPool", [8]), "pool = BlockPool(8)"),
        (Call(None, "pool", "free", [[0, 1]]), "pool.free([0, 1])"),
        (Call(None, "pool", "ref_cnt", None), "pool.ref_cnt"),
        (Call(None, None, "f", [{"h": "a"}, {"t": [1, "x"]}, {"f": "0.5"}, None]), "f(a, (1, 'x'), 0.5, None)"),
    ],
)
def test_a_call_reads_as_the_learner_would_type_it(call, text):
    assert str(call) == text


def test_an_element_that_is_set_is_shown_as_one_writes_it():
    assert str(Call(None, "cache", "__setitem__", [pack((1, 0)), pack(7)])) == "cache[1, 0] = 7"
    assert str(Call(None, "cache", "__setitem__", [pack(2), pack([7])])) == "cache[2] = [7]"
