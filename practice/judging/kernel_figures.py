"""What a compiled kernel tells about itself: figures from its PTX and from the assembler that Triton brings along."""

import re
import subprocess
import tempfile
from pathlib import Path

import triton

# Bytes of shared memory that one block may have (CUDA C++ Programming Guide, table of technical specifications).
SHARED_LIMIT = {"sm_80": 163 << 10, "sm_90": 227 << 10, "sm_100": 227 << 10}
TENSOR_CORE = r"\b(?:mma\.sync|wgmma\.mma_async|tcgen05\.mma)"
LOAD = r"\b(?:ld\.global|cp\.async\.c[ag]\.shared|cp\.async\.bulk\.tensor)"
STORE = r"\b(?:st\.global|red\.global|atom\.global|cp\.async\.bulk\.tensor\S*\.global\.shared)"
WIDE_LOAD = (
    r"\b(?:ld\.global\S*\.v4\.[bfus]32|ld\.global\S*\.v2\.[bfus]64|cp\.async\.cg\.shared|cp\.async\.bulk\.tensor)"
)


def figures(kernel, target):
    """About a kernel that triton.compile gave for `target`, such as "sm_90": registers of a thread, bytes spilled,
    shared memory in bytes and its limit, tensor-core instructions, loads of 128 bits, loads and stores in all.

    Raises RuntimeError where the PTX is for another target than the one that was asked for.
    """
    ptx = kernel.asm["ptx"]
    built_for = re.search(r"^\.target\s+(sm_\d+)", ptx, re.MULTILINE).group(1)
    if built_for != target:
        raise RuntimeError(f"compiled for {built_for} where {target} was asked for")
    said = assembler(ptx, int(target.removeprefix("sm_")))
    return {
        "target": target,
        "registers": number(r"Used (\d+) registers", said),
        "spilled_bytes": number(r"(\d+) bytes spill stores", said) + number(r"(\d+) bytes spill loads", said),
        "shared_bytes": kernel.metadata.shared,
        "shared_limit": SHARED_LIMIT[target],
        "warps": kernel.metadata.num_warps,
        "tensor_core": len(re.findall(TENSOR_CORE, ptx)),
        "wide_loads": len(re.findall(WIDE_LOAD, ptx)),
        "loads": len(re.findall(LOAD, ptx)),
        "stores": len(re.findall(STORE, ptx)),
    }


def assembler(ptx, capability):
    """What ptxas says about the PTX with -v. Blackwell has an assembler of its own."""
    tool = "ptxas-blackwell" if capability >= 100 else "ptxas"
    path = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / tool
    exact = re.search(r"^\.target\s+([^\s,]+)", ptx, re.MULTILINE).group(1)  # sm_90a, say
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "kernel.ptx")
        source.write_text(ptx)
        command = [str(path), "-v", f"--gpu-name={exact}", str(source), "-o", str(Path(folder, "kernel.cubin"))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{tool}: {done.stderr.strip()[:200]}")
    return done.stderr


def number(pattern, text):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else 0
