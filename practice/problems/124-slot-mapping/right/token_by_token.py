from bisect import bisect_right


def slot_of(block_table: list[int], position: int, block_size: int) -> int:
    return position + (block_table[position // block_size] - position // block_size) * block_size


def slot_mapping(block_table: list[int], positions: list[int], block_size: int) -> list[int]:
    return [slot_of(block_table, position, block_size) for position in positions]


def batch_slot_mapping(
    block_tables: list[list[int]], query_start_loc: list[int], positions: list[int], block_size: int, padded_to: int
) -> list[int]:
    """Finds each token's request in query_start_loc; of equal entries the last one has the token."""
    slots = []
    for token in range(padded_to):
        if token < len(positions):
            request = bisect_right(query_start_loc, token) - 1
            slots.append(slot_of(block_tables[request], positions[token], block_size))
        else:
            slots.append(-1)
    return slots
