"""A widget's script and style sheet: what all widgets have in common, then its own."""

from pathlib import Path

HERE = Path(__file__).parent


def script(*names: str) -> str:
    """One module: shared.js, then <name>.js for each name; each may use what stands before it."""
    return _joined("shared.js", *(f"{name}.js" for name in names))


def style(*names: str) -> str:
    """One style sheet: shared.css, for the class `paged-widget`, then <name>.css for each name."""
    return _joined("shared.css", *(f"{name}.css" for name in names))


def _joined(*names: str) -> str:
    return "\n".join((HERE / name).read_text(encoding="utf-8") for name in names)
