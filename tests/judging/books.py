"""A notebook without a browser: IPython's shell in this process, with the judge's magic."""

import contextlib

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from practice.judging import notebook


class Notebook:
    def __init__(self, shell: InteractiveShell, house):
        self.shell, self.house = shell, house

    @property
    def saved(self):
        """Where the answer to 901 is kept."""
        return self.house.workspace / "901-double.py"

    def run(self, *cells: str) -> None:
        for cell in cells:
            self.shell.run_cell(cell, store_history=True)

    def judge(self, cell: str, number="901"):
        """Run a cell that begins with %%judge; returns (card, all that was displayed or printed)."""
        with capture_output() as said:
            result = self.shell.run_cell(f"%%judge {number}\n{cell}")
        assert result.error_in_exec is None, result.error_in_exec
        return card_in(said), said

    def check(self, number=901):
        """What `judge.check(number)` does; returns as `judge`."""
        with capture_output() as said:
            notebook.check(number)
        return card_in(said), said


def card_in(said) -> dict | None:
    """The verdict among what was displayed, by MIME type."""
    cards = [output.data for output in said.outputs if 'role="status"' in output.data.get("text/html", "")]
    assert all("text/plain" in card for card in cards), said.stderr
    return cards[0] if cards else None


@contextlib.contextmanager
def opened(house):
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    notebook.load_ipython_extension(shell)
    try:
        yield Notebook(shell, house)
    finally:
        InteractiveShell.clear_instance()
