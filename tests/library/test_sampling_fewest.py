"""A beam step copies as little and takes as few blocks as any order of its forks, frees and appends does."""

from functools import cache
from itertools import product

import pytest

from paged import BlockPool, Sequence, beam_step


def fewest(pool_of, num_beams: int, parents: tuple[int, ...]) -> tuple[int, int]:
    """(fewest copies, fewest blocks in use at once) over all orders of forking, freeing and appending.

    A child is forked from its beam at any time before the beam is freed; every beam is freed at some time, which is
    how a beam that a child takes over looks to the pool. pool_of(): fresh (pool, beams).
    """
    moves = [("fork", k) for k in range(len(parents))] + [("append", k) for k in range(len(parents))]
    moves += [("free", number) for number in range(num_beams)]

    def allowed(done: frozenset, move: tuple[str, int]) -> bool:
        kind, number = move
        if kind == "append":
            return ("fork", number) in done
        return kind == "fork" or all(("fork", k) in done for k, parent in enumerate(parents) if parent == number)

    def after(order) -> tuple[int, int]:
        pool, beams = pool_of()
        children, in_use = {}, pool.num_blocks - pool.num_free()
        for kind, number in order:
            if kind == "fork":
                children[number] = beams[parents[number]].fork()
            elif kind == "append":
                children[number].append(1)
            else:
                beams[number].free()
            in_use = max(in_use, pool.num_blocks - pool.num_free())
        return len(pool.copies), in_use

    @cache
    def orders(done: frozenset) -> list[tuple]:
        ways = [move for move in moves if move not in done and allowed(done, move)]
        return [(move, *rest) for move in ways for rest in orders(done | {move})] if ways else [()]

    results = [after(order) for order in orders(frozenset())]
    return min(copies for copies, _ in results), min(in_use for _, in_use in results)


@pytest.mark.parametrize("tokens", [2, 3])
@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("bystander", [True, False])
@pytest.mark.parametrize("parents", [(), *product(range(2), repeat=1), *product(range(2), repeat=2), (0, 1, 0)])
def test_no_order_of_a_step_makes_fewer_copies_or_takes_fewer_blocks(tokens, shared, bystander, parents):
    def start(num_blocks):
        pool = BlockPool(num_blocks)
        first = Sequence(pool, 2)
        first.append(tokens)
        second = first.fork() if shared else Sequence(pool, 2)
        second.append(0 if shared else tokens)
        if bystander:
            first.fork()
        return pool, [first, second]

    copies, in_use = fewest(lambda: start(20), 2, parents)
    pool, beams = start(in_use)
    beam_step(beams, list(parents))
    assert len(pool.copies) == copies
