"""class.toml: who is in which course, and where things are. Anything that can't be meant is refused at the start."""

import re
import stat
import tomllib
from dataclasses import dataclass
from pathlib import Path

ACCOUNT = re.compile(r"[a-z_][a-z0-9_-]{0,30}")  # what useradd takes; nbgrader splits names at "+"
COURSE = re.compile(r"[a-z0-9][a-z0-9_-]{0,25}")  # class-NAME is a group of the system, of at most 32 characters
GRADERS = "graders"  # the system's group that may read the whole course


class BadSettings(ValueError):
    """class.toml can't be used; the text says what is wrong in it."""


@dataclass(frozen=True)
class Course:
    """One class. grader: the account that owns its gradebook and its folder of the exchange."""

    name: str
    grader: str
    instructors: tuple[str, ...]
    students: tuple[str, ...]

    @property
    def group(self) -> str:
        """The system's group that may open the course's folder of the exchange."""
        return f"class-{self.name}"

    @property
    def people(self) -> tuple[str, ...]:
        return (self.grader, *self.instructors, *self.students)


@dataclass(frozen=True)
class Edition:
    """What students pull. folder: its name in a student's home."""

    repository: str
    branch: str
    folder: str
    language: str


@dataclass(frozen=True)
class Settings:
    """memory: as systemd writes it ("2G"). cpus: as a number of cores. pack: the private pack, if there is one."""

    exchange: Path
    state: Path
    teacher: Path
    pack: Path | None
    authenticator: str
    spawner: str
    memory: str
    cpus: float
    idle_minutes: int
    edition: Edition
    courses: tuple[Course, ...]

    @property
    def people(self) -> set[str]:
        return {name for course in self.courses for name in course.people}

    def graded_by(self, account: str) -> Course | None:
        """The course whose grader this account is."""
        return next((course for course in self.courses if course.grader == account), None)


def load(path: Path) -> Settings:
    """Raises BadSettings, which names the file and the entry."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
        courses = tuple(_course(name, table) for name, table in given.pop("courses").items())
        edition = Edition(**given.pop("edition"))
        paths = {key: Path(given.pop(key)) for key in ("exchange", "state", "teacher")}
        pack = Path(given.pop("pack")) if "pack" in given else None
        settings = Settings(**paths, pack=pack, edition=edition, courses=courses, **given)
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError) as error:
        raise BadSettings(f"{path}: {type(error).__name__} {error}") from error
    if wrong := _wrong(settings):
        raise BadSettings(f"{path}: {'; '.join(wrong)}")
    return settings


def closed(path: Path) -> None:
    """Raises BadSettings where the system lets everybody into a folder that no student may read."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & stat.S_IRWXO:
        raise BadSettings(f"{path} has mode {mode:04o}, so students can get at it: chmod o-rwx {path}")


def _course(name: str, table: dict) -> Course:
    lists = {key: tuple(table.pop(key)) for key in ("instructors", "students")}
    return Course(name=name, **lists, **table)


def _wrong(settings: Settings) -> list[str]:
    """What is wrong in settings whose entries are all there."""
    found = []
    if settings.spawner not in ("systemd", "local"):
        found.append(f'spawner is {settings.spawner!r}; it may be "systemd" or "local"')
    if settings.edition.language not in ("en", "zh"):
        found.append(f'language is {settings.edition.language!r}; it may be "en" or "zh"')
    if settings.cpus <= 0 or settings.idle_minutes < 0:
        found.append(
            f"cpus is {settings.cpus} and idle_minutes {settings.idle_minutes}; above 0, and 0 or more, make sense"
        )
    graders = [course.grader for course in settings.courses]
    for course in settings.courses:
        if not COURSE.fullmatch(course.name):
            found.append(f"a course can't be called {course.name!r}: small letters, digits, - and _, at most 26")
        found += [
            f"{name!r} in {course.name} is no account: small letters, digits, - and _, at most 31"
            for name in course.people
            if not ACCOUNT.fullmatch(name)
        ]
        both = sorted(set(course.students) & {course.grader, *course.instructors})
        if both:
            found.append(f"{', '.join(both)} would be student and teacher of {course.name}")
        if graders.count(course.grader) > 1 or any(course.grader in other.students for other in settings.courses):
            found.append(f"{course.grader} grades {course.name}, so it can't be in another course")
    return found
