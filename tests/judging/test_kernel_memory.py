"""Memory as a kernel sees it: what it may touch, what is counted, and what is said about the rest."""

import numpy as np
import pytest

pytestmark = pytest.mark.needs("torch")


@pytest.fixture
def memory():
    """kernel_memory, which needs torch and is imported by its name alone in the learner's process."""
    from practice.judging import kernel_memory

    return kernel_memory


def addresses(known, *indices):
    """Where elements of an input lie."""
    strides = known.tensor.stride()
    return np.array([known.begin + known.size * sum(map(int.__mul__, i, strides)) for i in indices])


def cache(memory, **more):
    """Two blocks of three slots, one head, two dims: 1 to 12; room for four elements after each block. The first two
    slots of block 1 have one owner, the first slot of block 0 has two."""
    import torch

    values = torch.arange(1.0, 13.0).reshape(2, 3, 1, 2)
    owned = torch.zeros(values.shape, dtype=torch.uint8)
    owned[1, :2], owned[0, 0] = 1, 2
    layout = {"shape": values.shape, "strides": (10, 2, 2, 1), "fill": float("nan")}
    return memory.Input("k_cache", values, layout, owned, **more)


def test_an_input_has_the_strides_asked_for_and_holds_its_values(memory):
    known = cache(memory)
    assert known.tensor.stride() == (10, 2, 2, 1)
    assert known.tensor.flatten().tolist() == list(range(1, 13))
    assert known.storage[6:10].isnan().all()
    assert known.holds(known.values)


def test_what_it_holds_before_a_kernel_starts_is_something_else(memory):
    import torch

    known = cache(memory, before=torch.full((2, 3, 1, 2), -1.0))
    assert known.tensor.eq(-1).all() and known.holds(known.before) and not known.holds(known.values)
    known.tensor[1, 2, 0, 1] = 7.0
    assert not known.holds(known.before)


def test_reads_are_counted_against_what_must_be_read_once_for_each_owner(memory):
    known = cache(memory)
    known.called = True
    assert (known.read, known.unread) == (0.0, 6)
    once = addresses(known, (1, 0, 0, 0), (1, 0, 0, 1), (1, 1, 0, 0), (1, 1, 0, 1))
    assert known.touch(once, writes=False).all()
    assert (known.read, known.unread) == (0.5, 2)  # 4 of 4 + 2 × 2
    shared = addresses(known, (0, 0, 0, 0), (0, 0, 0, 1))
    known.touch(shared, writes=False), known.touch(shared, writes=False)
    assert (known.read, known.unread) == (1.0, 0)
    known.touch(once, writes=False)
    assert known.read == 1.5


def test_before_the_first_call_there_is_no_count(memory):
    known = cache(memory)
    assert (known.read, known.unread, known.copies) == (None, None, None)


def test_what_is_read_from_copies_is_told_in_units_of_what_must_be_read(memory):
    known = cache(memory)
    known.called, known.bytes_of_copies = True, 48
    assert known.copies == 1.5  # 4 + 2 × 2 elements of 4 bytes must be read


def test_an_element_without_owner_must_not_be_read_and_is_named(memory):
    known = cache(memory)
    with pytest.raises(memory.MemoryFault, match=r"reads 2 elements of k_cache .* the first is k_cache\[1, 2, 0, 0\]"):
        known.touch(addresses(known, (1, 1, 0, 1), (1, 2, 0, 0), (1, 2, 0, 1)), writes=False)


def test_an_input_must_not_be_written_to(memory):
    known = cache(memory)
    with pytest.raises(memory.MemoryFault, match="writes 1 elements into k_cache, an input"):
        known.touch(addresses(known, (1, 0, 0, 0)), writes=True)


def test_an_index_is_found_again_when_heads_lie_outside_slots(memory):
    import torch

    shape, strides = (2, 3, 2, 4), (24, 4, 12, 1)
    known = memory.Input("v", torch.zeros(shape), {"shape": shape, "strides": strides}, torch.zeros(shape).byte())
    known.least = 1
    with pytest.raises(memory.MemoryFault, match=r"the first is v\[1, 2, 1, 3\]"):
        known.touch(addresses(known, (1, 2, 1, 3)), writes=False)


def test_a_few_blocks_of_a_huge_cache_take_no_more_memory_than_they_need(memory):
    import resource

    import torch

    values = torch.ones(2, 16, 2, 64, dtype=torch.float16)
    shape, at = (1_100_000, 16, 2, 64), [3, 1_099_999]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    layout = {"shape": shape, "strides": (2048, 128, 64, 1), "at": at}
    known = memory.Input("k", values, layout, torch.ones(values.shape).byte())
    assert known.tensor.shape == shape and known.tensor[1_099_999].eq(1).all()
    assert known.touch(addresses(known, (1_099_999, 15, 1, 63)), writes=False).all()
    with pytest.raises(memory.MemoryFault, match=r"k\[4, 0, 0, 0\]"):
        known.touch(addresses(known, (4, 0, 0, 0)), writes=False)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB


def test_memory_of_the_same_kind_is_used_again(memory):
    first = cache(memory)
    assert cache(memory, earlier=first).begin == first.begin


class TestMemory:
    def test_the_answers_own_tensors_may_be_read_and_written(self, memory):
        import torch

        all_memory, own = memory.Memory(), torch.zeros(4)
        all_memory.register([own])
        both = np.array([own.data_ptr(), own.data_ptr() + 12])
        all_memory.touch(both, np.array([True, True]), writes=True)
        assert (all_memory.fault, all_memory.bytes_of_copies) == (None, 0)
        all_memory.touch(both, np.array([True, True]), writes=False)
        assert all_memory.bytes_of_copies == 8

    def test_what_a_mask_leaves_out_is_not_touched(self, memory):
        memory.Memory().touch(np.array([0, 8]), np.array([False, False]), writes=False)

    @pytest.mark.parametrize(
        ("offset", "said"),
        [
            (26, "the first 7 past the end of k_cache"),
            (-1, "the first 1 before k_cache"),
            (7, "in the room between elements of k_cache"),
        ],
    )
    def test_what_lies_outside_is_told_from_the_nearest_input(self, memory, offset, said):
        all_memory = memory.Memory()
        known = cache(memory)
        all_memory.inputs.append(known)
        with pytest.raises(memory.MemoryFault, match=said) as fault:
            all_memory.touch(np.array([known.begin + 4 * offset]), np.array([True]), writes=False)
        assert all_memory.fault is fault.value  # kept, for an answer that catches it

    def test_a_launch_on_an_inputs_memory_is_still_that_input(self, memory):
        all_memory = memory.Memory()
        known = cache(memory)
        all_memory.inputs.append(known)
        all_memory.register([known.tensor[1:]])
        assert all_memory.own == []
