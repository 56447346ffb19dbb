"""Judging the answers of one submission, in place of running its notebook in a kernel.

Only the source of an answer is taken from the notebook, see practice/judging/submissions.py. It is judged in the
sandbox, and what came of it is written below the graded cell, `judge.points(127, 10)`. No cell is ever run.
"""

import atexit
import re

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Enum, Float

from classroom.autograde.outputs import no_answer, outputs
from classroom.autograde.reading import remarks_in
from classroom.autograde.showing import shown
from practice.judging import catalogue
from practice.judging.messages import say
from practice.judging.submissions import Remark, answers_in, counted
from practice.judging.verdict import DIAGNOSE_SECONDS, SHRINK_SECONDS, Verdict, failed, judge
from practice.judging.warm import Children

POINTS = re.compile(r"""\s*judge\.points\(\s*["']?(\d{1,9}[a-h]?)["']?\s*,\s*(\d+(?:\.\d+)?)\s*\)\s*""")
CHILDREN = Children()
atexit.register(CHILDREN.close)


class Judge(NbGraderPreprocessor):
    """Stands where `Execute` does among `Autograde.autograde_preprocessors`."""

    lang = Enum(("en", "zh"), "en", help="the language of the feedback").tag(config=True)
    show_run = Bool(True, help="whether feedback shows the run that went wrong, with what was due").tag(config=True)
    shrink_seconds = Float(SHRINK_SECONDS, help="to make a failing run short").tag(config=True)
    diagnose_seconds = Float(DIAGNOSE_SECONDS, help="to find mistakes that fail alike").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        about = resources["nbgrader"]
        graded = [cell for cell in nb.cells if utils.is_grade(cell) and not utils.is_solution(cell)]
        asked = {n: found[1] for n, cell in enumerate(graded) if (found := POINTS.fullmatch(cell.source))}
        known = {str(problem.number): problem for problem in catalogue.all_problems()}
        answers = answers_in(nb, set(asked.values()) & known.keys()).answers
        remarks = remarks_in(nb)
        verdicts: dict[str, Verdict] = {}
        for place, cell in enumerate(graded):
            problem = known.get(asked.get(place))
            if problem is None:
                cell.outputs = no_answer([say(self.lang, "by_hand")], by_hand=True)
                continue
            chosen, source = counted(problem, lambda one: answers.get(one.number))
            lines = [remark.text(self.lang) for remark in remarks if remark.number == chosen.number]
            if source is None:
                cell.outputs = no_answer(lines or [remark.text(self.lang) for remark in remarks])
            else:
                name = str(chosen.number)
                verdicts[name] = verdicts.get(name) or self.judged(name, source, about["notebook"])
                most = float(cell.metadata.nbgrader["points"])
                cell.outputs = outputs(verdicts[name], most, self.lang, lines, self.show_run)
            cell.execution_count = 1
        self._tell(nb, remarks)
        scores = [f"{n} {verdict.verdict} {verdict.score}/{verdict.max_score}" for n, verdict in verdicts.items()]
        said = [remark.text("en") for remark in remarks]
        self.log.info("%s %s: %s", about["student"], about["notebook"], "; ".join([*scores, *said]))
        return nb, resources

    def judged(self, number: str, source: str, notebook: str) -> Verdict:
        """The verdict on an answer. Where the judge itself fails, that is the verdict, and the class goes on."""
        problem, file = catalogue.find(number), f"{notebook}.ipynb"
        seconds = {"shrink_seconds": self.shrink_seconds, "diagnose_seconds": self.diagnose_seconds}
        try:
            return judge(problem, source.encode(), file=file, children=CHILDREN, **seconds)
        except Exception as error:
            self.log.exception("the judge failed on %s", number)
            return failed(problem, error, file)

    def _tell(self, nb: NotebookNode, remarks: list[Remark]) -> None:
        """Say on top what was odd about the notebook as a whole."""
        lines = [f"- {remark.text(self.lang)}" for remark in remarks if remark.number is None]
        if lines:
            text = "\n".join([f"**{say(self.lang, 'on_submission')}**", "", *lines])
            nb.cells.insert(0, shown(new_markdown_cell(text, id="remarks")))  # they may quote a student
