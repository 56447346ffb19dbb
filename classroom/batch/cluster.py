"""Where answers are graded: worker processes on this machine, or on a Dask cluster that is there already."""

import contextlib
import fcntl
import logging
import os
import shutil
import signal
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from pathlib import Path

import dask
from distributed import Client, LocalCluster

from classroom.batch.grade import edition
from classroom.words import CannotGrade

FOLDER = "judge-dask-"  # in the folder for temporary files, with what workers write
YOUNG_SECONDS = 60  # for which such a folder is left alone: its batch may be about to lock it
CONNECT_SECONDS = 5
WORKER_SECONDS = 60
NOT_DASK = (MemoryError, OverflowError)  # words where Dask expects to read how many bytes will follow
TRIES = 3  # of an answer whose worker dies
QUIET = {
    "distributed.admin.tick.limit": "1h",
    # What Dask would note of each second, for an hour, in each process: more than all else that a batch remembers.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.log-length": 10,
    "distributed.admin.log-length": 100,
    "distributed.admin.low-level-log-length": 100,
}


@contextlib.contextmanager
def workers(jobs: int, scheduler: str | None, tell: Callable[..., None]) -> Iterator[Client]:
    """A client of `jobs` local processes, or of the workers of the Dask scheduler at this address.

    tell(key, **values): says something to the user, see `say`.

    A local worker that dies is replaced, and what it was grading begins anew elsewhere. Workers of a scheduler must
    run this edition of the course, with the same private pack: their verdicts have to be ours. Raises CannotGrade.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    dask.config.set(QUIET | {"distributed.scheduler.allowed-failures": TRIES - 1})
    if scheduler is not None:
        with contextlib.closing(_connected(scheduler, tell)) as client:
            _same_edition(client, scheduler)
            yield client
        return
    with (
        folder_of_ones_own() as folder,
        _local(jobs, folder) as cluster,
        Client(cluster) as client,
    ):
        yield client


@contextlib.contextmanager
def folder_of_ones_own() -> Iterator[str]:
    """A temporary folder, locked while it is in use; those that killed batches have left behind are taken away."""
    for left in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with contextlib.suppress(OSError), _locked(left):
            if time.time() - left.stat().st_mtime > YOUNG_SECONDS:
                shutil.rmtree(left)
    with tempfile.TemporaryDirectory(prefix=FOLDER, ignore_cleanup_errors=True) as folder, _locked(folder):
        yield folder


@contextlib.contextmanager
def _locked(folder: str | Path) -> Iterator[None]:
    """Hold a folder's lock, which ends with this process. Raises OSError where another holds it."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def _local(jobs: int, folder: str) -> LocalCluster:
    """Local processes that leave Ctrl-C to this one: they, and those that replace them, start with it blocked."""
    resource_tracker.ensure_running()  # its start would end the blocking
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            host="127.0.0.1",
            security=True,  # certificates of this moment: else whoever can log in here could run code as this user
            dashboard_address="127.0.0.1:0",  # any free port: another batch may be running
            memory_limit=0,  # limits belong to learners' processes, which the judge starts
            local_directory=folder,
            silence_logs=logging.CRITICAL,
            preload=__name__,
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def dask_setup(worker: object) -> None:
    """Called by Dask in a local worker: it goes on ignoring Ctrl-C, but answers that raise it fare as elsewhere.

    Hypothesis warns where Dask, beside it in another thread, uses `random`; that changes no test.
    """
    warnings.filterwarnings("ignore", message="Do not use the `random` module inside strategies")
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _connected(scheduler: str, tell: Callable[..., None]) -> Client:
    client = _within(2 * CONNECT_SECONDS, scheduler, lambda: Client(scheduler, timeout=CONNECT_SECONDS))
    if not client.nthreads():
        tell("waiting", address=scheduler, seconds=WORKER_SECONDS)
    try:
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    except TimeoutError as error:
        client.close()
        raise CannotGrade("no_workers", address=scheduler, seconds=WORKER_SECONDS) from error
    return client


def _within(seconds: float, scheduler: str, connect: Callable[[], Client]) -> Client:
    """What `connect` gives. A port that takes a connection and says nothing would have Dask wait for ever."""
    found: list[Client | Exception] = [CannotGrade("silent_scheduler", address=scheduler, seconds=seconds)]

    def attempt() -> None:
        try:
            found[0] = connect()
        except Exception as error:
            found[0] = error

    waiting = threading.Thread(target=attempt, daemon=True)
    waiting.start()
    waiting.join(seconds)
    if isinstance(found[0], CannotGrade):
        raise found[0]
    if isinstance(found[0], NOT_DASK):
        raise CannotGrade("not_dask", address=scheduler) from found[0]
    if isinstance(found[0], Exception):
        raise CannotGrade("no_scheduler", address=scheduler, why=found[0]) from found[0]
    return found[0]


def _same_edition(client: Client, scheduler: str) -> None:
    mine = edition()
    try:
        theirs = client.run(edition)
    except ImportError as error:
        raise CannotGrade("no_course", address=scheduler, why=error) from error
    others = [worker for worker, found in theirs.items() if found != mine]
    if others:
        raise CannotGrade("other_edition", count=len(others), all=len(theirs), worker=others[0])
