"""A batch: every task graded once, its row written as soon as it is there."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from distributed import Client, as_completed
from distributed.scheduler import KilledWorker

from classroom.batch.cluster import TRIES
from classroom.batch.find import Task
from classroom.batch.grade import grade
from classroom.batch.store import UNGRADED, Store
from classroom.words import say

AHEAD = 4  # tasks on their way for each worker: nobody waits, and memory doesn't grow with the class


def run(
    tasks: Iterable[Task],
    store: Store,
    client: Client,
    options: dict,
    report: Callable[[Task], None],
    whole: bool = True,
) -> Counter:
    """Grade what has no grade yet; returns how many tasks came to which verdict, "kept" for those graded before, and
    "gone" for rows that were dropped, as nothing is there any more that they belong to.

    options: see `grade`. report(task): called as each is settled. whole: these are all tasks of the folder, not those
    of one problem.
    """
    counts: Counter = Counter()
    done, seen = store.done(), set()

    def settle(task: Task, sha256: str, row: dict) -> None:
        store.write(task, sha256, row)
        counts[row["verdict"]] += 1
        report(task)

    def waiting() -> Iterator[tuple[Task, str]]:
        """Those for a worker; all others are settled at once."""
        for task in tasks:
            seen.add((task.path, task.problem))
            sha256 = hashlib.sha256(task.source if task.source is not None else task.note.encode()).hexdigest()
            if task.source is None:
                settle(task, sha256, ungraded(task.note))
            elif done.get((task.path, task.problem)) == sha256:
                counts["kept"] += 1
                report(task)
            else:
                yield task, sha256

    queue, flying = waiting(), {}
    results = as_completed()

    def send() -> None:
        ahead = AHEAD * max(1, len(client.nthreads()))
        while len(flying) < ahead and (found := next(queue, None)):
            future = client.submit(grade, found[0].problem, found[0].source, options, pure=False)
            flying[future] = found
            results.add(future)

    send()
    while flying:
        future = next(results)
        error = future.exception()
        settle(*flying.pop(future), lost(error, options["lang"]) if error else future.result())
        send()
    counts["gone"] = store.drop_gone(seen, whole)
    return counts


def ungraded(reason: str, verdict: str = UNGRADED) -> dict:
    """The row of a task that nobody judged."""
    texts = {"verdict": verdict, "reason": reason, "sandbox": "", "card": reason, "details": "{}"}
    return texts | {"score": 0, "max_score": 0, "seconds": 0.0}


def lost(error: BaseException, lang: str) -> dict:
    """The row of an answer whose grading itself failed."""
    if isinstance(error, KilledWorker):
        return ungraded(say(lang, "workers_died", count=TRIES), "IE")
    return ungraded(say(lang, "grading_failed", why=f"{type(error).__name__}: {error}"), "IE")
