"""One JupyterLab for all browser tests; every test opens pages of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browser.lab import Lab, copy_course, run_all, serve_lab, write_notebook


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the course, with a notebook that only shows the explorer."""
    folder = tmp_path_factory.mktemp("course")
    copy_course(folder)
    write_notebook(folder / "explorer.ipynb", "from paged.widgets import explorer\nw = explorer(lang='en')\nw", "w", "")
    return folder


@pytest.fixture(scope="session")
def lab(course: Path) -> Iterator[Lab]:
    with serve_lab(course) as lab:
        yield lab


@pytest.fixture
def open_notebook(lab: Lab, browser: Browser) -> Iterator[Callable[..., Page]]:
    """`open_notebook(path, run=True, **viewport)`; afterwards no console error and no request to outside may remain."""
    lab.errors.clear()
    lab.outside.clear()
    pages = []

    def open_notebook(path: str, run: bool = True, **viewport: int) -> Page:
        page = lab.open(browser, path, **viewport)
        pages.append(page)
        if run:
            run_all(page)
        return page

    yield open_notebook
    for page in pages:
        page.close()
    assert lab.errors == []
    assert lab.outside == []
