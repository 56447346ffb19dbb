"""What this machine gets: PyTorch or not, which build of it, which pin files, and how much that is to download."""

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = ROOT / "requirements"
TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
DRIVER_FILES = ("/proc/driver/nvidia/version", "/dev/nvidia0")
TorchBuild = Literal["none", "cpu", "cuda"]
RANK: dict[TorchBuild, int] = {"none": 0, "cpu": 1, "cuda": 2}


@dataclass(frozen=True)
class Plan:
    """`torch` is "cpu" for every build without CUDA, macOS's own included; `dev` adds ruff and a browser's driver."""

    torch: TorchBuild
    dev: bool = False

    def files(self) -> list[Path]:
        """The pin files whose packages must be there."""
        names = ["core.txt"]
        names += ["torch.txt"] if self.torch != "none" else []
        names += ["dev.txt"] if self.dev else []
        return [REQUIREMENTS / name for name in names]

    def covers(self, other: "Plan") -> bool:
        return RANK[self.torch] >= RANK[other.torch] and self.dev >= other.dev

    def joined(self, other: "Plan") -> "Plan":
        return Plan(max(self.torch, other.torch, key=RANK.__getitem__), self.dev or other.dev)

    def megabytes(self) -> tuple[int, int]:
        """(to download, on disk afterwards), rounded up, as measured on Linux x86_64."""
        download, disk = 90, 700
        if self.torch != "none" and sys.platform == "darwin":
            download, disk = download + 100, disk + 500
        elif self.torch != "none":
            download, disk = download + 400, disk + 1700
        if self.torch == "cuda":
            download, disk = download + 2500, disk + 5000
        return (download + 55, disk + 220) if self.dev else (download, disk)


def nvidia_gpu() -> bool:
    """Whether a driver has an NVIDIA GPU here: seen in /proc or /dev, or told by nvidia-smi (off PATH in WSL2)."""
    if any(os.path.exists(file) for file in DRIVER_FILES):
        return True
    tool = shutil.which("nvidia-smi", path=os.environ.get("PATH", os.defpath) + ":/usr/lib/wsl/lib")
    if tool is None:
        return False
    try:
        listed = subprocess.run([tool, "-L"], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return listed.returncode == 0 and listed.stdout.startswith("GPU ")


def choose_torch(wanted: TorchBuild | None, system: str, machine: str, gpu: bool) -> TorchBuild:
    """The build to install: what was asked for, else CUDA for Linux with an NVIDIA GPU, none on an Intel Mac (PyTorch
    has stopped building for it), and the CPU build elsewhere."""
    if wanted is not None:
        return wanted
    if system == "darwin" and machine != "arm64":
        return "none"
    return "cuda" if system == "linux" and gpu else "cpu"


def needs_cpu_index(torch: TorchBuild) -> bool:
    """Only on Linux does the ordinary package index hold no build without CUDA."""
    return torch == "cpu" and sys.platform == "linux"


def plan_for_this_machine(wanted: TorchBuild | None, dev: bool) -> Plan:
    return Plan(choose_torch(wanted, sys.platform, platform.machine(), nvidia_gpu()), dev)
