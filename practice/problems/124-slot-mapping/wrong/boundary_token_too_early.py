# the token at query_start_loc[i] still belongs to request i - 1
# 批次里第 query_start_loc[i] 个 token 还属于请求 i - 1

from bisect import bisect_left


def slot_mapping(block_table, positions, block_size):
    return [block_table[p // block_size] * block_size + p % block_size for p in positions]


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    slots = []
    for token, position in enumerate(positions):
        request = max(0, bisect_left(query_start_loc, token) - 1)
        slots += slot_mapping(block_tables[request], [position], block_size)
    return slots + [-1] * (padded_to - len(slots))
