"""`make lab`: the right notebook, a port that is free, and one line when something is in the way."""

import importlib.util
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from bootstrap.wording import learner_language

ROOT = Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("open_lab", ROOT / "tools" / "lab.py")
lab = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lab)


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LANG_EDITION": "en"}, "en"),
        ({"LANG": "en_US.UTF-8", "LANG_EDITION": "zh"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LANG_EDITION": ""}, "zh"),
    ],
)
def test_the_edition_decides_then_the_locale(environ, language):
    assert learner_language(environ) == language


@pytest.mark.parametrize("language", ["en", "zh"])
def test_chapter_one_is_there_in_both_languages(language):
    path = lab.chapter_one(language)
    assert path.startswith(f"notebooks/{language}/01-")
    assert (ROOT / path).is_file()


def test_notebooks_that_were_not_built_are_named(monkeypatch, tmp_path):
    monkeypatch.setattr(lab, "ROOT", tmp_path)
    with pytest.raises(FileNotFoundError, match="notebooks/zh holds no chapter 1"):
        lab.chapter_one("zh")


@pytest.fixture
def opened(monkeypatch):
    """The addresses that Python's webbrowser module was asked to open; no variable says that there are windows."""
    addresses = []
    monkeypatch.setattr(lab.webbrowser, "open", lambda url: addresses.append(url) or True)
    monkeypatch.setattr(lab.sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    return addresses


def test_a_server_without_windows_opens_no_browser(opened):
    assert lab.open_browser("http://127.0.0.1:1/") is False
    assert opened == []


@pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"])
def test_a_desktop_opens_its_browser(opened, monkeypatch, name):
    monkeypatch.setenv(name, ":0")
    assert lab.open_browser("http://127.0.0.1:1/") is True
    assert opened == ["http://127.0.0.1:1/"]


def test_wsl_opens_the_browser_of_windows(opened, monkeypatch, tmp_path):
    (tmp_path / "powershell.exe").write_text(f'#!/bin/sh\nprintf %s "$3" > "{tmp_path}/asked"\n')
    (tmp_path / "powershell.exe").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("WSL_DISTRO_NAME", "Ubuntu")
    assert lab.open_browser("http://127.0.0.1:1/?token=a") is True
    assert (tmp_path / "asked").read_text() == "Start-Process 'http://127.0.0.1:1/?token=a'"
    assert opened == []


@pytest.fixture
def taken():
    """A port of this machine that somebody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_taken_port_that_was_asked_for_is_refused(taken):
    with pytest.raises(OSError, match=f"port {taken} is taken; choose another"):
        lab.choose_port(taken)


def test_without_a_wish_a_taken_port_is_passed_over(taken, monkeypatch):
    monkeypatch.setattr(lab, "FIRST_PORT", taken)
    assert taken < lab.choose_port(None) < taken + lab.TRIED


def test_a_taken_port_ends_the_command_with_one_line(taken, monkeypatch, capsys):
    monkeypatch.setattr(lab.sys, "argv", ["lab.py", "--port", str(taken)])
    assert lab.main() == 1
    assert capsys.readouterr().out == f"port {taken} is taken; choose another: make lab PORT=9000\n"


def test_a_learner_sees_none_of_the_teachers_menus():
    """JupyterLab reads labconfig/page_config.json in every folder of JUPYTER_CONFIG_PATH."""
    code = "from jupyterlab_server.config import get_static_page_config as get; print(get()['disabledExtensions'])"
    environ = {**os.environ, "JUPYTER_CONFIG_PATH": str(lab.SETTINGS)}
    said = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True).stdout
    assert "'@jupyter/nbgrader': True" in said
