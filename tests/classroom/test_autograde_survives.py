"""nbgrader's autograde with the judge in it: points by group, reasons, and one submission's trouble stays its own.

What nbgrader by itself makes of these submissions: whoever duplicates a test cell stops the whole class; a warning on
stderr, a deleted test cell, stripped metadata and another file name cost a right answer its points; transformers of
IPython and `__eq__` earn points for a wrong one, and a write to the gradebook any number.
"""

import json
import sqlite3

import pytest
from course import PARTIAL, SOLVED, adds, answers, cell, copied, reference

pytestmark = [pytest.mark.needs("bubblewrap"), pytest.mark.slow]
LOUD = "import sys, warnings\nprint('careful', file=sys.stderr)\nwarnings.warn('NNPACK')\n"
RIGHT = ["good", "loud", "edited test", "deleted test", "copied test", "retyped test", "stripped", "old schema"]
RIGHT += ["copied answer", "retyped answer", "helper", "huge", "renamed"]
TRANSFORM = """import ast
class Pass(ast.NodeTransformer):
    def visit_Call(self, node):
        return ast.copy_location(ast.Constant(10.0), node)
get_ipython().ast_transformers.append(Pass())
"""
INPUT = "get_ipython().input_transformers_post.append(lambda lines: ['10.0\\n'])\n"
EQUAL = """class Anything(int):
    __eq__ = lambda self, other: True
    __hash__ = int.__hash__
class Everything(list):
    __eq__ = lambda self, other: True
class BlockPool:
    def __init__(self, num_blocks): self.ref_cnt, self.copies = Everything(), Everything()
    def num_free(self): return Anything()
    def allocate(self, n): return Everything()
    def free(self, blocks): pass
    share = free
class Sequence:
    def __init__(self, pool, block_size): self.num_tokens, self.block_table = Anything(), Everything()
    def append(self, n): pass
    def fork(self): return Sequence(None, 1)
    def slot_mapping(self, positions): return Everything()
    def free(self): pass
"""
EMPTY = "class BlockPool: pass\nclass Sequence: pass\n"
NO_ASSERTS = "import builtins\nbuiltins.AssertionError = type('Nothing', (BaseException,), {})\n" + EMPTY
SWALLOWS = """class Quiet:
    def __init__(self, *args): pass
    def __getattr__(self, name):
        try:
            raise AttributeError(name)
        except AttributeError:
            return lambda *args: self
class BlockPool(Quiet): pass
class Sequence(Quiet): pass
"""
READS = f"""import os
for folder, folders, names in os.walk("/"):
    folders[:] = {{*folders}} - {{"py", "site", "usr", "lib", "lib64", "proc", "sys"}}  # Python's and the system's own
    for name in {{"tests.py", "oracle.py", "gradebook.db"}} & {{*names}}:
        text = open(os.path.join(folder, name), "rb").read()
        if b"practice.judging" in text or b"sub" b"mitted_assignment" in text or b"num_blocks" in text:
            print("FO" + "UND", folder)
{EMPTY}"""


def writes(path) -> str:
    """Code that leaves a mark wherever it is run outside the sandbox."""
    return f"open({str(path)!r}, 'a').write('I was here')\n"


def forges(database) -> str:
    return (
        f"import sqlite3\nd = sqlite3.connect({str(database)!r})\n"
        "d.execute('UPDATE grade SET auto_score = 10, manual_score = 10')\nd.commit()\n"
    )


def doubled(grade_id: str):
    def change(book):
        one = cell(book, grade_id)
        book["cells"].insert(book["cells"].index(one) + 1, json.loads(json.dumps(one)))

    return change


def deleted(grade_id: str):
    return lambda book: book["cells"].remove(cell(book, grade_id))


def edited(grade_id: str, source: str):
    return lambda book: cell(book, grade_id).update(source=source)


def retyped(grade_id: str, kind: str):
    def change(book):
        one = cell(book, grade_id)
        one["cell_type"] = kind
        one.pop("outputs", None)
        one.pop("execution_count", None)

    return change


def marks(grade_id: str, **changed):
    return lambda book: cell(book, grade_id)["metadata"]["nbgrader"].update(changed)


def stripped(book):
    for one in book["cells"]:
        one["metadata"] = {}


@pytest.fixture(scope="module")
def marker(tmp_path_factory):
    return tmp_path_factory.mktemp("marks") / "marker"


@pytest.fixture(scope="module")
def course(generated, tmp_path_factory, marker):
    """All of them handed in and graded in one run."""
    course = copied(generated, tmp_path_factory.mktemp("class"))
    run = writes(marker)
    cases = {
        "good": [SOLVED],
        "partial": [PARTIAL],
        "blank": [],
        "loud": [answers(LOUD + reference())],
        "edited test": [SOLVED, edited("points-127", "1 / 0")],
        "ten by hand": [edited("points-127", "10.0")],
        "deleted test": [SOLVED, deleted("points-127")],
        "copied test": [SOLVED, doubled("points-127"), doubled("points-127")],
        "retyped test": [SOLVED, retyped("points-127", "markdown")],
        "raised points": [PARTIAL, marks("points-127", points=100)],
        "stripped": [SOLVED, stripped],
        "old schema": [SOLVED, marks("answer-127", schema_version=1), marks("points-127", schema_version=99)],
        "copied answer": [SOLVED, doubled("answer-127")],
        "retyped answer": [SOLVED, retyped("answer-127", "raw")],
        "helper": [adds("START = 0\n"), answers(reference().replace("[0] * num_blocks", "[START] * num_blocks"))],
        "endless": [answers("while True: pass\n")],
        "exit": [answers("import os\nos._exit(0)\n")],
        "transformer": [adds(TRANSFORM)],
        "input": [adds(INPUT)],
        "equal": [answers(EQUAL)],
        "sys.exit": [answers("import sys\nsys.exit(0)\n")],
        "no asserts": [answers(NO_ASSERTS)],
        "swallows": [answers(SWALLOWS)],
        "reads": [answers(READS)],
        "forger": [adds(forges(course.root / "gradebook.db")), answers(forges(course.root / "gradebook.db"))],
        "marks": [answers(run + reference()), adds(run), adds(run, place=0), edited("points-127", run)],
        "huge": [SOLVED, adds("1", outputs=[{"output_type": "stream", "name": "stdout", "text": "x" * (1 << 24)}])],
    }
    for student, changes in cases.items():
        course.hand_in(student, *changes)
    course.hand_in("renamed", SOLVED, name="my answer (1)")
    course.folder("empty")
    (course.folder("junk") / "90-tiny.ipynb").write_text("<html>Log in first</html>")
    course.result = course.autograde()
    return course


def test_no_submission_stops_the_class_and_none_is_left_out(course):
    assert course.result["success"], course.result["log"]
    students = [folder.name for folder in (course.root / "submitted").iterdir()]
    assert len(students) == 30
    for student in students:
        assert course.graded(student)["cells"]
        assert course.row(student).keys() == {"points-127", "explain-90"}


@pytest.mark.parametrize("student", RIGHT)
def test_a_right_answer_has_its_points_whatever_became_of_the_notebook(course, student):
    assert course.row(student) == {"points-127": (10.0, False), "explain-90": (None, True)}
    assert "127 Block pool, fork and copy-on-write  AC accepted  100/100" in course.said(student)


@pytest.mark.parametrize("student", ["partial", "raised points"])
def test_partial_credit_goes_by_group_and_the_points_are_the_courses(course, student):
    assert course.row(student)["points-127"] == (4.5, False)
    assert "WA wrong answer  45/100" in course.said(student)
    assert "The shortest run that goes wrong:" in course.said(student)


@pytest.mark.parametrize(
    ("student", "reason"),
    [
        ("blank", "127: the answer is still the starter"),
        ("ten by hand", "were put back: points-127"),
        ("endless", "TLE too slow"),
        ("exit", "RE runtime error"),
        ("transformer", "the answer is still the starter"),
        ("input", "the answer is still the starter"),
        ("equal", "  0/100"),
        ("sys.exit", "loading the file raised SystemExit"),
        ("no asserts", "  0/100"),
        ("swallows", "  0/100"),
        ("reads", "  0/100"),
        ("forger", "loading the file raised"),
        ("empty", "this is no notebook that can be read: there is no such file"),
        ("junk", "this is no notebook that can be read: it is not JSON"),
    ],
)
def test_what_is_no_answer_has_no_points_and_a_reason(course, student, reason):
    assert course.row(student)["points-127"] == (0.0, False)
    assert reason in course.said(student)


def test_who_looks_for_tests_and_grades_finds_none(course):
    assert "TypeError: BlockPool() takes no arguments" in course.said("reads")
    assert "FOUND" not in course.said("reads")


@pytest.mark.parametrize(
    ("student", "remark"),
    [
        ("edited test", "cells of the assignment had been changed or were missing, and were put back: points-127"),
        ("deleted test", "and were put back: points-127"),
        ("retyped test", "and were put back: points-127"),
        ("renamed", "90-tiny.ipynb was not handed in; my answer (1).ipynb was graded in its place"),
        ("copied answer", "2 cells are marked as the answer; the one that counts is cell 5 of the notebook"),
        ("retyped answer", "the answer stands in a raw cell and was taken from there"),
    ],
)
def test_what_was_odd_is_said_in_the_feedback(course, student, remark):
    assert remark in course.said(student)


def test_nothing_is_said_where_nothing_is_odd(course):
    for student in ("good", "partial", "loud", "copied test", "huge"):
        assert "About this submission" not in course.said(student)


def test_a_task_waits_for_a_person_unless_nothing_was_handed_in(course):
    assert course.row("blank")["explain-90"] == (None, True)
    assert course.row("empty")["explain-90"] == course.row("junk")["explain-90"] == (0.0, False)


def test_no_code_of_a_learner_runs_outside_the_sandbox(course, marker):
    assert not marker.exists()
    assert course.row("marks")["points-127"] == (0.0, False)  # its answer could not write, and raised
    with sqlite3.connect(course.root / "gradebook.db") as database:
        assert database.execute("SELECT COUNT(*) FROM grade WHERE manual_score IS NOT NULL").fetchone() == (0,)


def test_the_courses_own_cells_stand_once_in_every_graded_notebook(course):
    for student in ("good", "stripped", "copied test", "deleted test", "empty", "copied answer"):
        names = [one["metadata"].get("nbgrader", {}).get("grade_id") for one in course.graded(student)["cells"]]
        assert [names.count(name) for name in ("points-127", "explain-90")] == [1, 1]
        assert names.count("answer-127") <= 1


def test_the_graded_cell_is_the_courses_again(course):
    for student in ("edited test", "ten by hand", "marks", "retyped test"):
        graded = cell(course.graded(student), "points-127")
        assert (graded["cell_type"], "".join(graded["source"])) == ("code", "judge.points(127, 10)")


def test_the_log_has_a_line_for_each_submission(course):
    assert "[INFO] good 90-tiny: 127 AC 100/100" in course.result["log"]
    assert "[INFO] empty 90-tiny: this is no notebook that can be read: there is no such file" in course.result["log"]


def test_outputs_that_were_handed_in_stay_behind(course):
    path = course.root / "autograded" / "huge" / "90-tiny" / "90-tiny.ipynb"
    assert path.stat().st_size < 200_000
