"""A private pack: tests and seeds that no learner's checkout has, in a folder that JUDGE_PACK (--pack) names.

PACK/pack.toml               seed = 20261129, the seed of all hidden tests
PACK/127-block-pool-cow/     tests.py with GROUPS (and what it imports): more tests for problem 127
PACK/123-block-pool/         with a problem.toml: a variant that takes the problem's place, say with another policy,
                             so that the library's code does not pass
"""

import os
import tomllib
import traceback
from pathlib import Path

from practice.judging.messages import Refusal

EXAMPLE = "127-block-pool-cow"
TESTS = ("tests.py", "problem.toml")  # one of them is in every folder for a problem


class BadPack(Refusal):
    """The pack can't be used; the text says why, without quoting it."""


def folder() -> Path | None:
    """The pack in use. Raises BadPack where JUDGE_PACK names no pack."""
    named = os.environ.get("JUDGE_PACK")
    return checked(Path(named), "JUDGE_PACK") if named else None


def checked(path: Path, name: str) -> Path:
    """The folder of a pack. name: what the user gave it by. Raises BadPack for what is no folder, or holds no pack."""
    if not path.is_dir():
        raise BadPack("no_pack", name=name, value=str(path))
    if not (path / "pack.toml").exists() and not problems(path):
        raise BadPack("empty_pack", name=name, value=str(path), example=EXAMPLE)
    return path


def problems(path: Path) -> list[Path]:
    """The folders of a pack that are for a problem each."""
    return sorted(path.glob("[0-9]*-*/"))


def misnamed(path: Path) -> list[Path]:
    """Folders of a pack that hold tests, and whose names say of no problem's that they are."""
    used = problems(path)
    return [folder for folder in sorted(path.glob("*/")) if folder not in used and _has_tests(folder)]


def _has_tests(folder: Path) -> bool:
    return any((folder / name).exists() for name in TESTS)


def seed(default: int) -> int:
    """The pack's seed, or `default` without a pack or without a seed in it."""
    path = folder()
    if path is None or not (path / "pack.toml").exists():
        return default
    try:
        value = tomllib.loads((path / "pack.toml").read_text(encoding="utf-8")).get("seed", default)
    except (ValueError, OSError) as error:
        raise BadPack("pack_unreadable", why=type(error).__name__) from error
    if type(value) is not int or value < 0:
        raise BadPack("pack_seed")
    return value


def extra(number: int | str) -> Path | None:
    """The pack's folder for a problem."""
    path = folder()
    found = sorted(path.glob(f"{number}-*/")) if path else []
    return found[0] if found else None


def place(error: BaseException) -> str:
    """Where in the pack an error arose, "901-double/tests.py:3", without quoting what stands there; else ""."""
    pack, found = Path(os.environ.get("JUDGE_PACK", "")).resolve(), ""
    while error:
        lines = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
        lines += [(error.filename or "", error.lineno)] if isinstance(error, SyntaxError) else []
        for path, line in ((Path(name).resolve(), line) for name, line in lines):
            found = f"{path.relative_to(pack)}:{line}" if path.is_relative_to(pack) else found
        error = error.__cause__
    return found
