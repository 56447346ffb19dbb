"""Which edition of the course a notebook belongs to, English or Chinese."""

import os
from itertools import pairwise
from pathlib import Path

LANGUAGES = ("en", "zh")


def notebook_language() -> str:
    """Either "en" or "zh": LANG_EDITION, else a working folder inside notebooks/en or notebooks/zh, else the locale."""
    if os.environ.get("LANG_EDITION") in LANGUAGES:
        return os.environ["LANG_EDITION"]
    for parent, folder in pairwise(Path.cwd().parts):
        if parent == "notebooks" and folder in LANGUAGES:
            return folder
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return "zh" if locale.lower().startswith("zh") else "en"
