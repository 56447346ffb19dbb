"""What tests of the judge share: a house of their own, and progress that is never the learner's."""

import sys

import pytest
from house import House

from practice.judging import catalogue, workspace
from practice.judging.warm import Children


@pytest.fixture(autouse=True)
def own_progress(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("JUDGE_DATA", str(tmp_path_factory.mktemp("progress")))


@pytest.fixture
def house(tmp_path):
    """A copy of the judge, with the tiny problem 901; what this process has imported of it is forgotten afterwards."""
    root, home = tmp_path / "course", tmp_path / "home"
    for folder in (root / "practice", home):
        folder.mkdir(parents=True)
    yield House(root, home)
    for name in [name for name in sys.modules if name.startswith("problem_90")]:
        del sys.modules[name]


@pytest.fixture
def double(house):
    """The problem 901, read in this process."""
    return catalogue.read(house.problems / "901-double")


@pytest.fixture
def book(house, double, monkeypatch):
    """An open notebook in the house, in which 901 is the only problem."""
    from books import opened

    monkeypatch.setattr(catalogue, "all_problems", lambda folder=None: [double])
    monkeypatch.setattr(catalogue, "ROOT", house.root)
    monkeypatch.setattr(workspace, "WORKSPACE", house.workspace)
    monkeypatch.setenv("LANG_EDITION", "en")
    monkeypatch.setenv("IPYTHONDIR", str(house.home / "ipython"))
    monkeypatch.chdir(house.home)
    with opened(house) as notebook:
        yield notebook


@pytest.fixture(scope="module")
def children():
    """Warm children for all tests of a file."""
    kept = Children()
    yield kept
    kept.close()
