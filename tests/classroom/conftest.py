"""What tests of a class share: no progress, answers or settings of whoever runs them."""

import os

import pytest


@pytest.fixture(scope="session", autouse=True)
def nobodys_home(tmp_path_factory):
    """An empty home for nbgrader and Jupyter, and progress that is nobody's; the environment is restored."""
    before = dict(os.environ)
    home = tmp_path_factory.mktemp("home")
    os.environ |= {
        "JUDGE_DATA": str(home / "progress"),
        "JUPYTER_CONFIG_DIR": str(home / "jupyter"),
        "JUPYTER_DATA_DIR": str(home / "jupyter-data"),
        "IPYTHONDIR": str(home / "ipython"),
    }
    yield home
    os.environ.clear()
    os.environ |= before


@pytest.fixture(scope="session")
def generated(tmp_path_factory, nobodys_home):
    """The small course, with nothing handed in; to be copied."""
    from course import tiny

    return tiny(tmp_path_factory.mktemp("generated"))


@pytest.fixture
def course(generated, tmp_path):
    """A course of one's own."""
    from course import copied

    return copied(generated, tmp_path)
