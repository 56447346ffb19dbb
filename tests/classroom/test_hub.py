"""A class on JupyterHub, through its real services: release, fetch, solve, submit, collect, grade, feedback. And who
can't get at what. Set up by the commands of classroom/hub/README.md, on a machine within the machine."""

import pytest
import requests
from hub_class import (
    ASSIGNMENT,
    COPY,
    COURSE,
    EXCHANGE,
    FORBIDDEN,
    GRADER,
    RIGHT_121,
    SECRET,
    collect,
    commands_of_readme,
    commit,
    done,
    edition,
    environment,
    hand_in,
    outcomes,
)
from hub_client import Hub, User
from hub_machine import Machine

pytestmark = [pytest.mark.slow, pytest.mark.needs("jupyterhub"), pytest.mark.needs("bubblewrap")]


@pytest.fixture(scope="module")
def machine():
    with Machine() as machine:
        environment(machine, "/srv/paged/teacher")
        machine.run("git init --quiet")
        commit(machine, "the course")
        publish, settings, accounts, _ = commands_of_readme()
        machine.run(publish)
        environment(machine, "/opt/paged")
        machine.run(settings)
        changes = 's/"pam"/"dummy"/; s/"systemd"/"local"/; s/^# pack/pack/'
        machine.run(f"sed -i '{changes}' /etc/jupyterhub/class.toml")
        machine.run(accounts)
        machine.run(f"mkdir -m 750 /srv/paged/pack && echo 'seed = {SECRET}' > /srv/paged/pack/pack.toml")
        machine.run("chgrp -R graders /srv/paged/pack")
        yield machine


@pytest.fixture(scope="module")
def hub(machine):
    return Hub(machine)


@pytest.fixture(scope="module")
def ada(hub) -> User:
    """The instructor. The grader's server is up, and the assignment is released."""
    ada = hub.user("ada")
    ada.start(GRADER)
    for step in ("assign", "release"):
        done(ada.post(f"formgrader/api/assignment/{ASSIGNMENT}/{step}", GRADER))
    return ada


@pytest.fixture(scope="module")
def ben(hub, ada) -> User:
    """A student who has solved 121, half of what the judge can grade, and has handed in."""
    ben = hub.user("ben")
    ben.start()
    assert ben.pull(edition())[-1] == {"phase": "finished"}
    hand_in(ben, {"answer-121": RIGHT_121})
    return ben


@pytest.fixture(scope="module")
def cleo(hub, ada) -> User:
    """A student who has handed in what she was given."""
    cleo = hub.user("cleo")
    cleo.start()
    assert cleo.pull(edition())[-1] == {"phase": "finished"}
    hand_in(cleo, {})
    return cleo


def test_what_is_handed_in_is_graded_and_comes_back_as_feedback(hub, machine, ada, ben, cleo):
    collect(ada)
    for student in ("ben", "cleo"):
        done(ada.post(f"formgrader/api/submission/{ASSIGNMENT}/{student}/autograde", GRADER))
    submissions = {row["student"]: row for row in ada.get(f"formgrader/api/submissions/{ASSIGNMENT}", GRADER)}
    assert {name: submissions[name]["code_score"] for name in ("ben", "cleo")} == {"ben": 10, "cleo": 0}
    for step in ("generate_feedback", "release_feedback"):
        done(ada.post(f"formgrader/api/assignment/{ASSIGNMENT}/{step}", GRADER))
    listed = done(ben.post("assignments/fetch_feedback", course_id=COURSE, assignment_id=ASSIGNMENT))["value"]
    [handed_in] = [row for entry in listed for row in entry.get("submissions", [])]
    assert handed_in["has_local_feedback"]
    feedback = machine.run(f"cat '{handed_in['local_feedback_path']}/{ASSIGNMENT}.html'", "ben")
    assert "10.0 / 10.0" in feedback or "10/10" in feedback
    assert SECRET not in feedback


def test_a_course_is_listed_to_its_students(ben):
    assert ben.get("courses") == {"success": True, "value": [COURSE]}


def test_a_judge_in_a_students_server_is_their_copy_and_runs_answers_in_the_sandbox(ben):
    said = ben.execute("import judge\nfrom practice.judging import sandbox\nprint(judge.__file__, sandbox.kind())")
    assert said == f"/home/ben/{COPY}/judge.py ('bubblewrap', '')\n"
    ben.execute(f"import judge\nget_ipython().run_cell_magic('judge', '121', {RIGHT_121.partition(chr(10))[2]!r})")
    saved = ben.get(f"api/contents/{COPY}/practice/workspace/121-utilisation.py?type=file&format=text")
    assert "def utilisation" in saved["content"]


def test_a_student_is_refused_what_is_not_theirs(ben, cleo):
    refused = outcomes(ben, FORBIDDEN)
    assert refused == dict.fromkeys(FORBIDDEN, "PermissionError")


def test_what_a_student_is_refused_is_there_for_its_owner(machine, ben, cleo):
    machine.run(f"ls .local/share/jupyter/nbgrader_cache/{COURSE}/cleo+*", "cleo")
    grader = f"ls {COURSE}/gradebook.db {EXCHANGE}/inbound/ben+* {EXCHANGE}/inbound/cleo+* /srv/paged/teacher/tests"
    machine.run(f"{grader} && grep {SECRET} /srv/paged/pack/pack.toml", GRADER)


def test_a_students_server_does_not_know_where_the_pack_is(ben):
    assert ben.execute("import os\nprint({'JUDGE_PACK', 'CLASS_GRADER'} & set(os.environ))") == "set()\n"


def test_servers_open_to_their_owner_and_the_graders_server_to_instructors(ada, ben, cleo):
    asked = {
        (person.name, server): person.ask("GET", f"/user/{server}/api/contents").status_code
        for person in (ada, ben)
        for server in ("ben", "cleo", GRADER)
    }
    assert asked == {
        ("ada", "ben"): 403,
        ("ada", "cleo"): 403,
        ("ada", GRADER): 200,
        ("ben", "ben"): 200,
        ("ben", "cleo"): 403,
        ("ben", GRADER): 403,
    }
    assert ben.ask("DELETE", f"/hub/api/users/{GRADER}/server").status_code in (403, 404)


@pytest.mark.parametrize("name", [GRADER, "mallory"])
def test_nobody_logs_in_as_the_grader_or_from_outside_the_class(hub, name):
    with pytest.raises(requests.HTTPError, match="403"):
        hub.user(name)


def test_what_is_handed_in_for_another_is_not_collected_and_links_lead_nowhere(machine, ada, ben, cleo):
    collect(ada)
    submitted, solved = f"/home/{GRADER}/{COURSE}/submitted", f"/home/{GRADER}/{COURSE}/source/{ASSIGNMENT}"
    before = machine.run(f"cat {submitted}/cleo/{ASSIGNMENT}/*")
    ben.execute(
        f"""
from pathlib import Path
def put(name):
    folder = Path("{EXCHANGE}/inbound", name)
    folder.mkdir()
    folder.joinpath("timestamp.txt").write_text("2027-12-31 00:00:00.000000 UTC")
    return folder
put("cleo+{ASSIGNMENT}+2027-12-31 00:00:00.000000 UTC+x").joinpath("{ASSIGNMENT}.ipynb").write_text("mine")
put("ben+{ASSIGNMENT}+2027-12-31 00:00:00.000000 UTC+x").joinpath("{ASSIGNMENT}.ipynb").symlink_to(
    "{solved}/{ASSIGNMENT}.ipynb")
put("ben+{ASSIGNMENT}+whenever+x")
"""
    )
    log = collect(ada)
    assert "claims to be from cleo and belongs to ben" in log
    assert machine.run(f"cat {submitted}/cleo/{ASSIGNMENT}/*") == before
    assert machine.run(f"ls {submitted}/ben/{ASSIGNMENT}") == "timestamp.txt\n"


def test_an_update_brings_what_is_new_and_keeps_what_a_student_wrote(machine, ben):
    readme = f"api/contents/{COPY}/README.md"
    ben.put(readme, type="file", format="text", content="my notes\n")
    ben.put(f"api/contents/{COPY}/practice/workspace/mine.py", type="file", format="text", content="x = 1\n")
    machine.run("echo news > docs/news.md")
    commit(machine, "week 2")
    machine.run(commands_of_readme()[-1])
    assert ben.pull(edition())[-1] == {"phase": "finished"}
    kept = {readme: "my notes\n", f"api/contents/{COPY}/practice/workspace/mine.py": "x = 1\n"}
    for path, text in {**kept, f"api/contents/{COPY}/docs/news.md": "news\n"}.items():
        assert ben.get(f"{path}?type=file&format=text")["content"] == text


def test_the_culler_runs(hub, machine):
    assert "jupyterhub_idle_culler" in machine.run("ps ax -o args")


def test_the_hub_refuses_to_start_while_students_could_read_the_checkout(machine, hub):
    machine.run("chmod o+rx /srv/paged/teacher")
    try:
        line = "/opt/paged/.venv/bin/python -m jupyterhub -f classroom/hub/jupyterhub_config.py --show-config"
        refused = machine.attempt(line)
    finally:
        machine.run("chmod o-rx /srv/paged/teacher")
    assert refused.returncode != 0
    assert "/srv/paged/teacher has mode 0755, so students can get at it" in refused.stderr
