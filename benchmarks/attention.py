"""How fast paged attention is on this CPU: every backend beside the plain loop and torch on contiguous K and V.

    python benchmarks/attention.py [--rounds 40] [--quick] [--json FILE]

8 query heads on 2 KV heads, head dim 64, blocks of 16, float32, with 2 threads and with 1. Three batches:

    decode     32 requests, 1024 tokens of context each, one query each
    prompt     one request of 512 tokens, all of them queries
    mixed      24 decodes at 1024, two prompts of 256, two chunks of 128 queries at the end of 512

All sides of a batch take turns in one process, in an order that changes, so that whatever else the machine does hits
all; before anything is timed each must agree with the plain loop. A time is the 20th percentile: the machine at its
quieter. A ratio of two of them is steadier than either. Block tables and lengths are tensors, as an engine holds them.

    plain loop        benchmarks/plain_loop.py, frozen
    contiguous        what paging costs: the same K and V in order, one call of scaled_dot_product_attention, query
                      heads of a KV head as its rows (decode); K and V repeated per head and a mask (prompt)
    reading           no attention: torch sums K and V (decode). What memory gives, and so about the most that any side
                      can reach here, whatever its target is
"""

import argparse
import json
import os
import platform
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.nn.functional import scaled_dot_product_attention

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import plain_loop

from paged.attention import attention_over

HEADS, KV_HEADS, HEAD_DIM, BLOCK_SIZE = 8, 2, 64, 16
SCALE = HEAD_DIM**-0.5
BACKENDS = ("reference", "batched", "native")
READING = "reading"
MOST_TIME = 20.0  # seconds for a batch with one number of threads

# (threads, batch, side, other side, bound): side's speed is at least `bound` times the other's.
TARGETS = (
    (2, "decode", "batched", "plain loop", 8.0),
    (2, "decode", "native", "plain loop", 15.0),
    (2, "decode", "native", "contiguous", 1 / 1.15),
    (1, "decode", "batched", "plain loop", 5.0),
    (1, "decode", "native", "plain loop", 10.0),
    *((threads, "prompt", side, "contiguous", 1.0) for threads in (2, 1) for side in ("batched", "native")),
    *((threads, "mixed", side, "plain loop", 3.0) for threads in (2, 1) for side in ("batched", "native")),
)


@dataclass
class Batch:
    """Requests whose blocks lie scattered over one cache."""

    contexts: list[int]
    new_tokens: list[int]

    def __post_init__(self) -> None:
        generator = torch.Generator().manual_seed(0)
        needed = [-(-length // BLOCK_SIZE) for length in self.contexts]
        shape = (sum(needed), BLOCK_SIZE, KV_HEADS, HEAD_DIM)
        self.k, self.v = (torch.randn(shape, generator=generator) for _ in range(2))
        self.q = torch.randn(sum(self.new_tokens), HEADS, HEAD_DIM, generator=generator)
        shuffled = torch.randperm(sum(needed), generator=generator).to(torch.int32).split(needed)
        self.tables = torch.nn.utils.rnn.pad_sequence(shuffled, batch_first=True, padding_value=-1)
        self.seq_lens = torch.tensor(self.contexts, dtype=torch.int32)
        self.starts = torch.tensor([0, *self.new_tokens]).cumsum(0).to(torch.int32)

    def sides(self) -> dict[str, Callable[[], torch.Tensor]]:
        contexts, starts = self.contexts, self.starts.tolist()
        found: dict[str, Callable[[], torch.Tensor]] = {
            "plain loop": lambda: plain_loop.attend(self.q, self.k, self.v, self.tables, contexts, starts, SCALE)
        }
        for backend in BACKENDS:
            found[backend] = lambda backend=backend: attention_over(
                self.q, self.k, self.v, self.tables, self.seq_lens, self.starts, SCALE, backend=backend
            )
        return found

    def in_order(self) -> tuple[torch.Tensor, torch.Tensor]:
        """K and V [B, num_kv_heads, S, head_dim] of a batch whose contexts are equally long, contiguous."""
        index = self.tables.flatten().long()
        shape = (len(self.contexts), -1, KV_HEADS, HEAD_DIM)
        return tuple(cache[index].view(shape).transpose(1, 2).contiguous() for cache in (self.k, self.v))


def decode() -> dict[str, Callable[[], torch.Tensor]]:
    batch = Batch([1024] * 32, [1] * 32)
    k, v = batch.in_order()
    rows = batch.q.unflatten(1, (KV_HEADS, -1))
    return batch.sides() | {
        "contiguous": lambda: scaled_dot_product_attention(rows, k, v, scale=SCALE).flatten(1, 2),
        READING: lambda: batch.k.sum() + batch.v.sum(),
    }


def prompt() -> dict[str, Callable[[], torch.Tensor]]:
    batch = Batch([512], [512])
    k, v = (x.repeat_interleave(HEADS // KV_HEADS, dim=1) for x in batch.in_order())
    q, visible = batch.q.transpose(0, 1)[None].contiguous(), torch.ones(512, 512, dtype=torch.bool).tril()
    return batch.sides() | {
        "contiguous": lambda: scaled_dot_product_attention(q, k, v, attn_mask=visible, scale=SCALE)[0].transpose(0, 1)
    }


def mixed() -> dict[str, Callable[[], torch.Tensor]]:
    return Batch([1024] * 24 + [256] * 2 + [512] * 2, [1] * 24 + [256] * 2 + [128] * 2).sides()


def measure(sides: dict[str, Callable[[], torch.Tensor]], rounds: int) -> dict[str, list[float]]:
    """Seconds of each round, by side. Raises ValueError for a side whose numbers are not the plain loop's."""
    expected = sides["plain loop"]()
    for name, side in sides.items():
        if name == READING:
            continue
        error = (side() - expected).abs().max().item()
        if not error < 1e-5:
            raise ValueError(f"{name} differs from the plain loop by {error:.1e}")
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    order, since = random.Random(0), time.perf_counter()
    for _ in range(rounds):
        for name in order.sample(list(sides), len(sides)):
            begin = time.perf_counter()
            sides[name]()
            seconds[name].append(time.perf_counter() - begin)
        if time.perf_counter() - since > MOST_TIME:
            break
    return seconds


def typical(seconds: list[float]) -> float:
    return sorted(seconds)[len(seconds) // 5]


def table(results: dict[int, dict[str, dict[str, list[float]]]]) -> str:
    lines = []
    for threads, batches in results.items():
        for batch, sides in batches.items():
            title = f"{batch}, {threads} thread{'s' * (threads > 1)}, {len(sides['plain loop'])} rounds"
            lines += ["", f"{title:34}{'ms':>8}{'min':>8}{'median':>8}{'x plain':>9}"]
            for name, times in sides.items():
                middle, ratio = sorted(times)[len(times) // 2], typical(sides["plain loop"]) / typical(times)
                figures = "".join(f"{1000 * time:8.2f}" for time in (typical(times), min(times), middle))
                lines.append(f"  {name:32}{figures}{ratio:9.2f}")
    return "\n".join(lines[1:])


def targets(results: dict[int, dict[str, dict[str, list[float]]]]) -> list[str]:
    lines = []
    for threads, batch, side, other, bound in TARGETS:
        times = results[threads][batch]
        ratio = typical(times[other]) / typical(times[side])
        met = "met" if ratio >= bound else "MISSED"
        lines.append(f"{batch}, {threads} threads: {side} {ratio:.2f} x {other}; at least {bound:.2f}: {met}")
    for threads, batches in results.items():
        times = batches["decode"]
        ratio = typical(times["plain loop"]) / typical(times[READING])
        lines.append(f"decode, {threads} threads: only to read K and V is {ratio:.2f} x plain loop")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40, help="turns of each side")
    parser.add_argument("--quick", action="store_true", help="5 rounds")
    parser.add_argument("--json", type=Path, help="also write all times to this file")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    results: dict[int, dict[str, dict[str, list[float]]]] = {}
    for threads in (2, 1):
        torch.set_num_threads(threads)
        results[threads] = {}
        for batch in (decode, prompt, mixed):
            print(f"{batch.__name__}, {threads} threads …", file=sys.stderr, flush=True)
            results[threads][batch.__name__] = measure(batch(), 5 if options.quick else options.rounds)
    print(table(results), "", *targets(results), sep="\n")
    machine = {"system": platform.system(), "machine": platform.machine(), "cores": os.cpu_count()}
    loads = {"load": round(load, 2), "load_after": round(os.getloadavg()[0], 2), "torch": torch.__version__}
    print(
        "",
        "{system} {machine}, {cores} cores, load {load} before and {load_after} after, torch {torch}".format(
            **machine, **loads
        ),
        sep="\n",
    )
    if load > 1:
        print("Other work shares this machine: ratios with 2 threads say little.")
    if options.json:
        options.json.write_text(json.dumps(machine | loads | {"seconds": results}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
