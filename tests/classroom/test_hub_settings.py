"""class.toml, the accounts that it asks for, and what a server starts with; JupyterHub itself is not needed."""

import os
import pwd
import re
import urllib.parse
from types import SimpleNamespace

import pytest

from classroom.hub import accounts, server, settings
from practice.judging.catalogue import ROOT

HUB = ROOT / "classroom" / "hub"
EXAMPLE = (HUB / "class.example.toml").read_text(encoding="utf-8")


@pytest.fixture
def load(tmp_path):
    """Settings from the example, with some text in it replaced."""

    def with_change(old: str = "", new: str = "") -> settings.Settings:
        assert old in EXAMPLE
        path = tmp_path / "class.toml"
        path.write_text(EXAMPLE.replace(old, new), encoding="utf-8")
        return settings.load(path)

    return with_change


def test_the_example_is_a_class_of_two(load):
    [course] = load().courses
    assert (course.name, course.grader, course.group) == ("paged-kv-cache", "grader-paged", "class-paged-kv-cache")
    assert load().people == {"ada", "ben", "cleo", "grader-paged"}
    assert load().graded_by("grader-paged") == course
    assert load().graded_by("ada") is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"ben"', '"ben+1"', r"'ben\+1' in paged-kv-cache is no account"),
        ('"ben"', '"../ben"', r"'\.\./ben' in paged-kv-cache is no account"),
        ('["ben", "cleo"]', '["ben", "ada"]', "ada would be student and teacher of paged-kv-cache"),
        ("[courses.paged-kv-cache]", '[courses."Paged KV"]', "a course can't be called 'Paged KV'"),
        ('"systemd"', '"docker"', "spawner is 'docker'"),
        ('language = "en"', 'language = "fr"', "language is 'fr'"),
        ("cpus = 1.0", "cpus = 0", "cpus is 0"),
        ('grader = "grader-paged"', "", "grader"),
        ("memory =", "memroy =", "memroy"),
        ("[courses.paged-kv-cache]", "[courses.paged-kv-cache", "TOMLDecodeError"),
    ],
)
def test_what_can_not_be_meant_is_refused(load, old, new, said):
    with pytest.raises(settings.BadSettings, match=said):
        load(old, new)


def test_one_account_grades_one_course(load):
    second = 'students = ["ben", "cleo"]\n[courses.other]\ngrader = "grader-paged"\ninstructors = []\nstudents = []'
    with pytest.raises(settings.BadSettings, match="grader-paged grades paged-kv-cache"):
        load('students = ["ben", "cleo"]', second)


@pytest.mark.parametrize("mode", [0o755, 0o751, 0o752])
def test_a_folder_that_others_can_get_at_is_no_private_one(tmp_path, mode):
    tmp_path.chmod(mode)
    with pytest.raises(settings.BadSettings, match=rf"has mode 0{mode:o}.*chmod o-rwx"):
        settings.closed(tmp_path)
    tmp_path.chmod(0o750)
    settings.closed(tmp_path)


def test_accounts_asks_for_what_is_missing_and_for_nothing_else(load, monkeypatch):
    known = [SimpleNamespace(gr_name="class-paged-kv-cache", gr_mem=["ada"])]
    monkeypatch.setattr(accounts.grp, "getgrall", lambda: known)
    there = [SimpleNamespace(pw_name=name) for name in ("root", "ada", "ben", "cleo")]
    monkeypatch.setattr(accounts.pwd, "getpwall", lambda: there)
    assert accounts.commands(load()) == [
        "useradd --create-home --shell /bin/bash grader-paged",
        "chmod 700 ~grader-paged",
        "usermod --append --groups class-paged-kv-cache grader-paged",
        "usermod --append --groups class-paged-kv-cache ben",
        "usermod --append --groups class-paged-kv-cache cleo",
        "groupadd graders",
        "usermod --append --groups graders grader-paged",
    ]


@pytest.fixture
def spawner(tmp_path, monkeypatch):
    """A spawner for someone whose home is tmp_path."""
    monkeypatch.setattr(pwd, "getpwnam", lambda name: SimpleNamespace(pw_dir=str(tmp_path)))
    return lambda name: SimpleNamespace(user=SimpleNamespace(name=name))


def test_a_start_closes_the_home(load, spawner, tmp_path):
    tmp_path.chmod(0o755)
    server.prepare_server(spawner("ben"), load())
    assert os.stat(tmp_path).st_mode & 0o777 == 0o700


def test_only_the_grader_hears_of_the_pack_and_gets_formgrader(load, spawner, tmp_path):
    wanted = load("# pack", "pack")
    grader, student, instructor = (spawner(name) for name in ("grader-paged", "ben", "ada"))
    for each in (grader, student, instructor):
        server.prepare_server(each, wanted)
    assert grader.environment["JUDGE_PACK"] == "/srv/paged/pack"
    assert (grader.args, grader.environment["PYTHONPATH"]) == ([], "/srv/paged/teacher")
    for each in (student, instructor):
        assert "JUDGE_PACK" not in each.environment
        assert each.args == [server.NO_FORMGRADER]
        assert each.environment["PYTHONPATH"] == str(tmp_path / "paged-kv-cache-course")


def test_a_students_server_opens_on_the_update(load, spawner):
    student = spawner("ben")
    server.prepare_server(student, load('language = "en"', 'language = "zh"'))
    page, _, asked = student.default_url.partition("?")
    assert page == "/git-pull"
    assert dict(urllib.parse.parse_qsl(asked)) == {
        "repo": "/srv/paged/student.git",
        "branch": "main",
        "targetPath": "paged-kv-cache-course",
        "urlpath": "lab/tree/paged-kv-cache-course/notebooks/zh/01-why-page.ipynb",
    }


def test_both_readmes_give_the_same_commands():
    english, chinese = ((HUB / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh.md"))
    blocks = [re.findall(r"(?:<!-- tested -->\n)?```\w+\n.*?```", text, re.DOTALL) for text in (english, chinese)]
    assert len(blocks[0]) >= 8
    assert blocks[0] == blocks[1]
