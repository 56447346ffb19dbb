"""Which rule a state breaks, with how many blocks or copies were needed and how many there are."""

from collections import Counter


def owners(state):
    """A block is owned once by each sequence that has it in its table, and by nobody else."""
    counts, entries = state.get("pool.ref_cnt"), _entries(state)
    if not _all_ints(counts) or not _all_ints(entries):
        return None
    standing = Counter(entries)
    for block, count in enumerate(counts):
        if standing[block] > count:
            return {
                "en": f"block {block} stands in {_tables(standing[block])}, but ref_cnt[{block}] is {count}",
                "zh": f"块 {block} 出现在 {standing[block]} 张块表里，ref_cnt[{block}] 却是 {count}",
            }
    return None


def thrift(state):
    """No owner is left over, and no copy was made that could have been spared.

    Holds where nothing was copied before the call and nothing is freed but by the call.
    """
    broken = owners(state)
    counts, entries = state.get("pool.ref_cnt"), _entries(state)
    if broken or not _all_ints(counts) or not _all_ints(entries):
        return broken
    return _left_over(counts, Counter(entries)) or _spared(counts, state.get("pool.copies"))


def of_texts(state):
    """The same, where the call makes at least one text: if there are none, it made a wrong number of them."""
    return thrift(state) if _entries(state) else None


def _left_over(counts, standing):
    block = next((block for block, count in enumerate(counts) if count > standing[block]), None)
    if block is None:
        return None
    used, needed = len(counts) - counts.count(0), len(standing)
    too_many = used > needed > 0
    owners = counts[block]
    return {
        "en": (f"blocks needed: {needed}, in use: {used}; " if too_many else "")
        + f"block {block} stands in {_tables(standing[block])} and has {owners} owner{'s' * (owners != 1)}",
        "zh": (f"需要 {needed} 块，占用了 {used} 块；" if too_many else "")
        + f"块 {block} 出现在 {standing[block]} 张块表里，却有 {owners} 个所有者",
    }


def _spared(counts, copies):
    """Of all who own a half-filled block, the last to write stays in it: then it still has an owner."""
    if not isinstance(copies, list) or not all(isinstance(p, tuple | list) and len(p) == 2 for p in copies):
        return None
    olds = [old for old, _ in copies if isinstance(old, int) and 0 <= old < len(counts)]
    news = [new for _, new in copies]
    if not all(type(new) is int and 0 <= new < len(counts) and counts[new] for new in news):
        return None  # nobody owns the copy, so the pair is no copy at all
    given_up = sorted({old for old in olds if counts[old] == 0})
    if not given_up:
        return None
    made, needed = len(copies), len(copies) - len(given_up)
    return {
        "en": f"copies needed: {needed}, made: {made}; block {given_up[0]} was copied for all of its owners, "
        "but the last one could have kept it",
        "zh": f"需要复制 {needed} 次，实际复制了 {made} 次；块 {given_up[0]} 给每个所有者都复制了一份，"
        "而最后一个本可以留用原块",
    }


def _tables(count):
    return "1 table" if count == 1 else f"{count} tables"


def _entries(state):
    tables = [value for name, value in state.items() if name.endswith(".block_table")]
    return [block for table in tables for block in table] if all(type(table) is list for table in tables) else None


def _all_ints(values):
    return type(values) is list and all(type(value) is int for value in values)
