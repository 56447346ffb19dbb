"""What a batch shows: a bar while it works, and what it came to."""

from rich import progress
from rich.console import Console
from rich.table import Table

from classroom.batch.find import Task
from classroom.batch.store import UNGRADED, Store
from classroom.words import say
from practice.judging.show import plain_table

VERDICTS = ("AC", "WA", "RE", "TLE", "MLE", "OLE", "CE", "SKIPPED", "IE", UNGRADED)


class Progress:
    """A bar over the answers of a batch, on stderr; one line at the end where that is no terminal.

    files: how many there are. Each counts as one answer until it turns out to hold more.
    """

    def __init__(self, files: int, lang: str):
        columns = (progress.BarColumn(), progress.MofNCompleteColumn(), progress.TimeRemainingColumn())
        self._bar = progress.Progress("{task.description}", *columns, console=Console(stderr=True))
        self._task = self._bar.add_task(say(lang, "grading"), total=files)
        self._total, self._seen = files, set()

    def __enter__(self) -> "Progress":
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def settled(self, task: Task) -> None:
        """A task has its verdict, or says why it has none."""
        self._total += task.path in self._seen
        self._seen.add(task.path)
        self._bar.update(self._task, total=self._total, advance=1)


def overview(grades: Store, lang: str) -> Table:
    """Per problem: how many answers came to which verdict, and the mean score of those that were judged."""
    rows = grades.counts()
    found = [verdict for verdict in VERDICTS if any(row[1] == verdict for row in rows)]
    table = plain_table(say(lang, "problem"))
    for name in (say(lang, "answers"), *found, say(lang, "mean")):
        table.add_column(name, justify="right")
    for problem in sorted({row[0] for row in rows}):
        counts = {verdict: count for number, verdict, count, _ in rows if number == problem}
        scores = [(count, mean) for number, verdict, count, mean in rows if number == problem and verdict != UNGRADED]
        judged = sum(count for count, _ in scores)
        mean = f"{sum(count * mean for count, mean in scores) / judged:.0f} %" if judged else ""
        row = [problem or "?", str(sum(counts.values())), *(str(counts.get(verdict, "")) for verdict in found), mean]
        table.add_row(*row)
    return table
