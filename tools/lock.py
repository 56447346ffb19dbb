"""Write requirements/*.txt: every package of a set-up with its exact version, for Python 3.11–3.14 on Linux and macOS.

    make lock        (or: uv on the path, then `python tools/lock.py`)

pyproject.toml names the top-level packages; uv resolves what they bring along. Five files come out, since a set-up may
be with or without PyTorch, its CUDA build, the developers' tools, and JupyterHub:

    core.txt    the course without PyTorch, with pip and setuptools themselves
    torch.txt   PyTorch, Triton and what they add to core
    cuda.txt    NVIDIA's libraries, used as constraints: only PyTorch's CUDA build asks for them
    dev.txt     what building and testing the course adds to core
    hub.txt     JupyterHub, for the machine that serves a class

The files hold no address of an index, so pip's own settings (a mirror, a proxy) decide where packages come from.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "requirements"
HEADER = "# Written by `make lock` from pyproject.toml: do not edit.\n"
NVIDIA = re.compile(r"^(nvidia|cuda)-")


def resolve(*options: str) -> list[str]:
    """`name==version ; marker` lines for the core pins plus what `options` add, sorted by name."""
    command = ["uv", "pip", "compile", "pyproject.toml", "--universal", "--python-version", "3.11", "--quiet"]
    command += ["--no-header", "--annotation-style", "line", "--no-emit-index-url", "--no-emit-find-links", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"uv could not resolve the pins ({' '.join(options)}):\n{done.stderr}")
    return done.stdout.splitlines()


def pin(line: str) -> str:
    return line.split("#")[0].strip()


def write(name: str, lines: list[str]) -> None:
    (OUT / name).write_text(HEADER + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"requirements/{name}: {len(lines)} packages")


def main() -> None:
    """Resolve core alone, then each extra with core held fast, and keep of those only what they add."""
    OUT.mkdir(exist_ok=True)
    core = resolve("--group", "setup")
    write("core.txt", core)
    held = {pin(line) for line in core}
    added = {
        extra: [line for line in resolve("--extra", extra, "-c", "requirements/core.txt") if pin(line) not in held]
        for extra in ("torch", "dev", "hub")
    }
    write("torch.txt", [line for line in added["torch"] if not NVIDIA.match(line)])
    write("cuda.txt", [line for line in added["torch"] if NVIDIA.match(line)])
    write("dev.txt", added["dev"])
    write("hub.txt", added["hub"])


if __name__ == "__main__":
    main()
