from collections import Counter
from fractions import Fraction


def share(lengths: list[int], slots_of) -> float:
    """Fraction of the slots that holds tokens, if a request of a given length takes slots_of(length)."""
    requests = Counter(lengths)
    tokens = sum(length * count for length, count in requests.items())
    return float(Fraction(tokens, sum(slots_of(length) * count for length, count in requests.items())))


def utilisation(lengths: list[int], block_size: int, max_len: int) -> tuple[float, float]:
    def reserve(length: int) -> int:
        return max_len

    def page(length: int) -> int:
        full, rest = divmod(length, block_size)
        return (full + bool(rest)) * block_size

    return share(lengths, reserve), share(lengths, page)
