"""Which language to speak: --lang, then LANG_EDITION, then the notebook's folder, then the locale."""

import itertools
import os
from pathlib import Path

LANGUAGES = ("en", "zh")


def choose(option: str | None = None) -> str:
    """ "en" or "zh". Raises ValueError for an option that is neither."""
    if option:
        if option not in LANGUAGES:
            raise ValueError(f"--lang is {option!r}; it may be {' or '.join(LANGUAGES)}")
        return option
    if os.environ.get("LANG_EDITION") in LANGUAGES:
        return os.environ["LANG_EDITION"]
    for parent, child in reversed(list(itertools.pairwise(_here()))):
        if parent == "notebooks" and child in LANGUAGES:
            return child
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return "zh" if locale.lower().startswith("zh") else "en"


def _here() -> tuple[str, ...]:
    try:
        return Path.cwd().parts
    except OSError:
        return ()  # the folder was deleted under us
