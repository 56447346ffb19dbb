"""How many requests fit: the arithmetic of the capacity planner. capacity_planner_plan.js does the same sums."""

from math import floor
from typing import NamedTuple

from paged.gpus import GPU
from paged.memory import max_requests
from paged.models import Model

GIB = 2**30
MAX_GPUS = 8
KV_BYTES = {"bf16": 2, "fp8": 1}
WEIGHT_BITS = {"bf16": 16, "fp8": 8, "int4": 4}
ENTRY_BYTES = 4  # of a block table: int32, as the engines keep it on the device
RECORD_BYTES = 24  # of a block: its reference count and two links of the free queue, 8 bytes each


class Setting(NamedTuple):
    """What is planned. Sizes of memory in GiB are those of each GPU; weights None: as the parameters need."""

    model: Model
    gpu: GPU
    num_gpus: int
    weight_dtype: str  # "published" or a key of WEIGHT_BITS
    weights: float | None
    kept: float
    kv_dtype: str
    tokens: int
    reserved_tokens: int | None  # None: the model's context
    block_size: int


class Plan(NamedTuple):
    """What comes of it. Bytes are those of each GPU; counts of requests hold for all GPUs together.

    problem: "" or why no request fits: "heads" cannot be split, weights and what is kept exceed the "memory", or the
    room for KV is too small for one "request".
    """

    problem: str
    bytes_per_token: int  # 0 when the heads cannot be split
    memory: int
    weights: int
    kept: int
    budget: int  # for KV; negative when it does not fit
    tokens: int  # of a request: at most as many as are reserved
    reserved_tokens: int  # at most the model's context
    paged: int  # requests
    reserved: int  # requests
    entries: int  # of one request's block table
    table_bytes: int  # block tables of all requests
    blocks: int  # in the pool
    record_bytes: int  # of all blocks


def plan(setting: Setting) -> Plan:
    """Paging takes whole blocks for `tokens`; reserving takes one piece of memory for `reserved_tokens`."""
    model, num_gpus, block_size = setting.model, setting.num_gpus, setting.block_size
    reserved_tokens = min(setting.reserved_tokens or model.context, model.context)
    tokens = min(setting.tokens, reserved_tokens)
    memory, weights, kept = setting.gpu.num_bytes, _weight_bytes(setting), floor(setting.kept * GIB)
    budget = memory - weights - kept
    splits = model.splits_over(num_gpus)
    per_token = model.bytes_per_token(KV_BYTES[setting.kv_dtype], num_gpus) if splits else 0
    paged = reserved = blocks = 0
    if splits and budget > 0:
        paged = max_requests(budget, tokens, per_token, block_size)
        reserved = max_requests(budget, reserved_tokens, per_token, 1)
        blocks = max_requests(budget, block_size, per_token, block_size)
    problem = "heads" if not splits else "memory" if budget <= 0 else "" if paged else "request"
    entries = -(-tokens // block_size)
    return Plan(
        problem=problem,
        bytes_per_token=per_token,
        memory=memory,
        weights=weights,
        kept=kept,
        budget=budget,
        tokens=tokens,
        reserved_tokens=reserved_tokens,
        paged=paged,
        reserved=reserved,
        entries=entries,
        table_bytes=paged * entries * ENTRY_BYTES,
        blocks=blocks,
        record_bytes=blocks * RECORD_BYTES,
    )


def enough_gpus(setting: Setting) -> int | None:
    """The least number of these GPUs, up to 8, on which a request fits; weights given by hand are spread over them."""
    whole = None if setting.weights is None else setting.weights * setting.num_gpus
    for num_gpus in range(1, MAX_GPUS + 1):
        spread = setting._replace(num_gpus=num_gpus, weights=None if whole is None else whole / num_gpus)
        if not plan(spread).problem:
            return num_gpus
    return None


def _weight_bytes(setting: Setting) -> int:
    if setting.weights is not None:
        return floor(setting.weights * GIB)
    bits = WEIGHT_BITS.get(setting.weight_dtype, setting.model.weight_bits)
    return -(-setting.model.params * bits // (8 * setting.num_gpus))
