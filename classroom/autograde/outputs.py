"""What a graded cell shows: the verdict as a card, and the points as a plain number, which nbgrader reads."""

from dataclasses import replace

from nbformat.v4 import new_output

from practice.judging.card import Card
from practice.judging.notebook import part
from practice.judging.verdict import Verdict

OURS_TO_SETTLE = ("IE", "SKIPPED")  # no fault of the learner: a person decides
MARK = "by_hand"  # in the metadata of an output: these points are not to be counted


def outputs(verdict: Verdict, most: float, lang: str, remarks: list[str], show_run: bool = True) -> list:
    """Outputs of a cell that is worth up to `most` points.

    remarks: lines to show below the verdict. show_run: whether the run that went wrong is shown, with what was due.
    """
    shown = verdict
    if verdict.verdict == "IE":  # what the judge stumbled over may quote a test; it is in the teacher's log
        shown = replace(shown, reason=verdict.reason.partition(":")[0])
    card = Card(shown, lang, remarks, alone=True, run=show_run)
    data = {"text/html": card._repr_html_(), "text/plain": repr(card)}
    return _with_points(data, part(verdict.score, verdict.max_score, most), by_hand=verdict.verdict in OURS_TO_SETTLE)


def no_answer(lines: list[str], by_hand: bool = False) -> list:
    """Outputs of a cell for which there is nothing to judge: why, and no points."""
    return _with_points({"text/plain": "\n".join(lines)}, 0.0, by_hand)


def _with_points(data: dict, points: float, by_hand: bool) -> list:
    return [
        new_output("display_data", data=data, metadata={MARK: True} if by_hand else {}),
        new_output("execute_result", data={"text/plain": str(points)}, execution_count=1),
    ]
