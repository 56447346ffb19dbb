"""Which language the judge speaks: --lang, then LANG_EDITION, then the notebook's folder, then the locale."""

import pytest

from practice.judging import language


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch, tmp_path):
    for name in ("LANG_EDITION", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def stand_in(tmp_path, monkeypatch, folder):
    (tmp_path / folder).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / folder)


def test_english_when_nothing_is_said():
    assert language.choose() == "en"


@pytest.mark.parametrize(
    ("variables", "chosen"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh"),
        ({"LANG": "en_US.UTF-8", "LANG_EDITION": "zh"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LANG_EDITION": "en"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LANG_EDITION": "fr"}, "zh"),
    ],
)
def test_edition_and_locale(monkeypatch, variables, chosen):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language.choose() == chosen


@pytest.mark.parametrize(
    ("folder", "chosen"),
    [("notebooks/zh", "zh"), ("notebooks/zh/deeper", "zh"), ("notebooks/en", "en"), ("notebooks", "en"), ("zh", "en")],
)
def test_the_folder_of_a_notebook(tmp_path, monkeypatch, folder, chosen):
    stand_in(tmp_path, monkeypatch, folder)
    assert language.choose() == chosen


def test_the_nearest_notebooks_folder_counts(tmp_path, monkeypatch):
    """The course itself may lie in somebody's folder of notebooks."""
    stand_in(tmp_path, monkeypatch, "notebooks/course/notebooks/zh")
    assert language.choose() == "zh"


def test_each_is_stronger_than_the_next(tmp_path, monkeypatch):
    stand_in(tmp_path, monkeypatch, "notebooks/en")
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert language.choose() == "en"
    monkeypatch.setenv("LANG_EDITION", "zh")
    assert language.choose() == "zh"
    assert language.choose("en") == "en"


def test_an_option_that_is_no_language_is_refused_with_those_that_are():
    with pytest.raises(ValueError, match=r"'fr'.*en or zh"):
        language.choose("fr")
