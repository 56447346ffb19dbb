"""What the guard of kernels says in English is said in Chinese, all of it."""

import ast
import re

import kernel_write_attacks
import pytest

from practice.judging import catalogue, faults, sandbox, show
from practice.judging.card import Card
from practice.judging.verdict import judge

PUT_TOGETHER = [
    "MemoryFault: reads 3 elements of k_cache that no request owns, the first is k_cache[1, 0, 2, 5]",
    "MemoryFault: writes 3 elements of cache that are not to be written, the first is cache[1, 0, 2, 5]",
    "MemoryFault: two programs, or two lanes of one, write different values into element 5 of out: "
    "on a GPU nobody knows which one stays",
    "MemoryFault: a program reads element 5 of parts, into which another one of the same launch stores: "
    "on a GPU nobody knows which comes first",
    "MemoryFault: reads 3 elements outside of every tensor",
    "MemoryFault: writes 3 elements outside of every tensor, the first 2 before out",
    "MemoryFault: reads 3 elements outside of every tensor, the first 17 past the end of q",
    "MemoryFault: reads 1 elements outside of every tensor, in the room between elements of block_tables",
    *(
        f"NotTriton: slots_kernel, line 7: `x[0] = 1` is no Triton: {why}"
        for why in (
            "the compiler knows no function within a function",
            "the compiler knows no Raise",
            "the compiler knows no Import",
            "the compiler does not know `open`",
            "only a name can be assigned to",
            "it can only be called",
            "no value of Triton has `data`",
            "Triton's language has no `core` there",
            "of the file, a kernel sees other kernels and tl.constexpr(…) only, and `np` is a module",
            "of the file, a kernel sees other kernels and tl.constexpr(…) only, and `KEPT` is of type dict",
        )
    ),
]


def written_out():
    """What stands in the guard's files after `raise MemoryFault(` and the like, 1 where a value is put in."""
    for path in sorted(sandbox.HERE.glob("kernel_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args
            if called and node.func.id in faults.GUARD and isinstance(node.args[0], ast.JoinedStr | ast.Constant):
                parts = getattr(node.args[0], "values", [node.args[0]])
                text = "".join(part.value if isinstance(part, ast.Constant) else "1" for part in parts)
                yield f"{node.func.id}: {text}"


TEXTS = [
    *PUT_TOGETHER,
    *(text for text in written_out() if not re.search(r"is no Triton: 1$|: 1, the first is 11$", text)),
]


@pytest.mark.parametrize("text", TEXTS)
def test_each_text_is_said_in_chinese(text):
    assert faults.told(text, "en") == text
    kind, _, chinese = faults.told(text, "zh").partition(": ")
    assert kind == text.partition(":")[0] and re.search("[一-鿿]", chinese) and not re.search("element|the ", chinese)
    numbers = re.findall(r"\d+", text.partition(": ")[2])
    assert kind == "HostRead" or sorted(re.findall(r"\d+", chinese)) == sorted(numbers)


def test_no_pattern_is_left_over():
    tried = [text.partition(": ")[2] for text in TEXTS]
    assert all(any(re.fullmatch(pattern, text, re.DOTALL) for text in tried) for pattern in faults.CHINESE)


def test_others_words_stay_as_they_are():
    for text in ("ValueError: reads 3 elements outside of every tensor", "MemoryFault", "MemoryFault: my own {0}"):
        assert faults.told(text, "zh") == text


@pytest.mark.needs("triton")
@pytest.mark.needs("bubblewrap")
def test_a_verdict_tells_it_with_the_place(children):
    kernel = "\n@triton.jit\ndef far_kernel(x):\n    tl.store(x + 10**6, 1)\n"
    source = kernel_write_attacks.answer("slot_mapping", "far_kernel[(1,)](torch.empty(3))", kernel)
    found = judge(catalogue.find("134"), source.encode(), children=children, examples_only=True)
    detail = found.failed[0].failure.detail
    assert "writes 1 elements outside of every tensor, the first" in show.placed(detail, "en")
    said = show.placed(detail, "zh")
    assert said.startswith("MemoryFault: 写了 1 个不在任何张量里的元素") and "行，" in said
    assert "写了 1 个不在任何张量里的元素" in Card(found, "zh", [])._repr_html_()
