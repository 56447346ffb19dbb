"""What the child's first process reads about the fork it watches: processor time, memory, number of processes.

Standard library only, like child.py. Where there is no /proc (macOS) everything is 0, and the clock and the fork's own
account at its end have to do.
"""

import contextlib
import os
import resource


def cpu_seconds(pid):
    """Processor time of the fork so far; 0 where there is no /proc, so that the clock alone decides."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0


def resident_mb(pid, sandboxed):
    """Memory now held: of everything in the sandbox, else of the fork alone. 0 where there is no /proc."""
    held = sysv_bytes() if sandboxed else 0
    me = str(os.getpid())
    for name in os.listdir("/proc") if sandboxed else [str(pid)]:
        if name.isdigit() and name != me:
            with contextlib.suppress(OSError, ValueError, IndexError):  # a process that ended while we looked
                with open(f"/proc/{name}/statm") as statm:
                    held += int(statm.read().split()[1]) * resource.getpagesize()
                for fd in os.scandir(f"/proc/{name}/fd"):
                    if os.readlink(fd.path).startswith("/memfd:"):
                        held += os.stat(fd.path).st_blocks * 512
    return held / (1 << 20)


def sysv_bytes():
    """Bytes in System V shared memory, which belongs to no process and outlives them all."""
    try:
        with open("/proc/sysvipc/shm") as table:
            return sum(int(line.split()[3]) for line in table.readlines()[1:])
    except (OSError, ValueError, IndexError):
        return 0


def crowd(group):
    """How many processes the group of the fork has. Where no sandbox bounds them, this is what stops a flood."""
    count = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else []:
        if name.isdigit():
            with contextlib.suppress(OSError, IndexError), open(f"/proc/{name}/stat") as stat:
                count += stat.read().rpartition(")")[2].split()[2] == str(group)
    return count
