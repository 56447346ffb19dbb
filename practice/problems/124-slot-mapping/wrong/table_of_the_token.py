# a token's number in the batch tells which row of block_tables is its own
# 批次里第几个 token，就查 block_tables 的第几行


def slot_mapping(block_table, positions, block_size):
    return [block_table[p // block_size] * block_size + p % block_size for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for token, position in enumerate(positions):
        table = block_tables[min(token, len(block_tables) - 1)]
        slots += slot_mapping(table, [position], block_size)
    return slots + [-1] * (padded_to - len(slots))
