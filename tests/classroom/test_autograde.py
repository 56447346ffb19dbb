"""Autograding through the judge, on four submissions: points by group, the verdict in the notebook, nothing run."""

import pytest
from course import PARTIAL, SOLVED, adds, answers, cell, copied, reference

from classroom.autograde import judging
from practice.judging import verdict as verdicts

pytestmark = pytest.mark.needs("bubblewrap")


@pytest.fixture(scope="module")
def graded(generated, tmp_path_factory):
    course = copied(generated, tmp_path_factory.mktemp("class"))
    course.mark = course.root / "marker"
    mark = f"open({str(course.mark)!r}, 'w').write('I was here')\n"
    course.hand_in("full", SOLVED)
    course.hand_in("partial", PARTIAL, adds(mark))
    course.hand_in("none", answers(mark + reference()))
    course.hand_in("copied", SOLVED, lambda book: book["cells"].append(dict(cell(book, "points-127"))))
    course.result = course.autograde()
    return course


def test_every_submission_has_its_points(graded):
    assert graded.result["success"], graded.result["log"]
    points = {student: graded.row(student)["points-127"][0] for student in ("full", "partial", "none", "copied")}
    assert points == {"full": 10.0, "partial": 4.5, "none": 0.0, "copied": 10.0}


def test_the_verdict_is_the_graded_cells_output(graded):
    card, value = cell(graded.graded("partial"), "points-127")["outputs"]
    assert "WA wrong answer" in "".join(card["data"]["text/html"])
    assert (value["output_type"], "".join(value["data"]["text/plain"])) == ("execute_result", "4.5")
    others = [c for c in graded.graded("partial")["cells"] if c["cell_type"] == "code" and c.get("outputs")]
    assert len(others) == 1


def test_a_card_in_feedback_points_to_nothing_that_is_not_there(graded):
    html = "".join(cell(graded.graded("partial"), "points-127")["outputs"][0]["data"]["text/html"])
    assert "judge.replay()" not in html and "<a " not in html


def test_no_code_of_a_learner_runs_on_this_machine(graded):
    assert not graded.mark.exists()


def test_grading_again_changes_nothing(graded):
    before = graded.row("partial")
    api = graded.api
    result = api.autograde(graded.chapter, "partial")
    assert result["success"], result
    assert graded.row("partial") == before


def test_feedback_in_chinese_is_chinese(course):
    course.configure('c.Judge.lang = "zh"')
    course.hand_in("none")
    assert course.autograde()["success"]
    said = course.said("none")
    assert "运行出错" in said and "答案还是初始代码" in said
    assert "runtime error" not in said


# what the judge can't judge is left to a person


@pytest.fixture
def alone(course):
    """One right answer handed in."""
    course.hand_in("bob", SOLVED)
    return course


def test_where_the_judge_fails_a_person_decides_and_feedback_does_not_quote_it(alone, monkeypatch):
    def fails(*args, **kwargs):
        raise LookupError("the plan of the hidden test")

    monkeypatch.setattr(judging, "judge", fails)
    result = alone.autograde()
    assert result["success"]
    assert alone.row("bob")["points-127"] == (None, True)
    assert "IE the judge failed" in alone.said("bob") and "LookupError" in alone.said("bob")
    assert "the plan of the hidden test" not in str(alone.graded("bob"))
    assert "the plan of the hidden test" in result["log"]


def test_where_this_machine_lacks_something_a_person_decides(alone, monkeypatch):
    monkeypatch.setattr(verdicts.Problem, "missing", lambda problem: ["torch"])
    assert alone.autograde()["success"]
    assert alone.row("bob")["points-127"] == (None, True)
    assert "needs torch, which is not installed here" in alone.said("bob")


def test_without_bubblewrap_nothing_is_run_and_a_person_decides(alone, monkeypatch):
    from practice.judging import sandbox

    judging.CHILDREN.close()
    monkeypatch.setattr(sandbox, "_why_not", lambda: "it is not installed")
    assert alone.autograde()["success"]
    assert alone.row("bob")["points-127"] == (None, True)
    assert "SandboxUnavailable" in alone.said("bob")


def test_a_graded_cell_of_the_teachers_own_is_left_to_a_person(course):
    """The judge runs no code of a notebook, not even a teacher's; nbgrader by itself would give all points."""
    source = course.root / "source" / course.chapter / f"{course.chapter}.ipynb"
    source.write_text(source.read_text(encoding="utf-8").replace("judge.points(127, 10)", "assert BlockPool(1)"))
    course.generate()
    course.hand_in("bob", SOLVED)
    assert course.autograde()["success"]
    assert course.row("bob")["points-127"] == (None, True)
    assert "graded by hand" in course.said("bob")


def test_feedback_can_keep_the_failing_run_to_itself(course):
    course.configure("c.Judge.show_run = False")
    course.hand_in("bob", PARTIAL)
    assert course.autograde()["success"]
    assert course.row("bob")["points-127"] == (4.5, False)
    assert "WA wrong answer  45/100" in course.said("bob")
    assert ">>>" not in course.said("bob") and "&gt;&gt;&gt;" not in str(course.graded("bob")["cells"][-3:])
