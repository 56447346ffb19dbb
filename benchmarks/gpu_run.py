"""The timed parts of benchmarks/gpu.py: which cases are measured, in which order, and what is left out."""

import math
import time
from collections.abc import Callable

import torch
from gpu_report import KV_HEADS, RIVALS, SPLIT_CASES, SPLITS, WALKS, Case, Check, Report, Rival, Split, Walk
from gpu_sides import Calls, Inputs, contiguous, error, flex, library

from paged.kernels.triton_backend import choose_num_splits

MEMORY_PART = 0.5  # of the free memory, for one case
AGREE = 2e-2  # sides in bfloat16


class Run:
    """Fills a report. clock(calls): seconds per call; deadline: of time.monotonic, after which nothing is begun."""

    def __init__(self, report: Report, clock: Callable[[Calls], float], device: str, free_bytes: int, deadline: float):
        self.report, self.clock, self.device = report, clock, torch.device(device)
        self.free_bytes, self.deadline = free_bytes, deadline
        self.dtype = torch.bfloat16

    def rivals(self) -> None:
        """The same decode by the library and by others; each must agree with float32 on its first input."""
        for batch, context in RIVALS:
            case = Case(batch, context, block_size=128)
            inputs = self.inputs("rivals", case, sides=3)
            sides = {"library": (library, self.rule(case)), "SDPA, contiguous": (contiguous,)}
            for name, (side, *more) in (sides | {"FlexAttention, paged": (flex,)}).items() if inputs else ():
                if (seconds := self.timed(f"{name} {case}", side, inputs, *more, named=name)) is not None:
                    self.report.rivals.append(Rival(case, name, seconds))

    def splits(self) -> None:
        """Split-KV by hand."""
        for case in SPLIT_CASES:
            inputs = self.inputs("splits", case)
            for num_splits in SPLITS if inputs else ():
                if (seconds := self.timed(f"{num_splits} splits {case}", library, inputs, num_splits)) is not None:
                    self.report.splits.append(Split(case, num_splits, self.rule(case), seconds))

    def walks(self) -> None:
        """The library's decode, in parts of the copy bandwidth."""
        for case in WALKS:
            num_splits, inputs = self.rule(case), self.inputs("walks", case)
            if inputs and (seconds := self.timed(f"walks {case}", library, inputs, num_splits)) is not None:
                of_copy = case.least_bytes / seconds / self.report.copy_bytes_per_second
                self.report.walks.append(Walk(case, num_splits, seconds, of_copy))

    def rule(self, case: Case) -> int:
        return choose_num_splits(self.device, case.batch * KV_HEADS, case.context)

    def inputs(self, part: str, case: Case, sides: int = 1) -> Inputs | None:
        """Inputs of a case, or None, with a note, where time or memory forbid. sides: how often K and V will exist."""
        copies = case.copies(self.report.card.l2_bytes)
        needed, granted = sides * copies * case.cache_bytes, MEMORY_PART * self.free_bytes
        if time.monotonic() > self.deadline:
            self.report.left_out.append(f"{part} {case}: out of time")
        elif needed > granted:
            self.report.left_out.append(f"{part} {case}: takes {needed / 1e9:.1f} GB, {granted / 1e9:.1f} are granted")
        else:
            torch.cuda.empty_cache()  # what graphs have held
            return Inputs(case, copies, self.device, self.dtype)
        return None

    def timed(self, what: str, side: Callable[..., Calls], inputs: Inputs, *more: int, named: str = "") -> float | None:
        """Seconds per call, or None, with a note, where a side does not work here.

        named: the name under which its numbers are checked; "" for none.
        """
        try:
            calls = side(inputs, *more)
            if named:
                found = error(inputs, calls[0]())
                case = inputs.case
                shape = f"{case.batch} x {case.context}"
                worst = None if math.isnan(found) else found
                self.report.checks.append(Check(named, shape, "decode", "bfloat16", worst, AGREE))
            return self.clock(calls)
        except Exception as trouble:  # others' code, experimental some of it
            said = str(trouble).strip().splitlines() or [""]
            self.report.left_out.append(f"{what}: {type(trouble).__name__}: {said[0][:200]}")
            return None
