"""English or Chinese: the learner's language, and a way to write both where they are used."""

import os
import sys
from collections.abc import Mapping

LANGUAGES = ("en", "zh")


def learner_language(environ: Mapping[str, str] = os.environ) -> str:
    """LANG_EDITION where it is set, else the locale. Raises ValueError for an edition that does not exist."""
    edition = environ.get("LANG_EDITION")
    if edition:
        if edition not in LANGUAGES:
            raise ValueError(f"LANG_EDITION={edition}: the editions are {' and '.join(LANGUAGES)}")
        return edition
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    return "zh" if locale.lower().startswith("zh") else "en"


def text(en: str, zh: str) -> str:
    """The sentence in the learner's language; English where the terminal cannot show Chinese."""
    if learner_language() == "en":
        return en
    try:
        zh.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return en
    return zh
