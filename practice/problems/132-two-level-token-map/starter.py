class ReqToTokenPool:
    """Rows 1 … size of a table; entry i of a request's row is the slot of its token i.
    Row 0 is for padding.
    """

    def __init__(self, size, max_context_len):
        self.req_to_token = []  # size + 1 rows of max_context_len entries, all 0
        raise NotImplementedError("132: the table, and a queue of free rows")

    def available_size(self):
        """How many rows are free."""
        raise NotImplementedError("132: ReqToTokenPool.available_size")

    def alloc(self, n):
        """Take n rows from the head of the queue; None if fewer are free."""
        raise NotImplementedError("132: alloc")

    def write(self, row, start, slots):
        """Enter slots as entries start, start + 1, … of the row."""
        raise NotImplementedError("132: write")

    def free(self, rows):
        """Give rows back at the tail, in order. Their entries stay as they are."""
        raise NotImplementedError("132: ReqToTokenPool.free")


class TokenAllocator:
    """`size` slots in pages of page_size. Page p has the slots from p * page_size on;
    page 0 is for padding.
    """

    def __init__(self, size, page_size):
        raise NotImplementedError("132: a queue of free pages, from page 1 to page size // page_size")

    def available_size(self):
        """How many slots the free pages have."""
        raise NotImplementedError("132: TokenAllocator.available_size")

    def alloc_extend(self, prefix_lens, seq_lens, last_locs):
        """Slots for a batch in which request i grows from prefix_lens[i] to seq_lens[i]
        tokens, end to end in one list.

        last_locs[i]: the slot of its last token so far, -1 if it has none. None, and
        nothing taken, if pages run out.
        """
        raise NotImplementedError("132: alloc_extend")

    def alloc_decode(self, seq_lens, last_locs):
        """One slot for the newest token of each request, which seq_lens count
        already.
        """
        raise NotImplementedError("132: alloc_decode")

    def free(self, slots):
        """Give back each page that has one of the slots, once, at the tail, in the
        order of first mention.
        """
        raise NotImplementedError("132: TokenAllocator.free")
