"""Turns native.cpp into a library for this machine, once: the result is kept in the user's cache folder.

The file's name begins with a hash of the sources, the flags and all that the compiler says about itself and this
processor. So a changed source, another compiler, and another machine on the same home folder each get a library of
their own. It is compiled under another name and then renamed: two processes that compile at once both end with a whole
file. The name ends with a hash of the content: to load half a library would end the process.
"""

import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from paged.kernels import BackendUnavailable

FOLDER = Path(__file__).parent
SOURCES = ("native.cpp", "tile.h", "vectors.h")  # the first is compiled, and includes the others
COMPILERS = ("c++", "g++", "clang++")
PROCESSOR = "-march=native" if platform.machine() in ("x86_64", "AMD64", "i686") else "-mcpu=native"
FLAGS = ("-O3", PROCESSOR, "-std=c++17", "-shared", "-fPIC", "-pthread")


def compiler() -> list[str]:
    """The C++ compiler and its options that CXX names, or the first of COMPILERS on the path.

    Raises BackendUnavailable if none is.
    """
    named = os.environ.get("CXX", "").strip()
    with suppress(ValueError):  # a quotation that does not end
        for name, *options in [shlex.split(named)] if named else ([name] for name in COMPILERS):
            if path := shutil.which(name):
                return [path, *options]
    missing = f"CXX={named}, which is not found" if named else f"none of {', '.join(COMPILERS)} is found"
    raise BackendUnavailable(
        f"backend 'native' needs a C++ compiler, and {missing}: `apt install g++` on Linux, "
        "`xcode-select --install` on macOS; or use backend='batched', which needs only torch"
    )


def cache_folder() -> Path:
    """Where compiled libraries are kept: $XDG_CACHE_HOME or ~/.cache on Linux, ~/Library/Caches on macOS."""
    from platformdirs import user_cache_path

    return user_cache_path("paged-kv-cache-course") / "kernels"


def library() -> Path:
    """The compiled native.cpp; compiled now (a few seconds) if it is not there yet, or is damaged.

    Raises BackendUnavailable if there is no compiler or it fails, with what it says, or if the folder can't be written.
    """
    cxx = compiler()
    # Its predefined macros: version, and which instructions "native" stands for here.
    macros = _run(*cxx, *FLAGS, "-dM", "-E", "-x", "c++", os.devnull)
    parts = [*((FOLDER / name).read_bytes() for name in SOURCES), " ".join((*cxx, *FLAGS)).encode(), macros]
    folder, name = cache_folder(), "native-" + _hash(b"\0".join(parts))
    try:
        for path in folder.glob(f"{name}-*.so"):
            if path.stem == f"{name}-{_hash(path.read_bytes())}":
                return path
            path.unlink(missing_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as own:
            fresh = Path(own) / "native.so"
            _run(*cxx, *FLAGS, str(FOLDER / SOURCES[0]), "-o", str(fresh))
            return fresh.replace(folder / f"{name}-{_hash(fresh.read_bytes())}.so")
    except OSError as error:
        raise BackendUnavailable(
            f"backend 'native' keeps its compiled kernel in {folder}, which cannot be read or written ({error}): "
            "set XDG_CACHE_HOME to a folder that can, or use backend='batched'"
        ) from error


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:20]


def _run(*command: str) -> bytes:
    done = subprocess.run(command, capture_output=True)
    if done.returncode:
        raise BackendUnavailable(
            f"backend 'native' cannot be compiled: {' '.join(command)} ended with status {done.returncode}\n"
            f"{done.stderr.decode(errors='replace').strip()}\nSet CXX to another compiler, or use backend='batched'."
        )
    return done.stdout
