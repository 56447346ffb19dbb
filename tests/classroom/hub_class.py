"""What the tests of JupyterHub share: the class of the example settings, the README's commands, handing in."""

import json
import re
import sys
import sysconfig

import nbformat
from hub_client import User
from hub_machine import ROOT, Machine

README = ROOT / "classroom" / "hub" / "README.md"
COURSE, ASSIGNMENT, GRADER, COPY = "paged-kv-cache", "01-why-page", "grader-paged", "paged-kv-cache-course"
EXCHANGE = f"/srv/paged/exchange/{COURSE}"
SECRET = "20270111"  # the seed in the private pack
FORBIDDEN = [
    "os.listdir('/home/cleo')",
    f"os.listdir('/home/cleo/.local/share/jupyter/nbgrader_cache/{COURSE}')",
    f"Path('/home/{GRADER}/{COURSE}/gradebook.db').read_bytes()",
    f"os.listdir('{EXCHANGE}/inbound')",
    f"os.listdir('{EXCHANGE}/feedback')",
    f"Path('{EXCHANGE}/outbound/mine').mkdir()",
    "os.listdir('/srv/paged/teacher')",
    "os.listdir('/srv/paged/pack')",
    "Path('/srv/paged/pack/pack.toml').read_text()",
    "os.listdir('/srv/paged/hub')",
]
RIGHT_121 = """%%judge 121

def utilisation(lengths, block_size, max_len):
    used = sum(lengths)
    blocks = sum((length + block_size - 1) // block_size for length in lengths)
    return used / (max_len * len(lengths)), used / (blocks * block_size)
"""


def commands_of_readme() -> list[str]:
    return re.findall(r"<!-- tested -->\n```sh\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def environment(machine: Machine, folder: str) -> None:
    """Stands in for `make setup` in a copy of the course: this Python's packages, and the course from that copy."""
    machine.run(
        f"python3 -m venv --without-pip {folder}/.venv && ln -s {sys.prefix}/share {sys.prefix}/etc {folder}/.venv"
    )
    paths = f"{folder}\\n{sysconfig.get_paths()['platlib']}\\n"
    machine.run(f"printf '{paths}' > $(echo {folder}/.venv/lib/python3*/site-packages)/course.pth")


def commit(machine: Machine, message: str) -> None:
    machine.run(f"git add --all && git -c user.name=t -c user.email=t@localhost commit --quiet --message '{message}'")


def edition() -> dict[str, str]:
    return {"repo": "/srv/paged/student.git", "branch": "main", "targetpath": COPY}


def hand_in(student: User, answers: dict[str, str]) -> None:
    """Fetch the assignment, put answers into the cells of those names, submit."""
    asked = {"course_id": COURSE, "assignment_id": ASSIGNMENT}
    [fetched] = done(student.post("assignments/fetch", **asked))["value"]
    assert fetched["status"] == "fetched"
    path = f"api/contents/{fetched['path']}/{ASSIGNMENT}.ipynb"
    notebook = nbformat.from_dict(student.get(path)["content"])
    for cell in notebook.cells:
        cell.source = answers.get(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
    student.put(path, type="notebook", format="json", content=notebook)
    done(student.post("assignments/submit", **asked))


def done(reply: dict) -> dict:
    assert reply["success"], reply
    return reply


def collect(ada: User) -> str:
    return done(ada.post(f"formgrader/api/assignment/{ASSIGNMENT}/collect", GRADER))["log"]


def outcomes(person: User, attempts: list[str]) -> dict[str, str]:
    """For each line of Python, run in a kernel of their server: the name of its exception, or "done"."""
    source = f"""
import json, os
from pathlib import Path
said = {{}}
for attempt in {attempts!r}:
    try:
        exec(attempt)
        said[attempt] = "done"
    except Exception as error:
        said[attempt] = type(error).__name__
print(json.dumps(said))
"""
    return json.loads(person.execute(source))
