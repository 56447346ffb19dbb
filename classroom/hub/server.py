"""What one person's server starts with: environment, arguments, and the page that it opens on."""

import os
import pwd
import sys
from pathlib import Path
from urllib.parse import urlencode

from classroom.hub.settings import Edition, Settings

JUPYTER = "/etc/jupyter"  # classroom/hub/jupyter, copied there
NO_FORMGRADER = "--ServerApp.jpserver_extensions=nbgrader.server_extensions.formgrader=False"


def prepare_server(spawner, settings: Settings) -> None:
    """JupyterHub's pre_spawn_hook. Closes the home: nbgrader keeps a copy of what was handed in there."""
    home = Path(pwd.getpwnam(spawner.user.name).pw_dir)
    home.chmod(0o700)
    course = settings.graded_by(spawner.user.name)
    spawner.environment = {
        "CLASS_EXCHANGE": str(settings.exchange),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
    }
    if course:
        spawner.environment |= {
            "CLASS_GRADER": course.name,
            "JUPYTER_CONFIG_PATH": str(home / course.name),
            "PYTHONPATH": str(settings.teacher),
        }
        if settings.pack:
            spawner.environment["JUDGE_PACK"] = str(settings.pack)
        spawner.args, spawner.default_url = [], "/formgrader"
    else:
        spawner.environment |= {
            "JUPYTER_CONFIG_PATH": f"{JUPYTER}/students",
            "PYTHONPATH": str(home / settings.edition.folder),  # their copy, and their answers in it
        }
        spawner.args, spawner.default_url = [NO_FORMGRADER], update_url(settings.edition)


def update_url(edition: Edition) -> str:
    """nbgitpuller's page, below a server's address: it updates the student's copy and then opens chapter 1."""
    chapter = f"lab/tree/{edition.folder}/notebooks/{edition.language}/01-why-page.ipynb"
    asked = {
        "repo": edition.repository,
        "branch": edition.branch,
        "targetPath": edition.folder,
        "urlpath": chapter,
    }
    return f"/git-pull?{urlencode(asked)}"
