"""Saving grades as nbgrader does, but where a person has to decide: on what the judge could not judge, and on tasks.

nbgrader itself gives a notebook that is missing zero for all its tasks, once and for all. Here that holds for a student
who handed in none; what is in a notebook under another name is somebody's work.
"""

from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Grade
from nbgrader.preprocessors import SaveAutoGrades

from classroom.autograde.outputs import MARK
from classroom.autograde.reading import remarks_in


class SaveVerdicts(SaveAutoGrades):
    """Stands where `SaveAutoGrades` does among `Autograde.autograde_preprocessors`."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        self.nothing = any(remark.key == "no_notebook" for remark in remarks_in(nb))
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell: NotebookNode, resources: dict, index: int) -> tuple[NotebookNode, dict]:
        super().preprocess_cell(cell, resources, index)
        by_hand = any(output.get("metadata", {}).get(MARK) for output in cell.get("outputs", []))
        if by_hand or utils.is_task(cell):
            grade = self._grade(cell)
            if grade.manual_score is None:
                grade.auto_score, grade.needs_manual_grade = (0.0, False) if self.nothing else (None, True)
                self.gradebook.db.commit()
        return cell, resources

    def _grade(self, cell: NotebookNode) -> Grade:
        name = cell.metadata.nbgrader["grade_id"]
        return self.gradebook.find_grade(name, self.notebook_id, self.assignment_id, self.student_id)
