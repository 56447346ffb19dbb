"""`judge.points(NNN, most)`: a graded cell's last line is a plain number, and the verdict is displayed beside it."""

import pytest
from books import card_in
from house import DOUBLE, RIGHT, WRONG
from IPython.utils.capture import capture_output

from practice.judging import notebook, progress

WITH_A_HELPER = "%%judge 901\ndef double(x):\n    return FACTOR * x\n"


@pytest.fixture
def points(book):
    """points(*cells) -> (value, card, all that was displayed or printed)."""
    notebook.last = None

    def points(*cells, number=901, most=10):
        with capture_output():
            book.run(*cells)
        with capture_output() as said:
            value = notebook.points(number, most)
        return value, card_in(said), said

    return points


def test_an_accepted_answer_is_worth_all_points(points):
    value, card, said = points(f"%%judge 901\n{RIGHT}")
    assert value == 10.0 and type(value) is float
    assert "AC accepted" in card["text/html"]
    assert said.stdout == said.stderr == ""


def test_partial_credit_goes_by_group(points):
    value, card, _ = points(f"%%judge 901\n{WRONG}", most=5)
    assert value == 2.0  # 40 of 100
    assert "40/100" in card["text/html"]


def test_the_starter_is_worth_nothing(points):
    value, card, _ = points(f"%%judge 901\n{DOUBLE['starter.py']}")
    assert value == 0.0
    assert "0/100" in card["text/html"]


def test_points_are_rounded_to_two_places(points):
    assert points(f"%%judge 901\n{WRONG}", most=0.33)[0] == 0.13


def test_the_cell_that_was_just_judged_is_not_judged_again(points, monkeypatch):
    judged = []
    original = notebook.judge
    monkeypatch.setattr(notebook, "judge", lambda *args, **kwargs: judged.append(1) or original(*args, **kwargs))
    assert points(f"%%judge 901\n{RIGHT}")[0] == 10.0
    assert len(judged) == 1


def test_what_the_answer_uses_of_other_cells_counts(points):
    assert points("FACTOR = 2", WITH_A_HELPER)[0] == 10.0


def test_an_answer_without_the_magic_is_gathered(points):
    assert points("FACTOR = 2", "def double(x):\n    return FACTOR * x\n")[0] == 10.0


def test_nothing_is_saved_or_recorded_by_it(points, book):
    assert points(RIGHT)[0] == 10.0
    assert not book.saved.exists()
    assert progress.states() == {}


def test_where_nbgrader_runs_the_notebook_the_judged_cell_saves_nothing_either(points, book, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert points(f"%%judge 901\n{RIGHT}")[0] == 10.0
    assert not book.saved.exists()
    assert progress.states() == {}


def test_no_answer_is_worth_nothing_and_says_so(points):
    value, card, said = points("x = 1")
    assert (value, card) == (0.0, None)
    assert said.stdout == "No cell that has run defines double: run the cell with your answer first.\n"


def test_an_unknown_problem_is_worth_nothing_and_says_so(points):
    value, card, said = points(number=999)
    assert (value, card) == (0.0, None)
    assert said.stdout == "there is no problem 999; there are 901\n"


def test_the_front_door_has_it(points):
    import judge

    with capture_output():
        assert judge.points(999, 10) == 0.0
