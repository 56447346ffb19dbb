"""What the comic strips tell is true: each number comes out of the library, the chapter, or arithmetic of its own."""

import math
import re

import pytest
import strips
import torch
from build_notebooks import ROOT
from strip_reader import SVG, boxes, panels, words
from strips import cast, props

from paged import BlockPool, PagedKVCache, Sequence, memory, slot_mapping_for, workload


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_cinema_has_the_seats_and_groups_that_the_library_counts(lang: str):
    budget = 55 * 1024**3
    per_token = memory.bytes_per_token(num_layers=28, num_kv_heads=4, head_dim=128, dtype_bytes=2)
    seats = budget // per_token
    few = memory.max_requests(budget, 32768, per_token, block_size=16)
    many = memory.max_requests(budget, 3000, per_token, block_size=16)
    assert (seats, few, seats - few * 32768, many) == (1029851, 31, 14043, 342)
    assert round(1 - few * 3000 / seats, 1) == 0.9
    assert round(many * 3000 / seats, 3) == 0.996

    name = f"01-strip.{lang}.svg"
    told = [words(name, panel).replace(",", "") for panel in range(1, 7)]
    assert "1029851" in told[0]
    assert "31 " in told[2]
    assert "14043" in told[2]
    assert "342" in told[4]
    assert "99.6%" in told[4]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_drawers_are_handed_out_as_the_pool_does_it(lang: str):
    pool = BlockPool(8)
    first = pool.allocate(3)
    assert first == [0, 1, 2]
    assert pool.allocate(2) == [3, 4]
    pool.free(first)
    assert list(pool.free_queue) == [5, 6, 7, 0, 1, 2]
    table = pool.allocate(4)
    assert list(map(str, table)) == strips.strip_02.TABLE == ["5", "6", "7", "0"]
    assert slot_mapping_for(table, [0, 13], 4) == [20, 1]
    with pytest.raises(ValueError, match="block 1: owners needed 1, owners 0"):
        pool.free(first)
    assert pool.ref_cnt == [1, 0, 0, 1, 1, 1, 1, 1]

    # The queue stands with its head on the right, next to the clerk: drawn and read from the left, it is reversed.
    plates = [texts[0].text for _, texts in boxes(panels(f"02-strip.{lang}.svg")[1]) if len(texts) == 1]
    assert [plate for plate in plates if plate.isdigit()] == ["5", "6", "7", "0", "1", "2"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_shelf_holds_positions_0_to_13_and_the_leftovers_are_not_among_them(lang: str):
    name = f"03-strip.{lang}.svg"
    shelf = [text.text for text in panels(name)[2].iter(f"{SVG}text") if text.text.isdigit()]
    blocks = [[str(4 * index + place) for place in range(4)] for index in range(4)]
    assert shelf == ["5", *blocks[0], "6", *blocks[1], "7", *blocks[2], "0", "12", "13"]
    drawer = [text.text for text in panels(name)[3].iter(f"{SVG}text")]
    assert drawer[:9] == ["0", "1", "2", "3", "0", "12", "13", "2", "NaN"]


def seats_of_3000(block_size: int) -> tuple[int, int]:
    """(entries of the list, seats that stay empty) of a group of 3,000."""
    group = Sequence(BlockPool(3000), block_size)
    group.append(3000)
    return len(group.block_table), len(group.block_table) * block_size - group.num_tokens


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_lists_and_the_empty_seats_are_those_of_the_block_sizes(lang: str):
    assert [seats_of_3000(size) for size in (1, 16, 256)] == [(3000, 0), (188, 8), (12, 72)]
    name = f"04-strip.{lang}.svg"
    told = [words(name, panel).replace(",", "") for panel in range(1, 7)]
    entries, walked, left = map(int, re.findall(r"\d{4}", told[1]))
    assert walked + left == entries == 3000
    assert re.findall(r"\d+", told[2])[-2:] == ["256", "12"]
    assert re.findall(r"\d+", told[4])[-3:] == ["16", "188", "8"]

    # A's last block: 16 seats, eight with a token and eight with a coat on them.
    last = panels(name)[4]
    assert len(last.findall(f"{SVG}rect[@fill='{props.VELVET}']")) == 2 * 16  # each seat has a back and a cushion
    assert [text.text for text in last.iter(f"{SVG}text")].count("A") == 3000 % 16 == 8


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_short_requests_have_145_tokens_and_111_empty_seats_in_a_block_of_256(lang: str):
    short = [tokens for tokens in workload.trace("azure-code-2023", n=10_000).lengths if tokens < 300]
    assert round(sum(short) / len(short)) == 145
    told = words(f"04-strip.{lang}.svg", 3)
    assert "145" in told
    assert "111" in told
    seats = [rect.get("fill") for rect in panels(f"04-strip.{lang}.svg")[2].findall(f"{SVG}rect[@width='7.5']")]
    assert [seats.count(colour) for colour in (cast.REQUESTS["D"], props.VELVET)] == [145, 256 - 145]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_only_full_blocks_of_the_250_are_shared(lang: str):
    assert {size: 250 // size * size for size in (1, 16, 256)} == strips.strip_04.SHARED
    assert re.findall(r"\d+", words(f"04-strip.{lang}.svg", 4))[:6] == ["1", "250", "16", "240", "256", "0"]


def test_the_kernels_eat_what_the_chapter_says_with_the_release_that_was_read():
    source = (ROOT / "notebooks" / "src" / "04-block-size.md").read_text(encoding="utf-8")
    rows = [row.split("|") for row in source.splitlines() if row.startswith("|")]
    claims = [
        ("vLLM, FlashAttention backend", "multiples of 16", "0.33.0"),
        ("FlashMLA", "64", "0.33.0"),
        ("FlashAttention-2 itself", "multiples of 256", "0251105a"),
        ("FlashInfer's own kernels", "any", "fb28d724"),
    ]
    for claim in claims:
        assert any(len(row) == 5 and all(map(str.__contains__, row[1:4], claim)) for row in rows), claim
    for lang in ("en", "zh"):
        names, sizes = (strips.strip_04.TEXT[lang]["diets"][start::2] for start in (0, 1))
        assert sizes[:3] == ["16 · n", "64", "256 · n"]
        assert all(claim[2] in name for claim, name in zip(claims, names, strict=True))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_three_answers_write_and_two_copies_are_made(lang: str):
    pool = BlockPool(8)
    a = Sequence(pool, block_size=4)
    a.append(6)
    b, c = a.fork(), a.fork()
    assert [each.block_table for each in (a, b, c)] == [[0, 1]] * 3
    assert pool.ref_cnt[:2] == [3, 3]
    a.append(1)
    assert a.block_table == [0, 2]
    b.append(1)
    assert (b.block_table, pool.ref_cnt[1]) == ([0, 3], 1)
    c.append(1)
    assert (c.block_table, pool.copies) == ([0, 1], [(1, 2), (1, 3)])
    assert 8 - pool.num_free() == 4
    assert 3 * len(c.block_table) == 6  # had each its own

    name = f"05-strip.{lang}.svg"
    drawn = [[text.text for _, texts in boxes(panel) for text in texts] for panel in panels(name)]
    assert drawn[0][:7] == ["0", "1", "A", "0", "1", "B", "0"]
    assert [text for text in drawn[2] if "→" in text] == ["1 → 2"]
    assert [text for text in drawn[3] if "→" in text] == ["1 → 2", "1 → 3"]
    drawers = ["8 9 10 11 2 4 5 A", "12 13 14 15 3 4 5 B", "4 5 6 7 1 4 5 C"]
    assert all(drawer in " ".join(drawn[5]) for drawer in drawers)


def test_what_is_written_before_the_copy_is_gone():
    def read_back(write_first: bool) -> float:
        cache = PagedKVCache(1, num_blocks=4, block_size=4, num_kv_heads=1, head_dim=1)
        why = torch.ones(1, 1, 1)
        if write_first:
            cache.write(0, [10], why, why)  # drawer 2, place 2
        cache.copy_blocks([(1, 2)])
        if not write_first:
            cache.write(0, [10], why, why)
        return cache.k[0][2, 2].item()

    assert read_back(write_first=True) == 0
    assert read_back(write_first=False) == 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_notes_of_the_walk_are_those_of_softmax(lang: str):
    blocks = strips.strip_08.SCORES
    assert [len(scores) for scores in blocks.values()] == [4, 4, 4, 2]

    def noted(*walked: int) -> list[str]:
        """Maximum and sum over all keys of these blocks, taken at once."""
        scores = [score for block in walked for score in blocks[block]]
        return [str(max(scores)), f"{sum(math.exp(score - max(scores)) for score in scores):.2f}"]

    def numbers(panel: int) -> str:
        return words(f"08-strip.{lang}.svg", panel)

    assert numbers(2).split()[:4] == ["5", "6", "7", "0"]
    assert noted(5) == ["3", "1.55"]
    assert "0 1 1 3 2 0 3 2" in numbers(3)  # jar and score in turn: 3 is the best, and jar 1 has it
    assert "1.55" in numbers(3)
    assert noted(5, 6, 7) == ["3", "2.84"]
    assert noted(5, 6, 7, 0) == ["5", "1.52"]
    assert all(number in numbers(4) for number in ("3 → 5", "2.84", "→ 1.52", f"{math.exp(3 - 5):.3f}"))
    assert noted(5, 6) == ["3", "2.16"]
    assert noted(7, 0) == ["5", "1.23"]
    merge = re.search(r"([\d.]+) × ([\d.]+) \+ ([\d.]+) = ([\d.]+)", numbers(6)).groups()
    assert merge == ("2.16", f"{math.exp(3 - 5):.3f}", "1.23", "1.52")
    lower, factor, higher, together = map(float, merge)
    assert round(lower * factor + higher, 2) == together  # the rounded figures add up, too
    assert "÷ 1.52" in numbers(6)
