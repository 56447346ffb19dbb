"""What an operation of torch does with the contents of a tensor, as far as a watch on an answer's wrapper must know.

Learner's side. Taking memory, filling it with one value and looking at it in another shape are what a wrapper is for;
everything else computes. Checked for torch 2.13: operations by the names that a TorchDispatchMode sees.
"""

TAKES_MEMORY = {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided"}
FILLS = {"zeros", "ones", "full", "fill_", "zero_", "new_zeros", "new_ones", "new_full"}
FILLS |= {"zeros_like", "ones_like", "full_like"}
VIEWS = {"_unsafe_view"}  # beside those that torch itself calls views


def name_of(function):
    """aten.add.Tensor is called add."""
    return function.overloadpacket.__name__


def computes(function):
    """Whether an operation reads contents, or writes anything but one value."""
    return not function.is_view and name_of(function) not in TAKES_MEMORY | FILLS | VIEWS
