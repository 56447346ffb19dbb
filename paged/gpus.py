"""How much memory some GPUs have: what the data sheet says, and what a program finds.

Data sheets count in GB without saying which. The chips come in powers of two, so that "80 GB" are about 80 GiB
(2**30 bytes each) and not 80 * 10**9 bytes = 74.5 GiB; and a little less is left for programs where error correction
or the firmware takes some (L4: one sixteenth for ECC). `mib` is the total that `nvidia-smi` shows, in MiB (2**20
bytes), for MI300X what `rocm-smi --showmeminfo vram` shows; arithmetic goes by it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class GPU:
    name: str
    stated_gb: int  # on the data sheet
    mib: int
    source: str  # the data sheet

    @property
    def num_bytes(self) -> int:
        return self.mib * 2**20


_TABLE = (
    GPU("L4", 24, 23_034, "NVIDIA L4 Tensor Core GPU data sheet"),
    GPU("RTX 4090", 24, 24_564, "NVIDIA GeForce RTX 4090 specifications"),
    GPU("A100 40GB", 40, 40_960, "NVIDIA A100 Tensor Core GPU data sheet"),
    GPU("A100 80GB", 80, 81_920, "NVIDIA A100 Tensor Core GPU data sheet"),
    GPU("H100 80GB", 80, 81_559, "NVIDIA H100 Tensor Core GPU data sheet, SXM"),
    GPU("H200", 141, 143_771, "NVIDIA H200 Tensor Core GPU data sheet"),
    GPU("B200", 180, 183_359, "NVIDIA DGX B200 user guide: eight GPUs with 1,440 GB"),
    GPU("MI300X", 192, 196_592, "AMD Instinct MI300X data sheet"),
)

GPUS = {gpu.name: gpu for gpu in _TABLE}
