"""Settings of this nbgrader course. `make class` wrote this file once and leaves it alone from then on: it is yours.

nbgrader's commands read it when they are run in this folder; JupyterLab's formgrader does so when it is started here.
"""

import os
import sys
import warnings
from pathlib import Path

from sqlalchemy.exc import SAWarning

LANG = "en"  # of the feedback: en or zh
ROOT = Path(__file__).resolve().parent

# Students' code is judged in bubblewrap, on Linux, or not at all: without it, an answer could read this machine's
# files. Every submission is then left to be graded by hand, with the reason in its notebook.
os.environ.setdefault("JUDGE_SANDBOX", "bubblewrap")

# Tests and seeds that students don't have, see “For a class” in the course's README. JUDGE_PACK=DIR does the same.
# os.environ["JUDGE_PACK"] = str(ROOT / "private")

# nbgrader starts `alembic` by its name, which is found beside this Python, whether its environment is activated or not.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])

# What SQLAlchemy says about nbgrader's own queries is nothing that you could mend.
warnings.filterwarnings("ignore", category=SAWarning, module="nbgrader")

c = get_config()  # noqa: F821

# The course, and where its files are.
c.CourseDirectory.course_id = "paged-kv-cache"
c.CourseDirectory.root = str(ROOT)
c.CourseDirectory.db_url = f"sqlite:///{ROOT / 'gradebook.db'}"

# Where assignments and submissions are exchanged; all users of this machine must be able to write there.
# The default is /usr/local/share/nbgrader/exchange.
# c.Exchange.root = "/srv/nbgrader/exchange"
# c.Exchange.timezone = "Europe/Berlin"

# What students get: the starter, which stands above each solution, and nothing in the solution's place.
c.ClearSolutions.code_stub = {"python": ""}

# What is handed in is read whatever became of it, and the course's own cells are put back.
c.Autograde.exporter_class = "classroom.autograde.reading.SubmissionExporter"
c.Autograde.sanitize_preprocessors = [
    "classroom.autograde.mending.Mend",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.OverwriteCells",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# Answers go to the judge. In nbgrader's own list, Execute stands where Judge does here, and runs them in a kernel.
c.Autograde.autograde_preprocessors = [
    "classroom.autograde.judging.Judge",
    "nbgrader.preprocessors.LimitOutput",
    "classroom.autograde.saving.SaveVerdicts",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.Judge.lang = LANG
# Whether feedback shows the run that went wrong, or only which checks failed. With private tests, show none.
c.Judge.show_run = "JUDGE_PACK" not in os.environ
# Seconds spent on making a failing run short and on finding the misconception behind it, for each failing answer.
# c.Judge.shrink_seconds = 0.8
# c.Judge.diagnose_seconds = 0.7

# Feedback leaves out the marking schemes; graders see them in the formgrader.
c.GenerateFeedback.preprocessors = [
    "classroom.autograde.feedback.ClearMarkScheme",
    "nbgrader.preprocessors.GetGrades",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]

# Links are not collected, and nothing odd about one submission stops the others. (On a class's server hub/collect.py.)
if "CLASS_GRADER" not in os.environ:
    c.ExchangeFactory.collect = "classroom.autograde.times.Collect"

# Work that came without the exchange gets no feedback through it, and stops nobody else's.
c.ExchangeFactory.release_feedback = "classroom.autograde.feedback.ReleaseFeedback"

# Names that students chose stand in the log; they must not drive the terminal.
c.Application.logging_config = {"formatters": {"console": {"class": "classroom.autograde.log.Legible"}}}

# Late submissions: nbgrader asks a plug-in, https://nbgrader.readthedocs.io/en/stable/plugins/late-plugin.html
# c.AssignLatePenalties.plugin_class = "nbgrader.plugins.LateSubmissionPlugin"
# c.LateSubmissionPlugin.penalty_method = "zero"
