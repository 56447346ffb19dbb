"""nbgrader's `generate_feedback` and `release_feedback`, where one submission never stops the others."""

import glob
from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader import preprocessors, utils
from nbgrader.exchange.default import ExchangeReleaseFeedback
from traitlets import List

FROM_THE_EXCHANGE = ("timestamp.txt", "submission_secret.txt")  # `nbgrader submit` writes them


class ClearMarkScheme(preprocessors.ClearMarkScheme):
    """Takes marking schemes out of tasks. nbgrader's own stops at a student's cell that only mentions one."""

    # nbconvert's HTML exporter sets this, and nbgrader's base class, where it can't be set, would have it warned of
    display_data_priority = List(help="what is shown of an output").tag(config=True)

    def preprocess_cell(self, cell: NotebookNode, resources: ResourcesDict, index: int):
        return super().preprocess_cell(cell, resources, index) if utils.is_task(cell) else (cell, resources)


class ReleaseFeedback(ExchangeReleaseFeedback):
    """ExchangeFactory.release_feedback. Leaves out work that was not handed in through the exchange.

    A student finds feedback there by the secret that `nbgrader submit` has put into the submission. nbgrader's own
    stops where there is none.
    """

    def copy_files(self) -> None:
        everyone = self.src_path
        folders = [everyone] if Path(everyone).is_dir() else sorted(glob.glob(everyone))
        for folder in folders:
            if lacking := [name for name in FROM_THE_EXCHANGE if not _is_text(Path(folder, name))]:
                self.log.warning("Not released, for want of %s: the feedback in %s", " and ".join(lacking), folder)
            else:
                self.src_path = glob.escape(folder)
                super().copy_files()
        self.src_path = everyone


def _is_text(path: Path) -> bool:
    try:
        path.read_text()
    except (OSError, UnicodeError):
        return False
    return True
