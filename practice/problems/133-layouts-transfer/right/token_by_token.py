import torch


def to_layout(kv, order):
    return torch.einsum("LBHNC->" + order, kv).contiguous()


def transfer_plan(num_tokens, src_table, src_block_size, dst_table, dst_block_size):
    def slot(table, block_size, token):
        return table[token // block_size] * block_size + token % block_size

    plan = []
    expected = None
    for token in range(num_tokens):
        pair = (slot(src_table, src_block_size, token), slot(dst_table, dst_block_size, token))
        if pair == expected:
            plan[-1][2] += 1
        else:
            plan.append([*pair, 1])
        expected = (pair[0] + 1, pair[1] + 1)
    return [tuple(copy) for copy in plan]
