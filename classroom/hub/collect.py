"""nbgrader's `collect`, for an exchange in which every student writes under an account of their own.

nbgrader takes a folder's name for granted: who it is from and when, and links in it. With that, one student can hand in
for another, hand in a link to what only the grader may read, or end the collection for all with a name that makes no
sense. Here a submission counts if it belongs to the account that it names, and only its plain files are taken.
"""

import datetime
import os
import pwd
import shutil
import stat
from pathlib import Path

from nbgrader.utils import ignore_patterns

from classroom.autograde.times import Collect

NOBODY = ""  # no account has this name


class CollectOwn(Collect):
    """ExchangeFactory.collect. Its own limit on a submission, max_dir_size (kB), holds for what is copied of it."""

    def init_src(self) -> None:
        super().init_src()
        self.src_records = [record for record in self.src_records if record["username"] != NOBODY]

    def _path_to_record(self, path: str) -> dict:
        """What the name says, if the folder's owner is who it says; else nobody's, and it displaces nothing."""
        unclaimed = {"username": NOBODY, "filename": os.path.basename(path), "timestamp": datetime.datetime.min}
        try:
            record = super()._path_to_record(path)
            found = os.lstat(path)
            owner = pwd.getpwuid(found.st_uid).pw_name
        except (ValueError, OverflowError, KeyError, OSError) as error:
            self.log.warning("Left out %s: %s %s", path, type(error).__name__, error)
            return unclaimed
        if record["username"] != owner or not stat.S_ISDIR(found.st_mode):
            self.log.warning("Left out %s: it claims to be from %s and belongs to %s", path, record["username"], owner)
            return unclaimed
        return record

    def do_copy(self, src: str, dest: str, log=None) -> None:
        """Copy the plain files below src. Names are looked up in the folder that was opened, never by a path, which
        its owner could make lead elsewhere in the meantime."""
        ignored = ignore_patterns(exclude=self.coursedir.ignore, include=self.coursedir.include)
        left = 1000 * self.coursedir.max_dir_size
        for path, folders, names, opened in os.fwalk(src, follow_symlinks=False):
            unwanted = set(ignored(path, [*folders, *names]))
            folders[:] = [name for name in folders if name not in unwanted]
            target = Path(dest, os.path.relpath(path, src))
            target.mkdir(parents=True, exist_ok=True)
            for name in sorted(set(names) - unwanted):
                try:
                    left -= copy_plain(name, opened, target / name, left)
                except OSError as error:
                    self.log.warning("Left out %s in %s: %s", name, path, error.strerror)


def copy_plain(name: str, folder: int, target: Path, limit: int) -> int:
    """Copy a plain file of an opened folder, of at most `limit` bytes. Returns its bytes. Raises OSError."""
    handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    with open(handle, "rb") as source:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            raise OSError(0, "it is no plain file")
        if about.st_size > limit:
            raise OSError(0, f"it has {about.st_size} bytes, {limit} are left for this submission")
        with target.open("wb") as copy:
            shutil.copyfileobj(source, copy)
    return about.st_size
