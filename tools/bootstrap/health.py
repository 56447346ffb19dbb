"""Run by .venv's own Python: does it hold the pinned packages, whole? Prints one JSON object.

    .venv/bin/python tools/bootstrap/health.py ROOT requirements/core.txt …
    {"missing": ["numpy==2.4.6"], "damaged": ["rich"], "torch": "2.13.0+cpu", "installed": true}

missing   pins that are absent or there in another version: pip puts that right
damaged   packages that pip believes installed but whose files are gone, as after an interrupted install or a stray
          `rm`: pip does not see that, so the set-up builds .venv anew
torch     the version that is installed, or null
installed whether the course itself is installed, editable, from ROOT; in a copied or moved folder it counts as
          damaged, since the scripts in .venv/bin carry the old path
"""

import json
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

COURSE = "paged-kv-cache-course"


def pins(files: list[Path]) -> list[tuple[str, str]]:
    """(name, version) of each pin whose marker holds here."""
    from pip._vendor.packaging.requirements import Requirement  # there before anything is installed

    lines = (line.split("#")[0].strip() for file in files for line in file.read_text(encoding="utf-8").splitlines())
    wanted = [Requirement(line) for line in lines if line]
    return [(r.name, next(iter(r.specifier)).version) for r in wanted if r.marker is None or r.marker.evaluate()]


def whole(found: Distribution) -> bool:
    """Whether pip finished this install (INSTALLER comes last) and its top-level files and folders are still there."""
    if any(found.read_text(name) is None for name in ("METADATA", "INSTALLER", "RECORD")):
        return False
    paths = {line.rsplit(",", 2)[0].strip('"') for line in found.read_text("RECORD").splitlines() if line}
    outside = {path for path in paths if path.startswith("..")}
    tops = {path.split("/")[0] for path in paths - outside} - {"__pycache__"}
    return all(found.locate_file(path).exists() for path in tops | outside if not path.endswith(".pyc"))


def packages(files: list[Path]) -> tuple[list[str], list[str]]:
    """(missing, damaged) among the pins of these files."""
    missing, damaged = [], []
    for name, version in pins(files):
        try:
            found = distribution(name)
        except PackageNotFoundError:
            missing.append(f"{name}=={version}")
            continue
        if not whole(found):
            damaged.append(name)
        elif found.version.split("+")[0] != version:
            missing.append(f"{name}=={version}")
    return missing, damaged


def course(root: Path) -> tuple[bool, list[str]]:
    """(whether the course is installed editable from `root`, its name if it is installed otherwise)."""
    try:
        origin = json.loads(distribution(COURSE).read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        return False, []
    fine = origin.get("url") == root.as_uri() and origin.get("dir_info", {}).get("editable", False)
    return fine, [] if fine else [COURSE]


def torch_version() -> str | None:
    try:
        return distribution("torch").version
    except PackageNotFoundError:
        return None


def main(root: str, *files: str) -> None:
    missing, damaged = packages([Path(file) for file in files])
    installed, misplaced = course(Path(root))
    report = {"missing": missing, "damaged": damaged + misplaced, "torch": torch_version(), "installed": installed}
    print(json.dumps(report))


if __name__ == "__main__":
    main(*sys.argv[1:])
