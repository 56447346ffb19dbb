"""Memory as a kernel sees it: what it may touch, what is counted, and what is said about the rest."""

import importlib
from types import SimpleNamespace

import numpy as np
import pytest

from practice.judging import sandbox

pytestmark = pytest.mark.needs("torch")


@pytest.fixture
def memory(monkeypatch):
    """kernel_input and kernel_memory, which need torch and are imported by their names alone, as beside an answer."""
    monkeypatch.syspath_prepend(sandbox.HERE)
    names = ("kernel_input", "kernel_memory")
    return SimpleNamespace(
        **{key: value for name in names for key, value in vars(importlib.import_module(name)).items()}
    )


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


def test_the_busiest_program_is_told_against_the_average_of_those_that_read(memory):
    known = cache(memory)
    known.called = True
    assert (known.programs, known.busiest) == (0, None)
    once = addresses(known, (1, 0, 0, 0), (1, 0, 0, 1), (1, 1, 0, 0), (1, 1, 0, 1))
    for program in ("first", "second"):
        known.touch(once[:2], writes=False, program=program)
    assert (known.programs, known.busiest) == (2, 1.0)
    known.touch(once, writes=False, program="first")
    assert (known.read, known.busiest) == (1.0, 1.5)  # 6 of 8, in place of 4
    known.forget()
    assert known.programs is None


def test_before_the_first_call_there_is_no_count(memory):
    known = cache(memory)
    counts = ("read", "unread", "copies", "programs", "busiest", "wrote")
    assert [getattr(known, name) for name in counts] == [None] * len(counts)


def test_what_is_read_from_copies_is_told_in_units_of_what_must_be_read(memory):
    known = cache(memory)
    known.called, known.bytes_of_copies = True, 48
    assert known.copies == 1.5  # 4 + 2 × 2 elements of 4 bytes must be read


def test_what_is_stored_beside_the_result_is_told_in_units_of_what_must_be_read(memory):
    known = cache(memory)
    known.called, known.bytes_stored = True, 2 * known.least
    assert known.kept == 2.0
    known.forget()
    assert known.kept is None


def test_stores_in_tensors_of_the_answers_own_are_counted_and_those_in_inputs_are_not(memory):
    import torch

    known, own, seen = cache(memory), torch.zeros(4), memory.Memory()
    seen.inputs = [known]
    seen.register([("own", own)])
    at = own.data_ptr() + 4 * np.arange(4)
    seen.store(at, np.array([True, True, True, False]), own.numpy(), 0)
    assert (seen.bytes_stored, seen.bytes_of_copies) == (12, 0)
    seen.load(at, np.ones(4, bool), 0)
    assert (seen.bytes_stored, seen.bytes_of_copies) == (12, 16)


def test_an_element_without_owner_must_not_be_read_and_is_named(memory):
    known = cache(memory)
    with pytest.raises(memory.MemoryFault, match=r"reads 2 elements of k_cache .* the first is k_cache\[1, 2, 0, 0\]"):
        known.touch(addresses(known, (1, 1, 0, 1), (1, 2, 0, 0), (1, 2, 0, 1)), writes=False)


def cache_to_write(memory, **more):
    """Two blocks of three slots of two dims, with room for four elements after each block: slot 1 of block 1 may be
    written into, which nobody sees but a kernel."""
    import torch

    values, before = torch.arange(1.0, 13.0).reshape(2, 3, 1, 2), torch.full((2, 3, 1, 2), -1.0)
    writable = torch.zeros(values.shape, dtype=torch.bool)
    writable[1, 1] = True
    layout = {"shape": values.shape, "strides": (10, 2, 2, 1), "fill": float("nan")}
    return memory.Input("cache", values, layout, None, before, writable, **more)


def test_what_may_be_written_is_counted_and_the_rest_is_named(memory):
    known = cache_to_write(memory)
    assert known.wrote is None
    known.called = True
    assert known.touch(addresses(known, (1, 1, 0, 0)), writes=True).all()
    assert known.wrote == 0.5
    known.touch(addresses(known, (1, 1, 0, 0), (1, 1, 0, 1)), writes=True)
    assert known.wrote == 1.5
    said = r"writes 2 elements of cache that are not to be written, the first is cache\[1, 0, 0, 1\]"
    with pytest.raises(memory.MemoryFault, match=said):
        known.touch(addresses(known, (1, 1, 0, 0), (1, 0, 0, 1), (0, 2, 0, 0)), writes=True)


def test_what_is_to_be_written_may_be_read_like_the_rest(memory):
    known = cache_to_write(memory)
    assert known.touch(addresses(known, (1, 1, 0, 0), (0, 0, 0, 0)), writes=False).all()


def test_what_a_kernel_leaves_is_kept_and_the_next_one_finds_it(memory):
    known = cache_to_write(memory)
    for value in (70.0, 80.0):
        known.put(known.held)
        known.touch(addresses(known, (1, 1, 0, 0)), writes=True)
        known.elements[1, 1, 0, 0] = value
        known.take()
        known.put(known.before)
        assert known.holds(known.before)
    assert known.after.flatten().tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 80, 10, 11, 12]


@pytest.mark.parametrize("place", [(1, 1, 0, 0), (0, 2, 0, 1)])
@pytest.mark.parametrize("value", [0.5, float("nan"), -0.0])
def test_an_element_that_changes_without_a_store_is_named(memory, place, value):
    """Also one that may be written into: what writes there is no kernel. To the bit: 0.0 is not -0.0."""
    known = cache_to_write(memory)
    known.held[place] = 0.0
    known.put(known.held)
    known.elements[place] = value
    said = rf"1 elements of cache changed without a store of the kernel, the first is cache\[{place[0]}, {place[1]}, 0"
    with pytest.raises(memory.MemoryFault, match=said):
        known.take()


def test_a_tensor_that_is_made_to_look_elsewhere_is_not_the_input(memory):
    known = cache_to_write(memory)
    given = known.tensor
    given.data = given.clone()
    known.put(known.held)
    assert given.eq(-1).all()


def test_of_a_few_blocks_of_a_huge_cache_others_are_not_written(memory):
    import torch

    values = torch.ones(2, 4, 1, 8)
    layout = {"shape": (10**6, 4, 1, 8), "strides": (32, 8, 8, 1), "at": [3, 10**6 - 1]}
    known = memory.Input("cache", values, layout, None, None, torch.ones(values.shape, dtype=torch.bool))
    assert known.touch(addresses(known, (10**6 - 1, 3, 0, 7)), writes=True).all()
    with pytest.raises(memory.MemoryFault, match=r"the first is cache\[4, 0, 0, 0\]"):
        known.touch(addresses(known, (4, 0, 0, 0)), writes=True)


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


def test_an_offset_that_wraps_around_meets_nobody(memory):
    """Wherever the caches lie: how a kernel with offsets of 32 bits fails must not depend on the machine."""
    import torch

    shape = (1_100_000, 16, 2, 64)
    layout = {"shape": shape, "strides": (2048, 128, 64, 1), "at": [3]}
    values = torch.ones(1, 16, 2, 64, dtype=torch.float16)
    caches = [memory.Input(name, values, layout, torch.ones(values.shape).byte()) for name in ("k", "v")]
    everything = memory.Memory()
    everything.inputs = caches
    for cache in caches:
        for wrapped in (-1, -(2**31)):
            said = f"reads 1 elements outside of every tensor, the first {-wrapped} before {cache.name}"
            with pytest.raises(memory.MemoryFault, match=said):
                everything.touch(np.array([cache.begin + 2 * wrapped]), writes=False)


def test_memory_of_the_same_kind_is_used_again(memory):
    first = cache(memory)
    assert cache(memory, earlier=first).begin == first.begin


class TestMemory:
    def test_the_answers_own_tensors_may_be_read_and_written(self, memory):
        import torch

        all_memory, own = memory.Memory(), torch.zeros(4)
        all_memory.register([("out", own)])
        both, on = np.array([own.data_ptr(), own.data_ptr() + 12]), np.array([True, True])
        all_memory.store(both, on, np.array([1.0, 2.0], "float32"), (0, 0, 0))
        assert (all_memory.fault, all_memory.bytes_of_copies) == (None, 0)
        all_memory.load(both, on, (0, 0, 0))
        assert all_memory.bytes_of_copies == 8

    def test_what_a_mask_leaves_out_is_not_touched(self, memory):
        memory.Memory().load(np.array([0, 8]), np.array([False, False]))

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
            all_memory.load(np.array([known.begin + 4 * offset]), np.array([True]))
        assert all_memory.fault is fault.value  # kept, for an answer that catches it

    def test_what_lies_behind_a_tensor_of_the_answers_own_is_told_from_there(self, memory):
        import torch

        all_memory, out = memory.Memory(), torch.zeros(4)
        all_memory.register([("out", out)])
        at = np.array([out.data_ptr() + 16, out.data_ptr() + 20])
        with pytest.raises(memory.MemoryFault, match=r"writes 2 elements outside .* the first 1 past the end of out"):
            all_memory.store(at, np.ones(2, bool), np.zeros(2, "float32"), (0, 0, 0))

    def test_a_launch_on_an_inputs_memory_is_still_that_input(self, memory):
        all_memory = memory.Memory()
        known = cache(memory)
        all_memory.inputs.append(known)
        all_memory.register([("k", known.tensor[1:])])
        assert all_memory.own == []


class TestStores:
    """Two stores into one element, in one launch."""

    @pytest.fixture
    def store(self, memory):
        """store(value, program): into element 2 of `out`."""
        import torch

        self.own, all_memory = torch.zeros(4), memory.Memory()
        all_memory.register([("out", self.own)])
        self.memory, self.fault = all_memory, memory.MemoryFault

        def store(value, program):
            at = np.array([self.own.data_ptr() + 8] * len(value))
            all_memory.store(at, np.ones(len(value), bool), np.array(value, "float32"), (program, 0, 0))

        return store

    def test_of_two_programs_with_different_values_nobody_knows_which_stays(self, store):
        store([1.0], 0)
        with pytest.raises(self.fault, match="write different values into element 2 of out: on a GPU nobody knows"):
            store([2.0], 1)

    def test_of_two_lanes_of_a_program_neither(self, store):
        with pytest.raises(self.fault, match="element 2 of out"):
            store([1.0, 2.0], 0)

    def test_the_same_value_twice_is_no_fault(self, store):
        store([float("nan"), float("nan")], 0)
        store([float("nan")], 1)
        assert self.memory.fault is None

    def test_a_program_may_write_again_what_it_wrote(self, store):
        store([1.0], 3)
        store([2.0], 3)

    def test_the_next_launch_may_write_anew(self, store):
        store([1.0], 0)
        self.memory.register([("out", self.own)])
        store([2.0], 1)

    def test_atomics_are_made_for_it(self, store):
        store([1.0], 0)
        self.memory.store(np.array([self.own.data_ptr() + 8]), True, None, (1, 0, 0))

    @pytest.fixture
    def load(self, store):
        """load(program): element 2 of `out`."""
        return lambda program: self.memory.load(np.array([self.own.data_ptr() + 8]), True, (program, 0, 0))

    def test_what_another_program_stores_may_not_be_there_yet(self, store, load):
        store([1.0], 0)
        with pytest.raises(
            self.fault, match="reads element 2 of out, into which another one of the same launch stores"
        ):
            load(1)

    def test_what_a_program_stored_itself_or_a_launch_before_is_there(self, store, load):
        store([1.0], 0)
        load(0)
        self.memory.register([("out", self.own)])
        load(1)
        store([2.0], 2)
        self.memory.load(np.array([self.own.data_ptr()]), True, (1, 0, 0))  # an element beside it
        assert self.memory.fault is None

    def test_who_has_used_an_atomic_may_have_waited(self, store, load):
        store([1.0], 0)
        self.memory.store(np.array([self.own.data_ptr()]), True, None, (1, 0, 0))
        load(1)
        with pytest.raises(self.fault, match="element 2 of out"):
            load(2)

    def test_an_element_of_an_input_is_named_by_its_index(self, memory):
        all_memory, known = memory.Memory(), cache_to_write(memory)
        all_memory.inputs.append(known)
        all_memory.register([])
        at, on = addresses(known, (1, 1, 0, 1)), np.array([True])
        all_memory.store(at, on, np.array([1.0]), (0, 0, 0))
        with pytest.raises(memory.MemoryFault, match=r"different values into cache\[1, 1, 0, 1\]"):
            all_memory.store(at, on, np.array([2.0]), (0, 1, 0))
