def slot_mapping(block_table, positions, block_size):
    """Slots of the tokens at `positions` of one request, in the order given.

    block_table: the request's blocks, such as [5, 6, 7, 0]; entry i has positions i *
        block_size and following.
    """
    raise NotImplementedError("124: slot_mapping")


def batch_slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    """Slots of all tokens of a batch, then -1 up to `padded_to` entries.

    block_tables: one table per request.
    query_start_loc: request i has the tokens query_start_loc[i] up to, but without,
        query_start_loc[i + 1].
    positions: the position of each token within its own request.
    """
    raise NotImplementedError("124: batch_slot_mapping")
