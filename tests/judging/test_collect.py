"""An answer gathered from the cells of a notebook: all that it needs, in the order it was run, and nothing else."""

import pytest

from practice.judging.collect import NotDefined, answer


def runs(cells: list[str], entry: str = "f"):
    """The entry function of the answer gathered from these cells."""
    names: dict = {"__name__": "answer"}
    exec(compile(answer(cells, [entry]), "answer.py", "exec"), names)
    return names[entry]


def test_a_definition_alone():
    assert answer(["def f(x):\n    return 2 * x\n"], ["f"]) == "def f(x):\n    return 2 * x\n"


def test_what_it_uses_comes_along_and_what_it_does_not_stays():
    cells = [
        "import math\nimport no_such_module\n",
        "SIZE = 4\nOTHER = 1 / 0\n",
        "def up(x): return math.ceil(x / SIZE)\n",
    ]
    cells += ["def f(x): return up(x) * SIZE\n", "print(f(3))\nf(1)\n"]
    assert runs(cells)(5) == 8
    gathered = answer(cells, ["f"])
    assert "no_such_module" not in gathered and "OTHER" not in gathered and "print" not in gathered


def test_the_last_definition_counts():
    assert runs(["def f(x): return 1\n", "def f(x): return 2\n"])(0) == 2


def test_a_name_that_goes_on_from_itself_keeps_its_beginning():
    assert runs(["SIZE = 4\n", "SIZE += 1\n", "def f(x): return SIZE\n"])(0) == 5


def test_decorators_bases_defaults_and_annotations_come_along():
    cells = [
        "from dataclasses import dataclass\nfrom collections import deque\n",
        "START = 7\nclass Base:\n    def one(self): return 1\n",
        "@dataclass\nclass f(Base):\n    x: int = START\n    q: deque = None\n",
    ]
    made = runs(cells)()
    assert (made.x, made.one()) == (7, 1)


def test_definitions_in_branches_count():
    cells = ["try:\n    from fastmath import ceil\nexcept ImportError:\n    from math import ceil\n"]
    assert runs([*cells, "def f(x): return ceil(x)\n"])(1.5) == 2


def test_a_judged_cell_counts_and_other_cell_magics_do_not():
    cells = ["%%judge 901\ndef f(x): return 1\n", "%%timeit\ndef f(x): return 2\n", "%%bash\ndef f(x): return 3\n"]
    assert runs(cells)(0) == 1


def test_lines_of_ipython_are_left_out():
    cells = ["%load_ext judge\n!ls\nf?\n?f\nf??\ndef f(x): return 1\n", "files = !ls\ntimes = %timeit -o f(1)\n"]
    assert runs(cells)(0) == 1


@pytest.mark.parametrize(
    "body",
    [
        "    x = x + 1  # one more?\n    return x\n",
        "    # is it free?\n    x += 1\n    return x\n",
        '    """How much is it?\n\n!no shell: this is text\n%and this\n    """\n    return x + 1\n',
    ],
    ids=["comment after code", "comment", "text"],
)
def test_a_question_mark_in_a_comment_or_a_text_is_no_ipython(body):
    assert runs([f"def f(x):\n{body}"])(1) == 2


def test_a_local_name_is_no_need_for_a_global_of_that_name():
    """Trials in other cells like to use the same short names."""
    cells = [
        "from paged import BlockPool as library\nblocks = library(8).allocate(3)\npool = blocks\n",
        "def f(x):\n    blocks = [x]\n    pool = blocks\n    return [pool for pool in pool]\n",
    ]
    gathered = answer(cells, ["f"])
    assert "paged" not in gathered
    assert runs(cells)(1) == [1]


def test_an_attribute_is_no_need_for_a_global_of_that_name():
    cells = ["append = 1 / 0\n", "def f(x):\n    out = []\n    out.append(x)\n    return out\n"]
    assert runs(cells)(1) == [1]


def test_a_method_added_in_a_later_cell_belongs_to_its_class():
    """Splitting a class over cells is what notebooks are for."""
    assert runs(["class f: pass\n", "def more(self): return 2\nf.more = more\n"])().more() == 2


def test_a_table_filled_in_after_it_was_made_is_full():
    assert runs(["TABLE = {}\n", "TABLE['a'] = 1\n", "def f(x): return TABLE[x]\n"])("a") == 1


def test_two_statements_on_a_line_stand_once():
    gathered = answer(["a = 1; b = 2\ndef f(x): return a + b\n"], ["f"])
    assert gathered.count("a = 1") == 1


def test_a_cell_that_is_no_python_counts_for_nothing():
    assert runs(["def f(x): return 1\n", "def f(x: return 2\n"])(0) == 1


def test_names_that_nobody_defined_are_named():
    with pytest.raises(NotDefined, match="BlockPool, Sequence"):
        answer(["x = 1\n"], ["BlockPool", "Sequence"])


def test_nothing_that_was_run_is_nothing_defined():
    with pytest.raises(NotDefined):
        answer([], ["f"])
