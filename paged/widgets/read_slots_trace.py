"""What programs of a kernel read of K and V, as plain data: what makes a trace, and its sums.

    {"num_blocks": 8, "block_size": 4, "num_kv_heads": 2, "row_bytes": 256,      a row: one slot's K of one KV head
     "requests": [{"block_table": [5, 6, 7, 0], "num_tokens": 14}, ...],
     "runs": [{"name": "one walk", "programs": [{"id": [0, 0, 0, 0], "k": [[20, 0, 256], ...], "v": [...]}, ...]}, ...]}

An id is [launch, x, y, z], and a read [slot, kv_head, bytes]. paged.kernels.read_trace makes such traces. A run's name
is a str, or one for each language.
"""

from collections.abc import Iterable, Mapping

from paged.widgets.arguments import whole, wholes
from paged.widgets.language import LANGUAGES

CACHES = ("k", "v")
MOST = {"num_blocks": 256, "block_size": 64, "num_kv_heads": 16, "row_bytes": 2**20}
MOST_ROWS, MOST_REQUESTS, MOST_RUNS, MOST_PROGRAMS = 4096, 32, 4, 256
MOST_TIMES = 1000  # that a program reads a row


def checked(trace: Mapping) -> dict:
    """The trace with nothing but plain lists, ints and strs in it. Raises ValueError for what is no trace."""
    sizes = {name: _within(name, _entry(trace, name, "the trace"), 1, most) for name, most in MOST.items()}
    rows = sizes["num_blocks"] * sizes["block_size"] * sizes["num_kv_heads"]
    if rows > MOST_ROWS:
        raise ValueError(f"the caches have {rows} slots times KV heads, {MOST_ROWS} can be shown")
    requests = _several("requests", _entry(trace, "requests", "the trace"), MOST_REQUESTS)
    runs = _several("runs", _entry(trace, "runs", "the trace"), MOST_RUNS)
    return sizes | {
        "requests": [_request(f"requests[{n}]", request, sizes) for n, request in enumerate(requests)],
        "runs": [_run(f"runs[{n}]", run, sizes) for n, run in enumerate(runs)],
    }


def least_bytes(trace: dict) -> int:
    """Of K and V together, when each request's tokens are read once for every KV head."""
    tokens = sum(request["num_tokens"] for request in trace["requests"])
    return len(CACHES) * tokens * trace["num_kv_heads"] * trace["row_bytes"]


def bytes_of(programs: Iterable[dict]) -> int:
    """Of K and V together, as often as they were read."""
    return sum(size for program in programs for cache in CACHES for _, _, size in program[cache])


def owners(trace: dict) -> dict[int, tuple[int, int]]:
    """slot: (request, position) of the token there, the first request's where several share a block."""
    found: dict[int, tuple[int, int]] = {}
    size = trace["block_size"]
    for number, request in enumerate(trace["requests"]):
        for position in range(request["num_tokens"]):
            slot = request["block_table"][position // size] * size + position % size
            found.setdefault(slot, (number, position))
    return found


def readers(programs: list[dict], cache: str) -> dict[tuple[int, int], list[int]]:
    """(slot, kv_head): the numbers of the programs that read it, each as often as it reads the row."""
    found: dict[tuple[int, int], list[int]] = {}
    for number, program in enumerate(programs):
        for slot, head, _ in program[cache]:
            found.setdefault((slot, head), []).append(number)
    return found


def name_of(run: dict, lang: str) -> str:
    return run["name"] if isinstance(run["name"], str) else run["name"][lang]


def _request(where: str, request: object, sizes: dict) -> dict:
    table = wholes(f"{where}.block_table", _entry(request, "block_table", where), sizes["num_blocks"])
    for place, block in enumerate(table):
        _within(f"{where}.block_table[{place}]", block, 0, sizes["num_blocks"] - 1)
    room = len(table) * sizes["block_size"]
    return {
        "block_table": table,
        "num_tokens": _within(f"{where}.num_tokens", _entry(request, "num_tokens", where), 0, room),
    }


def _run(where: str, run: object, sizes: dict) -> dict:
    name = _entry(run, "name", where)
    if isinstance(name, Mapping):
        name = {lang: name.get(lang) for lang in LANGUAGES}
    if not all(isinstance(words, str) for words in (name.values() if isinstance(name, dict) else [name])):
        raise ValueError(f"{where}.name must be a str, or one for each of {', '.join(LANGUAGES)}, got {name!r:.80}")
    programs = _several(f"{where}.programs", _entry(run, "programs", where), MOST_PROGRAMS)
    return {"name": name, "programs": [_program(f"{where}.programs[{n}]", it, sizes) for n, it in enumerate(programs)]}


def _program(where: str, program: object, sizes: dict) -> dict:
    place = wholes(f"{where}.id", _entry(program, "id", where), 4)
    if len(place) != 4 or min(place) < 0:
        raise ValueError(f"{where}.id must be [launch, x, y, z], got {place}")
    slots = sizes["num_blocks"] * sizes["block_size"]
    ends = ((0, slots - 1), (0, sizes["num_kv_heads"] - 1), (1, MOST_TIMES * sizes["row_bytes"]))
    reads: dict[str, list] = {}
    for cache in CACHES:
        given = _entry(program, cache, where)
        if not isinstance(given, list | tuple):
            raise ValueError(f"{where}.{cache} must be a list of [slot, kv_head, bytes], got {given!r:.80}")
        reads[cache] = [wholes(f"{where}.{cache}[{n}]", read, 3) for n, read in enumerate(given)]
        for n, read in enumerate(reads[cache]):
            if len(read) != 3:
                raise ValueError(f"{where}.{cache}[{n}] must be [slot, kv_head, bytes], got {read}")
            for what, number, (least, most) in zip(("slot", "kv_head", "bytes"), read, ends, strict=True):
                _within(f"{what} of {where}.{cache}[{n}]", number, least, most)
    return {"id": place} | reads


def _entry(mapping: object, name: str, where: str) -> object:
    if not isinstance(mapping, Mapping) or name not in mapping:
        raise ValueError(f"{where} must be a dict with {name!r}, got {mapping!r:.80}")
    return mapping[name]


def _several(where: str, values: object, most: int) -> list:
    if not isinstance(values, list | tuple) or not 1 <= len(values) <= most:
        count = f"{len(values)} of them" if isinstance(values, list | tuple) else f"{values!r:.80}"
        raise ValueError(f"{where} must be a list of 1 to {most}, got {count}")
    return list(values)


def _within(name: str, value: object, least: int, most: int) -> int:
    number = whole(name, value)
    if not least <= number <= most:
        raise ValueError(f"{name} must be {least} to {most}, got {number}")
    return number
