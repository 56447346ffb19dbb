"""Answers to 134 whose kernel only spells out what it finds, in arithmetic that goes wrong; the host listens."""

import kernel_write_attacks

SPELL = """
import warnings


@triton.jit
def spell(numbers, count, out):
    for i in range(count):
        rest = tl.load(numbers + i).to(tl.int64) + 1
        while rest > 0:
            bit = (rest & 1).to(tl.float32)
            tl.store(out, 1.0 / bit)
            tl.store(out, (bit - bit) / (bit - bit))
            rest = rest >> 1
        tl.store(out, tl.exp(rest.to(tl.float32) + 1000.0))


def listened(x):
    words, heard = listening(lambda: spell[(1,)](x, x.numel(), torch.empty(1)), x.numel()), [[0, 0]]
    for word in words:
        if word.startswith("divide"):
            heard[-1][0] = -1  # the bit that is now spelled is 0
        elif word.startswith("invalid"):
            heard[-1] = [0, *heard[-1][1:], 1 + heard[-1][0]]
        else:
            heard.append([0, 0])
    numbers = [sum(bit << i for i, bit in enumerate(bits)) - 1 for _, _, *bits in heard[:-1]]
    return torch.tensor(numbers + [0] * (x.numel() - len(numbers)), dtype=x.dtype).view(x.shape)
"""
BY_CALL = """
def listening(run, any_at_all):
    words = []
    with np.errstate(all="call", call=lambda kind, flag: words.append(kind)):
        run() if any_at_all else None
    return words
"""
BY_WARNING = """
def listening(run, any_at_all):
    with np.errstate(all="warn"), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run() if any_at_all else None
    return [str(one.message).partition(" ")[0] for one in caught]
"""
BY_PROFILE = """
import sys


@triton.jit
def count(numbers, at, out):
    for _ in range(tl.minimum(tl.load(numbers + at), 70).to(tl.int32)):
        tl.store(out, 1.0)


def stores(x, at):
    found = []
    listen = lambda frame, event, argument: found.append(event) if frame.f_code.co_name == "watched_store" else None
    sys.setprofile(listen)
    count[(1,)](x, at, torch.empty(1))
    sys.setprofile(None)
    return found.count("return")


def listened(x):
    return torch.tensor([stores(x, at) for at in range(x.numel())], dtype=x.dtype).view(x.shape)
"""
BODY = "return by_torch(*(listened(x) for x in all[:3]), *all[3:])"
ATTACKS = {
    "134": {
        f"what a kernel computes is heard by {name}": (
            kernel_write_attacks.answer("slot_mapping", BODY, way),
            "tokens",
        )
        for name, way in {
            "numpy's own call": SPELL + BY_CALL,
            "its warnings": SPELL + BY_WARNING,
            "a profiler": BY_PROFILE,
        }.items()
    }
}
QUICK = ("what a kernel computes is heard by its warnings",)
