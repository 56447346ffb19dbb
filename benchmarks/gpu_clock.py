"""How long a GPU takes, by its own clock: CUDA graphs between device events."""

import statistics
from collections.abc import Callable

import torch

REPLAYS = 12
MOST_CALLS = 256  # of a graph


def seconds_of(calls: list[Callable[[], object]]) -> float:
    """Seconds per call: all calls, one after the other, are captured in one CUDA graph; the median of its replays.

    A graph leaves out Python and launches, as an engine's decoding does. The calls have run before, so that what is
    compiled on first use is compiled.
    """
    calls = calls[:MOST_CALLS]
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for call in calls:
            call()
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        for call in calls:
            call()
    graph.replay()
    times = []
    for _ in range(REPLAYS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) / 1e3 / len(calls))
    return statistics.median(times)


def copy_bandwidth(free_bytes: int) -> float:
    """Bytes per second, read and written, of a copy as large as a sixteenth of the free memory."""
    source = torch.empty(free_bytes // 16, dtype=torch.uint8, device="cuda").random_()
    target = torch.empty_like(source)
    return 2 * len(source) / seconds_of([lambda: target.copy_(source)])
