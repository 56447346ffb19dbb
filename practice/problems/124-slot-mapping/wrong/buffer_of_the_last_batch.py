# one buffer can serve all batches, without clearing what the last one left in it
# 各个批次可以共用一个缓冲区，上一批留下的不用清掉


BUFFER = []


def slot_mapping(block_table, positions, block_size):
    return [block_table[p // block_size] * block_size + p % block_size for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    while len(BUFFER) < padded_to:
        BUFFER.append(-1)
    for table, start, end in zip(block_tables, query_start_loc, query_start_loc[1:], strict=False):
        BUFFER[start:end] = slot_mapping(table, positions[start:end], block_size)
    return BUFFER[:padded_to]
