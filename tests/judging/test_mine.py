"""`judge.mine(NNN)`: later cells go on with the learner's accepted answer, or with the library's, and say which."""

import pytest
from house import RIGHT, WRONG
from IPython.utils.capture import capture_output

from practice.judging import catalogue, workspace
from practice.judging.mine import mine


@pytest.fixture
def plain(house, double, monkeypatch):
    """The course without a notebook."""
    monkeypatch.setattr(catalogue, "all_problems", lambda folder=None: [double])
    monkeypatch.setattr(catalogue, "ROOT", house.root)
    monkeypatch.setattr(workspace, "WORKSPACE", house.workspace)


LIBRARYS = "What stands in `practice/workspace/901-double.py` is no accepted answer, so this is the library's."
OWN = RIGHT + "\nWHOSE = 'mine'\n"


def test_an_accepted_answer_is_the_learners(book):
    book.run(OWN)
    book.check()
    with capture_output() as said:
        book.run("import judge; own = judge.mine(901)", "print(own.double(4), own.__name__)")
    assert said.stdout == "8 answer_901\n"  # which a chapter may compare with what it says will be printed
    [line] = [output.data["text/markdown"] for output in said.outputs if "text/markdown" in output.data]
    assert "*your* accepted answer to 901" in line and "901-double.py" in line


def test_before_that_it_is_the_librarys(plain, capsys):
    assert mine(901).double(21) == 42
    assert capsys.readouterr() == (
        "",
        LIBRARYS + "\n",
    )


def test_a_notebook_says_so_too(book):
    with capture_output() as said:
        book.run("import judge; own = judge.mine(901)")
    assert said.stdout == ""
    assert said.outputs[0].data["text/markdown"] == LIBRARYS


@pytest.mark.parametrize("source", [WRONG, OWN + "# changed after it was accepted\n"])
def test_what_was_not_accepted_as_it_stands_is_not_used(book, double, source):
    book.run(OWN)
    book.check()
    workspace.save(double, source)
    assert not hasattr(mine(901), "WHOSE")


def test_a_dataclass_in_the_answer_works(book):
    book.run(
        "from dataclasses import dataclass\n@dataclass\nclass Box:\n    x: int\n\n"
        "def double(x):\n    return Box(2 * x).x\n"
    )
    book.check()
    assert mine("double").double(3) == 6


def test_an_unknown_problem_is_an_error(plain):
    with pytest.raises(catalogue.UnknownProblem):
        mine(999)
