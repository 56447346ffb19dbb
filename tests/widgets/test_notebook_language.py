"""Labels follow LANG_EDITION, then the notebook's folder, then the locale."""

from pathlib import Path

import pytest

from paged.widgets import explorer


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    def place(folder: str = "elsewhere", **environment: str) -> None:
        for name in ("LANG_EDITION", "LC_ALL", "LC_MESSAGES", "LANG"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        path = tmp_path / folder
        path.mkdir(parents=True, exist_ok=True)
        monkeypatch.chdir(path)

    return place


def test_an_argument_beats_everything(place) -> None:
    place("notebooks/zh", LANG_EDITION="zh", LANG="zh_CN.UTF-8")
    assert explorer(lang="en").lang == "en"


def test_lang_edition_beats_the_folder(place) -> None:
    place("notebooks/zh", LANG_EDITION="en")
    assert explorer().lang == "en"


@pytest.mark.parametrize("folder", ["notebooks/zh", "notebooks/zh/deeper"])
def test_the_folder_beats_the_locale(place, folder: str) -> None:
    place(folder, LANG="en_US.UTF-8")
    assert explorer().lang == "zh"


def test_a_folder_that_only_looks_like_an_edition_does_not_count(place) -> None:
    place("zh/notebooks", LANG="en_US.UTF-8")
    assert explorer().lang == "en"


def test_the_locale_decides_elsewhere(place) -> None:
    place(LANG="zh_CN.UTF-8")
    assert explorer().lang == "zh"
    place(LANG="zh_CN.UTF-8", LC_ALL="C")
    assert explorer().lang == "en"
