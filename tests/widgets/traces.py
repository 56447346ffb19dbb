"""A trace worked out by hand: 4 blocks of 2 slots, 2 KV heads, rows of 8 bytes.

Request 0 has 3 tokens in blocks 3 and 0 (slots 6, 7, 0), request 1 one token in block 1 (slot 2). A program for each
request and KV head, or one for each of two query heads besides, which is all of it twice.
"""

OWNED = {0: [6, 7, 0], 1: [2]}
LEAST = 2 * 4 * 2 * 8  # K and V, tokens, KV heads, bytes


def program(launch: int, request: int, head: int) -> dict:
    reads = [[slot, head, 8] for slot in sorted(OWNED[request])]
    return {"id": [launch, request, head, 0], "k": reads, "v": [list(read) for read in reads]}


def trace() -> dict:
    launch = [[program(number, request, head) for request in (0, 1) for head in (0, 1)] for number in (0, 1)]
    return {
        "num_blocks": 4,
        "block_size": 2,
        "num_kv_heads": 2,
        "row_bytes": 8,
        "requests": [{"block_table": [3, 0], "num_tokens": 3}, {"block_table": [1], "num_tokens": 1}],
        "runs": [
            {"name": {"en": "together", "zh": "一起"}, "programs": launch[0]},
            {"name": "one by one", "programs": launch[0] + launch[1]},
        ],
    }
