"""nbgrader as it comes, with kernels: `validate`, and `autograde` without the judge, give the same points as the judge.

Students and teachers may use these at any time; the last one shows as well what the judge keeps from happening.
"""

import io
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from course import CHAPTER, PARTIAL, SOLVED, adds, answers, reference
from nbgrader.validator import Validator

pytestmark = [pytest.mark.slow, pytest.mark.needs("bubblewrap")]
STOCK = (
    "del c.Autograde.exporter_class",
    "del c.Autograde.sanitize_preprocessors",
    "del c.Autograde.autograde_preprocessors",
)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (SOLVED, "Success! Your notebook passes all the tests."),
        (PARTIAL, "Partial credit; passed some but not all of the tests"),
        (lambda book: None, "VALIDATION FAILED ON 1 CELL(S)!"),
    ],
    ids=["full", "partial", "stub"],
)
def test_validate_says_whether_all_points_are_there(course, change, says):
    validator = Validator()
    validator.stream = io.StringIO()
    validator.validate_and_print(str(course.hand_in("bob", change)))
    assert says in validator.stream.getvalue()


def test_stock_autograde_gives_the_same_points_but_runs_the_students_code(course):
    mark = course.root / "marker"
    course.configure(*STOCK)
    course.hand_in("full", SOLVED)
    course.hand_in("partial", PARTIAL)
    course.hand_in("stub")
    course.hand_in("marks", adds(f"open({str(mark)!r}, 'w').write('I was here')\n"), answers(reference()))
    result = course.autograde()
    assert result["success"], result["log"]
    points = {student: course.row(student)["points-127"][0] for student in ("full", "partial", "stub", "marks")}
    assert points == {"full": 10.0, "partial": 4.5, "stub": 0.0, "marks": 10.0}
    assert mark.exists()


@pytest.fixture
def lab(course):
    """JupyterLab, started in the course's folder: get(path) and get(path, data), text."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", f"--port={port}", "--IdentityProvider.token=t"]
    root = ["--allow-root"] if os.geteuid() == 0 else []
    with (course.root / "lab.log").open("w") as log:
        server = subprocess.Popen([*command, *root], cwd=course.root, stdout=log, stderr=log)

    def get(path: str, data: bytes | None = None) -> str:
        """What the server says to GET, or with data to POST."""
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, {"Authorization": "token t"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode()

    try:
        for _ in range(240):
            try:
                get("/api/status")
                break
            except OSError:
                assert server.poll() is None, (course.root / "lab.log").read_text()
                time.sleep(0.25)
        yield get
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)


def test_the_formgrader_opens_on_jupyterlab_and_knows_the_course(course, lab):
    course.hand_in("bob", PARTIAL)
    page = lab("/lab")
    assert '"appVersion": "4.' in page and "@jupyter/nbgrader" in page
    assert "Manage Assignments" in lab("/formgrader/manage_assignments")
    said = json.loads(lab(f"/formgrader/api/submission/{CHAPTER}/bob/autograde", b""))
    assert said["success"], said
    assert "bob 90-tiny: 127 WA 45/100" in said["log"]
    [row] = [row for row in json.loads(lab("/formgrader/api/assignments")) if row["name"] == CHAPTER]
    assert (row["max_score"], row["num_submissions"]) == (15.0, 1)
    [graded] = json.loads(lab(f"/formgrader/api/submissions/{CHAPTER}"))
    assert (graded["student"], graded["score"], graded["needs_manual_grade"]) == ("bob", 4.5, True)
    [submitted] = json.loads(lab(f"/formgrader/api/submitted_notebooks/{CHAPTER}/{CHAPTER}"))
    assert "BEGIN MARK SCHEME" in lab(f"/formgrader/submissions/{submitted['id']}")
