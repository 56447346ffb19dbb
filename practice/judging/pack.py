"""A private pack: tests and seeds that no learner's checkout has, in a folder that JUDGE_PACK (--pack) names.

PACK/pack.toml               seed = 20261129, the seed of all hidden tests
PACK/127-block-pool-cow/     tests.py with GROUPS (and what it imports): more tests for problem 127
PACK/123-block-pool/         with a problem.toml: a variant that takes the problem's place, say with another policy,
                             so that the library's code does not pass
"""

import os
import tomllib
from pathlib import Path


class BadPack(RuntimeError):
    """The pack can't be used; the text says why, without quoting it."""


def folder() -> Path | None:
    """The pack in use. Raises BadPack where JUDGE_PACK names no folder."""
    named = os.environ.get("JUDGE_PACK")
    if not named:
        return None
    path = Path(named)
    if not path.is_dir():
        raise BadPack(f"JUDGE_PACK is {named!r}, which is no folder")
    return path


def seed(default: int) -> int:
    """The pack's seed, or `default` without a pack or without a seed in it."""
    path = folder()
    if path is None or not (path / "pack.toml").exists():
        return default
    try:
        value = tomllib.loads((path / "pack.toml").read_text(encoding="utf-8")).get("seed", default)
    except (ValueError, OSError) as error:
        raise BadPack(f"pack.toml can't be read: {type(error).__name__}") from error
    if type(value) is not int or value < 0:
        raise BadPack("the seed in pack.toml must be a whole number of at least 0")
    return value


def extra(number: int | str) -> Path | None:
    """The pack's folder for a problem."""
    path = folder()
    found = sorted(path.glob(f"{number}-*/")) if path else []
    return found[0] if found else None
