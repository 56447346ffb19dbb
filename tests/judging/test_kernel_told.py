"""What one is told whose kernel is no Triton, or whose wrapper computes; and what a kernel prints."""

import textwrap

import kernel_write_attacks
import pytest

from practice.judging import catalogue, show
from practice.judging.card import Card
from practice.judging.verdict import judge

pytestmark = [pytest.mark.needs("triton"), pytest.mark.needs("bubblewrap")]
RULES = {
    "en": ("all work belongs into kernels", "a kernel is Triton", *["is missing, or its grid is empty"] * 2),
    "zh": ("计算全部要由 kernel 来做", "都得是 Triton", *["要么 grid 是空的"] * 2),
}
NOT_STORED = "NotStored: the result is memory that nobody has written to"


@pytest.fixture
def examples(children):
    """examples(body of a wrapper, what stands before it): the failure of an answer to 134, or None."""

    def examples(body, before=""):
        source = kernel_write_attacks.answer("slot_mapping", body, before)
        found = judge(catalogue.find("134"), source.encode(), children=children, examples_only=True)
        examples.card = lambda lang: Card(found, lang, [])._repr_html_()
        return found.failed[0].failure if found.failed else None

    return examples


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("number", "body", "said"),
    [
        (0, "return honest(*all) + 0", "HostRead: torch (add) works on slots, into which a kernel has stored"),
        (1, "python_kernel[(1,)](positions)\nreturn honest(*all)", "NotTriton: python_kernel, line"),
        (2, "return torch.empty(padded_to, dtype=torch.int64)", f"{NOT_STORED}: the call started no kernel"),
        (3, "return torch.empty_like(honest(*all))", f"{NOT_STORED}: no kernel that ran stores into it"),
    ],
)
def test_the_rule_is_told_in_both_languages(examples, lang, number, body, said):
    failure = examples(body, "\n@triton.jit\ndef python_kernel(x):\n    if x is None:\n        KEPT[0] = x\n")
    assert (failure.verdict, failure.why) == ("RE", "raised")
    assert failure.detail.startswith(said)
    assert (", in slot_mapping)" in failure.detail) == (number < 2)
    assert RULES[lang][number] in examples.card(lang) and show.why(failure, lang) == ""


EARLY = {"en": "until a kernel starts, the tensors hold something", "zh": "kernel 启动之前，张量里放的不是"}


@pytest.mark.parametrize(
    ("body", "said", "early"),
    [
        ("return torch.arange(3)[positions + 10**6]", "EarlyRead: IndexError: index 1000", True),
        ("if not torch.is_tensor(missing): pass", "NameError: name 'missing' is not defined", False),
        ("assert positions.shape == ()", "AssertionError", False),
        ("slots = honest(*all)\nraise ValueError('late')", "ValueError: late", False),
    ],
)
def test_a_look_at_inputs_before_a_kernel_starts_is_told_where_they_hold_something_else(
    children, examples, body, said, early
):
    """In the examples they do not."""
    body = "if block_size not in (4, 16):\n" + textwrap.indent(body, "    ") + "\nreturn honest(*all)"
    source = kernel_write_attacks.answer("slot_mapping", body)
    for lang, rule in EARLY.items():
        found = judge(catalogue.find("134"), source.encode(), children=children)
        detail = found.failed[0].failure.detail
        assert detail.startswith(said)
        assert (rule in Card(found, lang, [])._repr_html_()) == early
    assert examples("raise ValueError(positions.tolist())").detail.startswith("ValueError: [")


def test_the_line_is_that_of_the_file(examples):
    kernel = "# one\n\n@triton.jit\n# two\ndef python_kernel(\n    x,\n):\n    y = x\n    KEPT[0] = y\n"
    failure = examples("python_kernel[(1,)](positions)", kernel)
    source = kernel_write_attacks.answer("slot_mapping", "python_kernel[(1,)](positions)", kernel)
    assert f"line {source.splitlines().index('    KEPT[0] = y') + 1}: `KEPT[0]`" in failure.detail


PRINTS = """
import contextlib
import io

@triton.jit
def printing_kernel(x):
    print("in the kernel", tl.program_id(0))


def shown(run):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        run()
    return out.getvalue()
"""


def test_what_a_kernel_prints_is_shown_but_not_to_its_wrapper(examples):
    failure = examples(
        'said = shown(lambda: printing_kernel[(2,)](positions))\nprint("seen:", [said])\nreturn positions', PRINTS
    )
    assert failure.printed.count("in the kernel") == 2 * failure.printed.count("seen: ['']") > 0


def test_what_a_kernel_raises_ends_the_call_though_it_is_caught(examples):
    kernel = "\n@triton.jit\ndef failing_kernel(x):\n    assert tl.load(x) is None, 'what it found'\n"
    body = "try:\n    failing_kernel[(1,)](query_start_loc)\nexcept Exception:\n    pass\nreturn honest(*all)"
    assert "AssertionError: what it found" in examples(body, kernel).detail


def test_a_grid_and_hooks_are_asked_before_a_kernel_runs(examples):
    grid = "\ndef grid(meta):\n    KEPT['grid'] = meta['n'], meta['TILE']\n    return [meta['n'] // 8]\n"
    body = """
copy_kernel.add_pre_run_hook(lambda *args, **options: KEPT.update(hook=(args[2], options["TILE"])))
x = torch.arange(8)
out = torch.zeros_like(x)
copy_kernel[grid](x, out, 8, TILE=8)
assert KEPT["grid"] == KEPT["hook"] == (8, 8), KEPT
return honest(*all)"""
    assert examples(body, grid) is None
