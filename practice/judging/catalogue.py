"""The problems: every folder practice/problems/NNN-slug/ with a problem.toml is one; nothing else registers it.

A number may end in a letter: 136b stands in for 136 on a machine that cannot run 136. The two count as one.
"""

import ast
import dataclasses
import importlib
import sys
import tomllib
import types
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from practice.judging import pack
from practice.judging.messages import Refusal

ROOT = Path(__file__).resolve().parents[2]
PROBLEMS = ROOT / "practice" / "problems"
DEFAULT_LIMITS = {
    "call_seconds": 1.0,
    "total_seconds": 10.0,
    "memory_mb": 256,
    "address_mb": 1024,
    "processes": 16,
    "answer_bytes": 1 << 24,
    "printed_bytes": 1 << 20,
    "file_bytes": 1 << 22,
}

TORCH_LIMITS = {"memory_mb": 1024, "address_mb": 32768}  # importing it alone passes the others


class UnknownProblem(LookupError):
    """No problem has this number or slug."""


class BrokenProblem(RuntimeError):
    """A problem's folder lacks something or says something wrong; the text names the file."""


class NoWorkedAnswer(BrokenProblem, Refusal):
    """This edition of the course lacks files of a worked answer."""


@dataclass(frozen=True)
class Problem:
    folder: Path
    number: int | str  # 136, or "136b"
    slug: str
    title: dict[str, str]
    chapter: int
    difficulty: str
    entry: list[str]
    requires: list[str]
    reference_files: list[str]
    reference_names: dict[str, str]
    limits: dict
    provides: list[str] = dataclasses.field(default_factory=list)
    section: dict[str, str] = dataclasses.field(default_factory=dict)  # of the chapter, that explains what is asked
    kind: str = "python"  # or "kernel": a Triton kernel, see kernel.py
    pack: Path | None = None  # a folder of private tests beside the problem's own, or in its place

    @property
    def modules(self) -> list[str]:
        """Modules that the learner's process may import beside the standard library."""
        return self.requires

    @property
    def counts_as(self) -> int:
        """The number under which it counts: 136 for 136b."""
        return counts_as(self.number)

    @property
    def stand_in(self) -> "Problem | None":
        """The problem that stands in for this one, where there is one."""
        others = all_problems() if type(self.number) is int else []
        return next((p for p in others if p.number != self.number and p.counts_as == self.number), None)

    def missing(self) -> list[str]:
        """Which required modules are not installed here."""
        return [name for name in self.requires if find_spec(name) is None]

    def text(self, stem: str, lang: str) -> str:
        """A text of the folder in the language: statement.zh.md, hints.en.md."""
        return (self.folder / f"{stem}.{lang}.md").read_text(encoding="utf-8")

    def chapter_file(self, lang: str) -> Path | None:
        """The chapter's notebook, where there is one."""
        return next((ROOT / "notebooks" / lang).glob(f"{self.chapter:02}-*.ipynb"), None)

    @property
    def starter(self) -> str:
        return (self.folder / "starter.py").read_text(encoding="utf-8")

    def hints(self, lang: str) -> list[str]:
        """The hints, from a nudge to nearly the answer; a line of --- stands between them."""
        return [hint.strip() for hint in self.text("hints", lang).split("\n---\n")]

    def reference(self) -> str:
        """The worked answer: the library's own source files joined, without their imports of each other."""
        parts = self._library(self.reference_files)
        aliases = [f"{name} = {source}" for name, source in self.reference_names.items()]
        return "\n\n".join([*parts, "\n".join(aliases)]).rstrip() + "\n"

    @cached_property
    def provided(self) -> str:
        """What answers may import as `paged`: the library's own source, where the problem says so."""
        return "\n\n".join(self._library(self.provides))

    def _library(self, names: list[str]) -> list[str]:
        paths = [ROOT / name for name in names]
        if lacking := [path.name for path in paths if not path.exists()]:
            raise NoWorkedAnswer("no_worked_answer", number=self.number, files=", ".join(lacking))
        return [strip_imports(path.read_text(encoding="utf-8"), "paged") for path in paths]

    def bank(self, kind: str) -> list[Path]:
        """The files of wrong/ or right/."""
        return sorted((self.folder / kind).glob("*.py"))

    @cached_property
    def groups(self) -> list:
        """The groups of hidden tests, from the folder's tests.py, and after them those of a private pack; last come
        those that need another child, see kernel.py."""
        groups = list(load_tests(self.folder).GROUPS)
        if self.pack and self.pack != self.folder:
            groups += load_tests(self.pack).GROUPS
        return sorted(groups, key=lambda group: group.guard != "")


def counts_as(number: int | str) -> int:
    """A problem's number without its letter."""
    return int(str(number).rstrip("abcdefgh"))


def load_tests(folder: Path) -> types.ModuleType:
    """A folder's tests.py, as part of a package of its own, so that it can import what stands beside it."""
    package = f"problem_{folder.name.replace('-', '_')}_{abs(hash(folder))}"
    if package not in sys.modules:
        module = types.ModuleType(package)
        module.__path__ = [str(folder)]
        sys.modules[package] = module
    try:
        return importlib.import_module(f"{package}.tests")
    except SystemExit as error:
        raise RuntimeError("tests.py leaves Python") from error


def strip_imports(source: str, package: str) -> str:
    """`source` without its `from package… import …` lines, which joining the files makes needless."""
    lines = source.splitlines()
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == package:
            lines[node.lineno - 1 : node.end_lineno] = [None] * (node.end_lineno - node.lineno + 1)
    return "\n".join(line for line in lines if line is not None).strip() + "\n"


def with_pack(problem: Problem) -> Problem:
    """The problem with what a private pack adds to it, or the variant that the pack puts in its place."""
    extra = pack.extra(problem.number)
    if extra is None:
        return problem
    return dataclasses.replace(read(extra) if (extra / "problem.toml").exists() else problem, pack=extra)


def check_pack(load: bool = False) -> None:
    """Raises pack.BadPack for a private pack with a folder for a problem that there is not, or with tests for none.

    load: also for tests in it that can't be loaded; what is wrong with them is not quoted.
    """
    path = pack.folder()
    known = {str(problem.number): problem for problem in all_problems()} if path else {}
    for folder in pack.misnamed(path) if path else []:
        raise pack.BadPack("pack_misnamed", folder=folder.name, example=pack.EXAMPLE)
    for folder in pack.problems(path) if path else []:
        number = folder.name.partition("-")[0]
        if number not in known:
            raise pack.BadPack("pack_unknown", folder=folder.name, number=number)
        try:
            if load:
                _ = with_pack(known[number]).groups
        except Exception as error:
            why = ": ".join(filter(None, [pack.place(error), type(error).__name__]))
            raise pack.BadPack("pack_tests", folder=folder.name, why=why) from error


def read(folder: Path) -> Problem:
    path = folder / "problem.toml"
    try:
        about = tomllib.loads(path.read_text(encoding="utf-8"))
        number, _, slug = folder.name.partition("-")
        requires = about.get("requires", [])
        unknown = set(about.get("limits", {})) - set(DEFAULT_LIMITS)
        if unknown:
            raise BrokenProblem(f"{path}: unknown limits {sorted(unknown)}")
        if about.get("kind", "python") not in ("python", "kernel"):
            raise BrokenProblem(f"{path}: kind is {about['kind']!r}; it may be python or kernel")
        counts_as(number)  # ValueError for what is no number
        return Problem(
            folder=folder,
            number=int(number) if number.isdigit() else number,
            slug=slug,
            title=about["title"],
            chapter=about["chapter"],
            difficulty=about["difficulty"],
            entry=about["entry"],
            requires=requires,
            reference_files=about["reference"]["files"],
            reference_names=about["reference"].get("names", {}),
            limits=DEFAULT_LIMITS | (TORCH_LIMITS if "torch" in requires else {}) | about.get("limits", {}),
            provides=about.get("provides", []),
            section=about.get("section", {}),
            kind=about.get("kind", "python"),
        )
    except (KeyError, ValueError, OSError) as error:
        raise BrokenProblem(f"{path}: {type(error).__name__} {error}") from error


def all_problems(folder: Path = PROBLEMS) -> list[Problem]:
    """Every problem, chapter by chapter."""
    problems = (read(path.parent) for path in folder.glob("[0-9]*-*/problem.toml"))
    return sorted(problems, key=lambda problem: (problem.chapter, problem.counts_as, str(problem.number)))


def for_this_machine(problems: list[Problem]) -> list[Problem]:
    """The problems that there are to solve here: of 136 and 136b the one that runs here, 136 where both do."""
    chosen: dict[int, Problem] = {}
    for problem in problems:
        known = chosen.get(problem.counts_as)
        if known is None or (known.missing() and not problem.missing()):
            chosen[problem.counts_as] = problem
    return list(chosen.values())


def find(wanted: str, folder: Path = PROBLEMS) -> Problem:
    """The problem with this number ("127"), slug or folder name. Raises UnknownProblem, naming what there is."""
    problems = all_problems(folder)
    for problem in problems:
        if wanted.strip() in (str(problem.number), problem.slug, problem.folder.name):
            return with_pack(problem)
    raise UnknownProblem(", ".join(str(problem.number) for problem in problems))
