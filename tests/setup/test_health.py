"""health.py sees what pip does not: packages half installed, or installed and then damaged."""

import json
import shutil

import pytest
from bootstrap.health import course, packages


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder on sys.path with one whole package, `aspen` 1.2, as pip leaves it."""
    folder = tmp_path / "lib" / "site-packages"
    info = folder / "aspen-1.2.dist-info"
    info.mkdir(parents=True)
    (folder / "aspen").mkdir()
    (folder / "aspen" / "__init__.py").touch()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "aspen").touch()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: aspen\nVersion: 1.2\n")
    (info / "INSTALLER").write_text("pip\n")
    (info / "RECORD").write_text(
        "aspen/__init__.py,sha256=x,0\n__pycache__/gone.pyc,,\naspen-1.2.dist-info/METADATA,,\n../../bin/aspen,,\n"
    )
    monkeypatch.syspath_prepend(folder)
    return folder


@pytest.fixture
def pins(tmp_path):
    """A pin file that the site fixture satisfies."""
    file = tmp_path / "pins.txt"
    file.write_text(
        "# written by hand\naspen==1.2   # via nothing\n\nbirch==9 ; sys_platform == 'win32'  # elsewhere\n"
    )
    return file


def test_a_whole_package_of_the_pinned_version_is_fine(site, pins):
    assert packages([pins]) == ([], [])


def test_absent_and_outdated_packages_are_missing(site, pins):
    pins.write_text("aspen==1.3\nno-such-package==1\n")
    assert packages([pins]) == (["aspen==1.3", "no-such-package==1"], [])


def test_a_local_version_satisfies_its_pin(site, pins):
    metadata = site / "aspen-1.2.dist-info" / "METADATA"
    metadata.write_text(metadata.read_text().replace("1.2", "1.2+cpu"))
    assert packages([pins]) == ([], [])


@pytest.mark.parametrize(
    "lost", ["aspen", "aspen-1.2.dist-info/INSTALLER", "aspen-1.2.dist-info/RECORD", "../../bin/aspen"]
)
def test_an_interrupted_install_or_a_stray_rm_is_damage(site, pins, lost):
    target = site / lost
    shutil.rmtree(target) if target.is_dir() else target.unlink()
    assert packages([pins]) == ([], ["aspen"])


@pytest.mark.parametrize(
    ("folder", "editable", "installed"), [("here", True, True), ("elsewhere", True, False), ("here", False, False)]
)
def test_the_course_must_be_installed_editable_from_this_folder(tmp_path, monkeypatch, folder, editable, installed):
    info = tmp_path / "site" / "paged_kv_cache_course-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: paged-kv-cache-course\nVersion: 0.1.0\n")
    origin = {"url": (tmp_path / folder).as_uri(), "dir_info": {"editable": editable}}
    (info / "direct_url.json").write_text(json.dumps(origin))
    monkeypatch.syspath_prepend(tmp_path / "site")
    assert course(tmp_path / "here") == (installed, [] if installed else ["paged-kv-cache-course"])
