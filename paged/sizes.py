"""What may be a size or a number of blocks: an int of Python's own."""


def is_int(value: object) -> bool:
    """Whether a value counts as a number here: it is an int of Python's own.

    True would pass for 1 and 2.0 for 2. A NumPy integer would go from table to table, with a width at which it
    overflows; int() makes an int of it.
    """
    return type(value) is int


def check_size(name: str, size: int) -> None:
    """Raise ValueError unless the size is an int of at least 1."""
    if not is_int(size):
        raise ValueError(f"{name} must be an int, got {size!r}")
    if size < 1:
        raise ValueError(f"{name} must be at least 1, got {size}")
