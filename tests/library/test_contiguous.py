"""Memory in one piece per request: first fit, holes that join, and a refusal although enough is free in total."""

import pytest

from paged.contiguous import ContiguousMemory


def test_a_piece_goes_into_the_first_hole_that_is_large_enough():
    memory = ContiguousMemory(20)
    assert [memory.allocate(n) for n in (3, 2, 5, 1)] == [0, 3, 5, 10]
    memory.free(0)
    memory.free(5)
    assert memory.holes() == [(0, 3), (5, 5), (11, 9)]
    assert memory.allocate(4) == 5
    assert memory.holes() == [(0, 3), (9, 1), (11, 9)]
    assert memory.allocate(3) == 0


def test_neighbouring_holes_are_one():
    memory = ContiguousMemory(6)
    for _ in range(3):
        memory.allocate(2)
    assert memory.holes() == []
    memory.free(4)
    memory.free(0)
    assert memory.holes() == [(0, 2), (4, 2)]
    memory.free(2)
    assert memory.holes() == [(0, 6)]
    assert memory.allocate(6) == 0


def test_a_request_is_refused_if_no_hole_has_room_and_nothing_changes():
    memory = ContiguousMemory(6)
    for _ in range(3):
        memory.allocate(2)
    memory.free(0)
    memory.free(4)
    assert memory.num_free() == 4
    assert memory.allocate(3) is None
    assert memory.pieces == {2: 2}


def test_nonsense_is_refused_with_the_numbers():
    with pytest.raises(ValueError, match="at least 1, got 0"):
        ContiguousMemory(0)
    memory = ContiguousMemory(6)
    memory.allocate(2)
    with pytest.raises(ValueError, match="cannot allocate 0 slots"):
        memory.allocate(0)
    with pytest.raises(ValueError, match=r"no piece starts in slot 1; pieces start in \[0\]"):
        memory.free(1)
    assert memory.pieces == {0: 2}
