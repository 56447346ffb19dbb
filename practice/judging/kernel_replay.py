"""Launches that an answer's wrapper would make, made on a real GPU and timed: a process of its own on the judge's side.

It has not been run on a GPU yet; what needs none is tested. Of the answer it gets compiled kernels and the arguments of
their launches (kernel_record.py), never its Python: nothing of it can reach the clock, the inputs or what is expected.
A kernel's machine code runs in this process's memory on the GPU, so what it writes anywhere could be wrong; it is
checked after every call, and the interpreter has watched its stores before.

Before each timed call q, K, V, the order of blocks and the wrapper's own memory are new, and something four times as
large as the L2 cache is written, which also gives the launches time to queue up: device events around them see no
Python. Results are compared in float64, row by row, since a long context averages to values near zero. The score is
what must be read and written, over the median time, in per cent of a copy's bandwidth in this same process.

stdin: {"launches", "own", "result", "inputs", "scale"} as JSON. stdout: {"name", "dtype", "calls", "error", "seconds",
"bytes_per_second", "copy_bytes_per_second"}, or {"reason"} where it cannot be timed.
"""

import base64
import ctypes
import json
import statistics
import sys

import torch

CALLS = 20
COPY_BYTES = 1 << 29
BOUND = 0.03  # of a row's length: results in half precision, weights too
SHARED_WITHOUT_ASKING = 48 << 10
MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
NUMBERS = {
    **{f"i{bits}": getattr(ctypes, f"c_int{bits}") for bits in (8, 16, 32, 64)},
    **{f"u{bits}": getattr(ctypes, f"c_uint{bits}") for bits in (8, 16, 32, 64)},
    **{"i1": ctypes.c_int8, "u1": ctypes.c_uint8, "fp32": ctypes.c_float, "fp64": ctypes.c_double},
}


class NotTimed(Exception):
    """Why there is no time; the text is shown."""


class Memory:
    """The inputs of a run, and the wrapper's own memory, on a device. seq_lens are as given, all else changes."""

    def __init__(self, plan: dict, device: str):
        self.plan, self.device, self.inputs, self.starts = plan, device, {}, {}
        for name, about in plan["inputs"].items():
            storage = torch.empty(about["shape"][0] * about["strides"][0], dtype=getattr(torch, about["dtype"]))
            storage = storage.to(device)
            self.inputs[name] = storage.as_strided(about["shape"], about["strides"])
            self.starts[name] = storage.data_ptr()
        self.own = [torch.empty(about["bytes"], dtype=torch.uint8, device=device) for about in plan["own"]]
        self.seq_lens = torch.tensor(plan["inputs"]["seq_lens"]["values"], dtype=torch.int32)

    def fresh(self, seed: int) -> None:
        """New contents. q is large enough for some keys to stand out."""
        generator = torch.Generator(self.device).manual_seed(seed)
        for name, factor in (("q", 2.0), ("k_cache", 1.0), ("v_cache", 1.0)):
            self.inputs[name].normal_(generator=generator).mul_(factor)
        cache, tables = self.inputs["k_cache"], self.inputs["block_tables"]
        blocks = torch.randperm(len(cache), generator=torch.Generator().manual_seed(seed)).to(torch.int32)
        needed = -(-self.seq_lens // cache.shape[1])
        padded = torch.full(tables.shape, -1, dtype=torch.int32)
        for row, part in zip(padded, blocks[: int(needed.sum())].split(needed.tolist()), strict=True):
            row[: len(part)] = part
        tables.copy_(padded)
        self.inputs["seq_lens"].copy_(self.seq_lens)
        for memory in self.own:
            memory.fill_(0x7F)  # large numbers, or NaN

    def fill(self) -> None:
        """What the wrapper fills before it launches: part of the call."""
        for memory, about in zip(self.own, self.plan["own"], strict=True):
            if value := bytes.fromhex(about["fill"]):
                kind = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[len(value)]
                memory.view(kind).fill_(int.from_bytes(value, "little", signed=len(value) > 1))

    def address(self, kind: str, which: str | int, byte: int) -> int:
        return (self.starts[which] if kind == "input" else self.own[which].data_ptr()) + byte

    def result(self) -> torch.Tensor:
        about = self.plan["result"]
        dtype = getattr(torch, about["dtype"])
        _, number, byte = about["place"]
        return self.own[number].view(dtype).as_strided(about["shape"], about["strides"], byte // dtype.itemsize)

    def least_bytes(self) -> int:
        """All that must cross the memory bus: K and V that are owned, q, the result."""
        cache = self.inputs["k_cache"]
        kv = 2 * int(self.seq_lens.sum()) * cache[0, 0].numel() * cache.element_size()
        return kv + 2 * self.inputs["q"].nbytes

    def error(self) -> float:
        """The largest distance of a head's result from float64, as a part of its length; infinite for NaN."""
        inputs, block_size, worst, found = self.inputs, self.inputs["k_cache"].shape[1], 0.0, self.result()
        for request, seq_len in enumerate(self.seq_lens.tolist()):
            blocks = inputs["block_tables"][request, : -(-seq_len // block_size)].long()
            k, v = (inputs[name][blocks].flatten(0, 1)[:seq_len].double() for name in ("k_cache", "v_cache"))
            q = inputs["q"][request].double().unflatten(0, (k.shape[1], -1))  # [num_kv_heads, group, D]
            weights = (torch.einsum("kgd,skd->kgs", q, k) * self.plan["scale"]).softmax(-1)
            expected = torch.einsum("kgs,skd->kgd", weights, v).flatten(0, 1)
            distance = ((found[request].double() - expected).norm(dim=-1) / expected.norm(dim=-1)).max().item()
            worst = max(worst, distance) if distance == distance else float("inf")
        return worst


class Launch:
    """A compiled kernel, ready to be launched with its arguments."""

    def __init__(self, cuda: ctypes.CDLL, about: dict, memory: Memory):
        self.cuda, self.about = cuda, about
        module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        image = base64.b64decode(about["cubin"])
        check(cuda.cuModuleLoadData(ctypes.byref(module), image), "cuModuleLoadData")
        check(cuda.cuModuleGetFunction(ctypes.byref(self.function), module, about["symbol"].encode()), "the kernel")
        if about["shared"] > SHARED_WITHOUT_ASKING:
            given = cuda.cuFuncSetAttribute(self.function, MAX_DYNAMIC_SHARED, about["shared"])
            check(given, f"{about['shared']} bytes of shared memory")
        self.values = parameters(about["arguments"], memory)
        pointers = [ctypes.cast(ctypes.byref(value), ctypes.c_void_p) for value in self.values]
        self.pointers = (ctypes.c_void_p * len(pointers))(*pointers)

    def __call__(self, stream: int) -> None:
        size = (*self.about["grid"], self.about["threads"], 1, 1, self.about["shared"])
        queued = self.cuda.cuLaunchKernel(self.function, *size, ctypes.c_void_p(stream), self.pointers, None)
        check(queued, "cuLaunchKernel")


def parameters(arguments: list, memory: Memory) -> list:
    """What a kernel of Triton 3.7.1 takes: its arguments, and two addresses of scratch memory that it has none of."""
    values = [
        ctypes.c_uint64(memory.address(*argument)) if len(argument) == 3 else NUMBERS[argument[0]](argument[1])
        for argument in arguments
    ]
    return [*values, ctypes.c_uint64(0), ctypes.c_uint64(0)]


def check(status: int, what: str) -> None:
    """Raise NotTimed unless a function of the driver gave CUDA_SUCCESS."""
    if status:
        raise NotTimed(f"{what}: CUDA error {status}")


def seconds(prepare, call) -> float:
    """Between device events. prepare() queues up work that takes longer than Python needs to queue up call()."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    prepare()
    begin.record()
    call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3


def time_launches(plan: dict) -> dict:
    """Raises NotTimed; torch's errors pass."""
    torch.cuda.init()
    about, cuda = torch.cuda.get_device_properties(0), ctypes.CDLL("libcuda.so.1")
    flush = torch.empty(max(1 << 28, 4 * about.L2_cache_size), dtype=torch.uint8, device="cuda")
    source, target = (torch.zeros(COPY_BYTES, dtype=torch.uint8, device="cuda") for _ in range(2))
    copies = [seconds(flush.zero_, lambda: target.copy_(source)) for _ in range(CALLS)]
    memory = Memory(plan, "cuda")
    launches = [Launch(cuda, about, memory) for about in plan["launches"]]
    stream = torch.cuda.current_stream().cuda_stream

    def call() -> None:
        memory.fill()
        for launch in launches:
            launch(stream)

    times, worst = [], 0.0
    for number in range(CALLS + 1):
        memory.fresh(number)
        times.append(seconds(flush.zero_, call))
        worst = max(worst, memory.error())
    if worst > BOUND:
        raise NotTimed(f"results are {100 * worst:.1f} % off, {100 * BOUND:.0f} % are granted")
    median = statistics.median(times[1:])  # the first call loads the code
    return {
        "name": about.name,
        "dtype": plan["inputs"]["q"]["dtype"],
        "calls": CALLS,
        "error": worst,
        "seconds": median,
        "bytes_per_second": memory.least_bytes() / median,
        "copy_bytes_per_second": 2 * COPY_BYTES / statistics.median(copies),
    }


if __name__ == "__main__":
    try:
        found = time_launches(json.load(sys.stdin))
    except Exception as error:
        found = {"reason": str(error) if isinstance(error, NotTimed) else f"{type(error).__name__}: {error}"[:200]}
    print(json.dumps(found))
