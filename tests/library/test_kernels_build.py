"""The native kernel is compiled once, kept whole, and never taken for another's; what is missing is said."""

import os
import platform
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

with suppress(ModuleNotFoundError):  # the mark below takes this file out where torch is missing
    import torch
    from kernel_cases import SHAPES, TOLERANCE, batch, error

    from paged.attention import attention_over
    from paged.kernels import BackendUnavailable, build, native

pytestmark = pytest.mark.needs("torch")
needs_compiler = pytest.mark.needs("compiler")

# A compiler's two answers: its predefined macros, and a file at the last argument.
PRETENDS = 'case "$*" in *-dM*) echo "#define __AVX2__ 1"; exit;; esac; for last; do :; done; touch "$last"'


@pytest.fixture(autouse=True)
def own_cache_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "cache_folder", lambda: tmp_path / "kernels")
    native._kernel.cache_clear()
    yield
    native._kernel.cache_clear()


@pytest.fixture
def compiler_script(tmp_path, monkeypatch):
    """CXX is a script that notes its arguments and then does what it is told."""

    def write(then: str) -> Path:
        log, script = tmp_path / "log", tmp_path / "cxx"
        script.write_text(f'#!/bin/sh\necho "$@" >> {log}\n{then}\n')
        script.chmod(0o755)
        log.touch()
        monkeypatch.setenv("CXX", str(script))
        return log

    return write


def attend():
    cache = torch.ones(2, 4, 1, 8)
    return attention_over(torch.ones(1, 1, 8), cache, cache, [[0]], [3], [0, 1], 1.0, backend="native")


@needs_compiler
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="only x86 has vectors of two widths")
@pytest.mark.parametrize("stage", ["decode", "mixed"])
def test_narrow_vectors_come_to_the_same(stage, monkeypatch):
    """A processor with AVX-512 would never run what the others do."""
    monkeypatch.setenv("CXX", f"{build.compiler()[0]} -mno-avx512f")
    for name, shape in SHAPES.items():
        b = batch(*shape, stage=stage)
        tables = (b.block_tables, b.seq_lens, b.starts)
        out = attention_over(b.q, b.k_cache, b.v_cache, *tables, b.scale, backend="native")
        assert error(out, b.expected) < TOLERANCE[torch.float32], name


def test_compiles_once_and_leaves_one_file(compiler_script, tmp_path):
    log = compiler_script(PRETENDS)
    first = build.library()
    assert build.library() == first
    assert sum("-o" in line.split() for line in log.read_text().splitlines()) == 1
    assert [file.name for file in (tmp_path / "kernels").iterdir()] == [first.name]


def test_another_source_flag_processor_or_compiler_gets_a_library_of_its_own(compiler_script, tmp_path, monkeypatch):
    compiler_script(PRETENDS)
    paths = {build.library()}
    for name in build.SOURCES:
        shutil.copytree(build.FOLDER, tmp_path / name)
        with (tmp_path / name / name).open("a") as changed:
            changed.write("// one line more\n")
        monkeypatch.setattr(build, "FOLDER", tmp_path / name)
        paths.add(build.library())
    monkeypatch.setattr(build, "FLAGS", (*build.FLAGS, "-fno-math-errno"))
    paths.add(build.library())
    compiler_script(PRETENDS.replace("__AVX2__", "__AVX512F__"))
    paths.add(build.library())
    moved = tmp_path / "another-cxx"
    moved.symlink_to(tmp_path / "cxx")
    monkeypatch.setenv("CXX", str(moved))
    paths.add(build.library())
    assert len(paths) == 7
    assert all(path.exists() for path in paths)


@pytest.mark.slow
@needs_compiler
def test_processes_that_compile_at_once_all_get_a_working_kernel(tmp_path):
    code = """
import torch
from paged.attention import attention_over
cache = torch.ones(2, 4, 1, 8)
print(attention_over(torch.ones(1, 1, 8), cache, cache, [[0]], [3], [0, 1], 1.0, backend="native").sum().item())
"""
    environ = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    running = [
        subprocess.Popen([sys.executable, "-c", code], env=environ, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    assert [process.communicate()[0].strip() for process in running] == ["8.0"] * 3
    left = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert [file.suffix for file in left] == [".so"]


@needs_compiler
def test_no_word_of_warning_from_the_compiler(tmp_path):
    command = [*build.compiler(), *build.FLAGS, "-Wall", "-Wextra", "-Werror", str(build.FOLDER / build.SOURCES[0])]
    done = subprocess.run([*command, "-o", str(tmp_path / "out.so")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_without_a_compiler_it_says_how_to_get_one(monkeypatch, tmp_path):
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackendUnavailable, match=r"none of c\+\+, g\+\+, clang\+\+ is found: `apt install g\+\+`"):
        attend()
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(BackendUnavailable, match="CXX=no-such-compiler, which is not found"):
        attend()
    monkeypatch.setenv("CXX", 'g++ "-O2')
    with pytest.raises(BackendUnavailable, match='CXX=g\\+\\+ "-O2, which is not found'):
        attend()
    assert not (tmp_path / "kernels").exists()


def test_the_compiler_may_be_named_with_another_program_before_it_and_options(compiler_script, monkeypatch):
    log = compiler_script(PRETENDS)
    monkeypatch.setenv("CXX", f"env {os.environ['CXX']} -DEXTRA")
    build.library()
    assert all(line.startswith("-DEXTRA -O3") for line in log.read_text().splitlines())


@needs_compiler
@pytest.mark.parametrize("content", [b"", b"torn", None], ids=["empty", "torn", "half"])
def test_a_library_that_is_damaged_is_compiled_again(content):
    path = build.library()
    path.write_bytes(path.read_bytes()[:2000] if content is None else content)
    assert attend().sum() == 8
    assert build.library().read_bytes() != content
    assert len(list(path.parent.iterdir())) == 1


def test_a_library_that_never_loads_is_named(compiler_script):
    compiler_script(PRETENDS)
    with pytest.raises(BackendUnavailable, match=r"native-[-\w]+\.so, which cannot be loaded \(.*too short\): set XDG"):
        attend()


def test_a_compiler_that_fails_is_quoted_and_leaves_nothing(compiler_script, tmp_path):
    compiler_script('case "$*" in *-dM*) exit 0;; esac; echo "no room on device" >&2; exit 3')
    with pytest.raises(BackendUnavailable, match=r"(?s)ended with status 3\nno room on device\nSet CXX"):
        attend()
    assert list((tmp_path / "kernels").iterdir()) == []


@needs_compiler
def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "kernels").write_text("a file where the folder should be")
    with pytest.raises(BackendUnavailable, match=f"kernel in {tmp_path / 'kernels'}, which cannot be read or written"):
        attend()


def test_the_cache_folder_is_the_platforms(monkeypatch, tmp_path):
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert build.cache_folder() == tmp_path / "paged-kv-cache-course" / "kernels"
