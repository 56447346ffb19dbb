"""Print the shell commands that give everyone in class.toml an account: `python classroom/hub/accounts.py | sh -e`.

It may be run again after the file has grown. Passwords are not its business: with PAM, `passwd NAME`; other
authenticators have their own.
"""

import grp
import os
import pwd
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from classroom.hub import settings


def commands(wanted: settings.Settings) -> list[str]:
    """For what the system does not have yet; a home opens to its owner only."""
    found = []
    members = {group.gr_name: set(group.gr_mem) for group in grp.getgrall()}
    accounts = {account.pw_name for account in pwd.getpwall()}
    groups = {course.group: course.people for course in wanted.courses}
    groups[settings.GRADERS] = tuple(course.grader for course in wanted.courses)
    for name in sorted(wanted.people - accounts):
        found += [f"useradd --create-home --shell /bin/bash {name}", f"chmod 700 ~{name}"]
    for group, people in groups.items():
        if group not in members:
            found.append(f"groupadd {group}")
        found += [f"usermod --append --groups {group} {name}" for name in people if name not in members.get(group, ())]
    return found


if __name__ == "__main__":
    print("\n".join(commands(settings.load(Path(os.environ.get("CLASS_TOML", "/etc/jupyterhub/class.toml"))))))
