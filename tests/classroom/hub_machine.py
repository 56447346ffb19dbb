"""A server to try JupyterHub on: this machine with accounts, homes and folders of its own, which end with the test.

A private mount and process namespace has its own /etc, /home, /srv and /opt, so that `useradd` and the paths of
classroom/hub/README.md are real in it and nowhere else. The checkout itself is out of sight there, but for the Python
environment. When the namespace ends, the kernel ends every process in it.
"""

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
AS_ROOT = [] if os.geteuid() == 0 else ["sudo", "-n"]
LEFT_BEHIND = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "workspace", "course")
REPLACED = ("/etc", "/home", "/srv", "/opt")
STAGE = """
set -e
mkdir -p "$STAGE/home" "$STAGE/srv/paged" "$STAGE/opt/paged"
mv "$STAGE/course" "$STAGE/srv/paged/teacher"
chown -R root:root "$STAGE/srv"
cp -a /etc "$STAGE/etc"
for part in $SHOWN; do mkdir -p "$STAGE/shown$part"; mount --bind "$part" "$STAGE/shown$part"; done
for name in $REPLACED; do mount --bind "$STAGE$name" "$name"; done
for folder in $COVERED; do mount -t tmpfs -o mode=755 tmpfs "$folder"; done
for part in $SHOWN; do mkdir -p "$part"; mount --bind "$STAGE/shown$part" "$part"; done
echo ready
exec sleep infinity
"""


class Machine:
    """A context manager. Raises RuntimeError where the namespace can't be made."""

    def __enter__(self) -> "Machine":
        with contextlib.ExitStack() as undo:
            self.stage = Path(tempfile.mkdtemp(prefix="hub-"))
            undo.callback(subprocess.run, [*AS_ROOT, "rm", "-rf", str(self.stage)], check=True)
            self.stage.chmod(0o755)
            shutil.copytree(ROOT, self.stage / "course", ignore=LEFT_BEHIND, symlinks=True)
            covered, shown = hidden_and_shown()
            about = {"STAGE": [self.stage], "REPLACED": REPLACED, "COVERED": covered, "SHOWN": shown}
            words = [f"{name}={' '.join(map(str, paths))}" for name, paths in about.items()]
            private = ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"]
            command = [*AS_ROOT, "env", *words, *private, "sh", "-c", STAGE]
            holder = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            undo.callback(holder.communicate, timeout=60)
            if holder.stdout.readline() != "ready\n":
                raise RuntimeError(f"no private namespace: {holder.communicate(timeout=30)[1]}")
            self.init = first_process(holder.pid)
            undo.callback(subprocess.run, [*AS_ROOT, "kill", "-KILL", str(self.init)], check=True)
            self._undo = undo.pop_all()
        return self

    def __exit__(self, *about) -> None:
        """Ends the first process of the namespace, and so all."""
        self._undo.close()

    def command(self, line: str, account: str = "root", **environment: str) -> list[str]:
        """What runs a line of shell in there, in the account's home (root: in the course)."""
        home = "/srv/paged/teacher" if account == "root" else f"/home/{account}"
        binaries = [f"{sys.prefix}/bin", f"{sys.base_prefix}/bin", os.environ["PATH"]]
        given = {"HOME": home, "USER": account, "PATH": os.pathsep.join(binaries), "LC_ALL": "C.UTF-8", **environment}
        words = [f"{name}={value}" for name, value in given.items()]
        drop = [] if account == "root" else ["setpriv", f"--reuid={account}", f"--regid={account}", "--init-groups"]
        there = ["nsenter", f"--target={self.init}", "--mount", "--pid", "--wd=/"]
        return [*AS_ROOT, *there, *drop, "env", "-i", *words, "sh", "-c", f"cd {shlex.quote(home)} && {line}"]

    def run(self, line: str, account: str = "root", **environment: str) -> str:
        """Its standard output. Raises AssertionError with all that it said where it fails."""
        done = self.attempt(line, account, **environment)
        assert done.returncode == 0, f"{account}: {line}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def attempt(self, line: str, account: str = "root", **environment: str) -> subprocess.CompletedProcess:
        command = self.command(line, account, **environment)
        return subprocess.run(command, capture_output=True, text=True, timeout=300)


def hidden_and_shown() -> tuple[list[Path], list[Path]]:
    """What is covered: the checkout, and what lies above Python and is closed to other accounts, as /root is. And the
    parts of Python that would then be out of sight."""
    parts = [Path(os.path.realpath(sys.base_prefix)), Path(sys.prefix)]
    above = [folder for part in parts for folder in reversed(part.parents)]
    wanted = [*(folder for folder in above if not folder.stat().st_mode & 0o001), ROOT]
    replaced = [Path(folder) for folder in REPLACED]
    covered = [
        folder for folder in dict.fromkeys(wanted) if not any(folder.is_relative_to(other) for other in replaced)
    ]
    outermost = [folder for folder in covered if not any(other in folder.parents for other in covered)]
    shown = [part for part in parts if any(part.is_relative_to(other) for other in [*outermost, *replaced])]
    return outermost, shown


def first_process(pid: int) -> int:
    """The process below pid that is number 1 in its own namespace, by the number that it has here."""
    while True:
        [numbers] = [
            line.split()[1:] for line in Path(f"/proc/{pid}/status").read_text().splitlines() if "NSpid" in line
        ]
        if len(numbers) > 1 and numbers[-1] == "1":
            return pid
        [pid] = map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
