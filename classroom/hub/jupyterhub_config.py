"""JupyterHub for classes on one server. Who and where stands in class.toml (CLASS_TOML names another file).

    python -m jupyterhub -f classroom/hub/jupyterhub_config.py

Everyone works under an account of their own. A course's grader is an account too, and its server has the gradebook and
formgrader; instructors open it as themselves, students can't. It listens on this machine only: put TLS in front.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from classroom.hub import exchange, settings  # noqa: E402
from classroom.hub.server import prepare_server  # noqa: E402

wanted = settings.load(Path(os.environ.get("CLASS_TOML", "/etc/jupyterhub/class.toml")))
for private in filter(None, (wanted.teacher, wanted.pack)):
    settings.closed(private)
exchange.prepare(wanted.exchange, wanted.courses)
wanted.state.mkdir(mode=0o700, parents=True, exist_ok=True)

c = get_config()  # noqa: F821

c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.JupyterHub.db_url = f"sqlite:///{wanted.state / 'jupyterhub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(wanted.state / "cookie_secret")
c.ConfigurableHTTPProxy.pid_file = str(wanted.state / "proxy.pid")

# Who may log in: everyone but the graders, and nobody who is known from before. Groups are named as nbgrader asks.
c.JupyterHub.authenticator_class = wanted.authenticator
c.Authenticator.allowed_users = wanted.people - {course.grader for course in wanted.courses}
c.Authenticator.allow_existing_users = False
c.JupyterHub.load_groups = {
    f"{role}-{course.name}": {"users": list(people)}
    for course in wanted.courses
    for role, people in (("nbgrader", course.students), ("formgrade", (course.grader, *course.instructors)))
}

# Instructors may start, stop and open their grader's server.
c.JupyterHub.load_roles = [
    {
        "name": f"grading-{course.name}",
        "scopes": [
            f"{scope}!user={course.grader}"
            for scope in ("list:users", "read:users:name", "admin:servers", "access:servers")
        ],
        "groups": [f"formgrade-{course.name}"],
    }
    for course in wanted.courses
]

# A server's own token may also ask which groups its user is in: nbgrader does.
c.Spawner.server_token_scopes = [
    "users:activity!user",
    "access:servers!server",
    "read:users:name!user",
    "read:users:groups!user",
]

# One server per person. systemd enforces the limits; "local" passes them on to Jupyter, which only displays them.
c.JupyterHub.spawner_class = {
    "systemd": "systemdspawner.SystemdSpawner",
    "local": "jupyterhub.spawner.LocalProcessSpawner",
}[wanted.spawner]
c.Spawner.cmd = [sys.executable, "-m", "jupyterhub.singleuser"]
c.Spawner.mem_limit = wanted.memory
c.Spawner.cpu_limit = wanted.cpus
c.Spawner.start_timeout = 120  # seconds; a full class arrives in one minute
c.Spawner.pre_spawn_hook = lambda spawner: prepare_server(spawner, wanted)
c.SystemdSpawner.isolate_tmp = True
c.SystemdSpawner.unit_extra_properties = {"TasksMax": "1000"}

# What is idle is stopped, by a service that may do that and nothing else.
if wanted.idle_minutes:
    c.JupyterHub.services = [
        {
            "name": "culler",
            "command": [sys.executable, "-m", "jupyterhub_idle_culler", f"--timeout={wanted.idle_minutes * 60}"],
        }
    ]
    c.JupyterHub.load_roles.append(
        {
            "name": "culler",
            "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
            "services": ["culler"],
        }
    )
