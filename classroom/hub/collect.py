"""nbgrader's `collect`, for an exchange in which every student writes under an account of their own.

nbgrader takes a folder's name for granted: with that, one student can hand in for another. Here a submission counts if
it belongs to the account that it names.
"""

import os
import pwd
from datetime import datetime

from classroom.autograde.times import NOBODY, Collect


class CollectOwn(Collect):
    """ExchangeFactory.collect on a class's server."""

    def _path_to_record(self, path: str) -> dict:
        """What the name says, if the folder's owner is who it says; else nobody's."""
        record = super()._path_to_record(path)
        if record["username"] == NOBODY:
            return record
        try:
            owner = pwd.getpwuid(os.lstat(path).st_uid).pw_name
        except (KeyError, OSError) as error:
            owner = f"nobody: {error}"
        if record["username"] == owner:
            return record
        self.log.warning("Left out %s: it claims to be from %s and belongs to %s", path, record["username"], owner)
        return record | {"username": NOBODY, "timestamp": datetime.min}
