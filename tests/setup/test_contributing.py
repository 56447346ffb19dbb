"""The problem that CONTRIBUTING.md shows is complete: written out as it stands there, it passes its own proof."""

import re
from pathlib import Path

import pytest

from practice.judging import catalogue, proof

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


FENCE = re.compile(r"```\w+\n(.*?)```", re.DOTALL)
NAMES = re.compile(r"`([\w/]+(?:\.\w+)+)`(?: and `([\w/]+(?:\.\w+)+)`)?")


@pytest.fixture
def problem(tmp_path):
    """The files of 199: a fenced block goes to the file, or the two, that the paragraph above it names first."""
    folder = tmp_path / "199-blocks-needed"
    section = TEXT.split("## A problem in five minutes")[1].split("Then have it proved")[0]
    prose_and_blocks = FENCE.split(section)[:-1]
    for prose, block in zip(prose_and_blocks[::2], prose_and_blocks[1::2], strict=True):
        paragraph = prose.strip().split("\n\n")[-1]
        for name in filter(None, NAMES.search(paragraph).groups()):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(
                block.replace("practice/problems/199-blocks-needed", str(folder)), encoding="utf-8"
            )
    return catalogue.read(folder)


def test_it_has_every_file_that_the_judge_reads(problem):
    written = {file.relative_to(problem.folder).as_posix() for file in problem.folder.rglob("*") if file.is_file()}
    shipped = ROOT / "practice" / "problems" / "121-utilisation"
    assert {name for name in written if "/" not in name} == {file.name for file in shipped.iterdir() if file.is_file()}
    assert {"wrong", "right"} == {name.split("/")[0] for name in written if "/" in name}


def test_its_tests_tell_right_from_wrong(problem):
    trials = proof.prove(problem, jobs=2)
    assert [(trial.name, trial.verdict.verdict) for trial in trials if not trial.as_it_should_be] == []
    assert {trial.kind for trial in trials} == {"starter", "reference", "right", "wrong"}


def test_its_points_come_to_a_hundred(problem):
    assert sum(group.points for group in problem.groups) == 90
    assert len(problem.hints("en")) == 3
