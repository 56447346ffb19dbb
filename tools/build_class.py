"""Build an nbgrader course from the chapters: `make class`.

    python tools/build_class.py [--lang en|zh] [--out classroom/course]

Each chapter becomes an assignment: per exercise its statement, the answer's cell and a graded cell, then a task that is
graded by hand. Chapters and problems are read by the same code as for the notebooks. What a teacher has edited in the
course is never overwritten: a file is written anew only while it is as this program left it.
"""

import argparse
import hashlib
import itertools
import json
import re
import string
import sys
from pathlib import Path

from bootstrap.wording import LANGUAGES, learner_language
from build_notebooks import ROOT, notebook
from chapter import Cell, SourceError, edition, read

from practice.judging import catalogue
from practice.judging.catalogue import BrokenProblem, Problem

TEXTS = ROOT / "classroom" / "assignment"
CONFIG = ROOT / "classroom" / "nbgrader_config.py"
POINTS, POINTS_EXPLAINED = 10, 5
BUILT = ".built.json"  # what was written, and its hash
EXPLAINED = {"en": "## How to explain it", "zh": "## 怎么讲清楚"}
WORDS = {
    "en": {"problem": "problem", "points": "points", "explain": "Explain it", "here": "*Write here.*"},
    "zh": {"problem": "题目", "points": "分", "explain": "讲清楚", "here": "*写在这里。*"},
}


def build(lang: str, notebooks: Path, problems: Path) -> dict[str, bytes]:
    """Every file of the course, by its path in it. Raises SourceError and BrokenProblem."""
    config = CONFIG.read_text(encoding="utf-8").replace('LANG = "en"', f'LANG = "{lang}"')
    built = {"nbgrader_config.py": config.encode()}
    known = {str(problem.number): problem for problem in catalogue.all_problems(problems)}
    for source in sorted((notebooks / "src").glob("*.md")):
        cells = edition(read(source), lang, problems)
        built[f"source/{source.stem}/{source.stem}.ipynb"] = notebook(
            source.stem, lang, assignment(source, cells, lang, known)
        ).encode()
    return built


def assignment(source: Path, cells: list[Cell], lang: str, known: dict[str, Problem]) -> list[Cell]:
    """The cells of a chapter's assignment. cells: the chapter's edition in this language."""
    exercises = [
        (known[cell.text.split()[1]], statement, cell)
        for statement, cell in itertools.pairwise(cells)
        if cell.kind == "code" and cell.text.startswith("%%judge ")
    ]
    [number] = re.findall(r"^\d+", source.stem)
    title = next(cell.text.splitlines()[0] for cell in cells if cell.kind == "markdown")
    words = WORDS[lang]
    rows = [f"| {problem.number} {problem.title[lang]} | {POINTS} |" for problem, _, _ in exercises]
    rows = [f"| {words['problem']} | {words['points']} |", "|---|---:|", *rows]
    rows.append(f"| {words['explain']} | {POINTS_EXPLAINED} |")
    intro = text("intro", lang, title=title, chapter=source.stem, table="\n".join(rows))
    explain = text("explain", lang, points=POINTS_EXPLAINED, answer=explanation(source, cells, lang))

    def cell(kind: str, content: str, grade_id: str, **marks: object) -> Cell:
        return Cell(kind, content, source, 1, lang, metadata=marked(grade_id, **marks))

    out = [cell("markdown", intro, f"intro-{number}"), cell("code", "import judge", f"setup-{number}")]
    for problem, statement, starter in exercises:
        n = problem.number
        solved = f"{starter.text}\n\n### BEGIN SOLUTION\n{problem.reference()}### END SOLUTION"
        out += [
            cell("markdown", statement.text, f"statement-{n}"),
            cell("code", solved, f"answer-{n}", solution=True, locked=False),
            cell("code", f"judge.points({n!r}, {POINTS})", f"points-{n}", grade=True, points=POINTS),
        ]
    out.append(cell("markdown", explain, f"explain-{number}", task=True, points=POINTS_EXPLAINED))
    out.append(Cell("markdown", words["here"], source, 1, lang))
    return out


def marked(grade_id: str, **marks: object) -> dict:
    """nbgrader's marks of a cell, locked if nothing else is said."""
    plain = {"grade": False, "solution": False, "locked": True, "task": False}
    return {"nbgrader": {"grade_id": grade_id, "schema_version": 3} | plain | marks}


def explanation(source: Path, cells: list[Cell], lang: str) -> str:
    """What the chapter gives as its own answer, from the section on how to explain it."""
    for cell in cells:
        _, found, after = cell.text.partition(EXPLAINED[lang] + "\n")
        if found:
            return after.partition("\n## ")[0].strip()
    raise SourceError(source, 1, f"no section {EXPLAINED[lang]!r}, which the task needs")


def text(name: str, lang: str, **values: object) -> str:
    """A text of classroom/assignment with its $values filled in."""
    template = string.Template((TEXTS / f"{name}.{lang}.md").read_text(encoding="utf-8").rstrip())
    return template.substitute(values)


def write(built: dict[str, bytes], out: Path) -> list[str]:
    """Write the files that nobody has edited since the last build. Returns the paths of those that were."""
    record = out / BUILT
    before = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
    kept = []
    for name, content in built.items():
        path = out / name
        if path.exists() and digest(path.read_bytes()) not in (before.get(name), digest(content)):
            kept.append(name)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        before[name] = digest(content)
    record.write_text(json.dumps(before, indent=1) + "\n", encoding="utf-8")
    return kept


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Build an nbgrader course from the chapters.")
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=None, help="without it, LANG_EDITION or your locale decides"
    )
    parser.add_argument("--notebooks", type=Path, default=ROOT / "notebooks", help="the folder that holds src")
    parser.add_argument("--out", type=Path, default=ROOT / "classroom" / "course", help="the course's folder")
    options = parser.parse_args(argv)
    lang = options.lang or learner_language()
    if not CONFIG.exists():
        print("this edition of the course is the students': it has no classroom/", file=sys.stderr)
        return 2
    try:
        built = build(lang, options.notebooks, catalogue.PROBLEMS)
    except (SourceError, BrokenProblem) as error:
        print(error, file=sys.stderr)
        return 2
    kept = write(built, options.out)
    for name in kept:
        print(f"kept: {options.out / name} was edited; delete it to have it built again")
    print(f"{options.out}: {len(built) - 1} assignments, {len(built) - len(kept)} files written, {len(kept)} kept")
    return 0


if __name__ == "__main__":
    sys.exit(main())
