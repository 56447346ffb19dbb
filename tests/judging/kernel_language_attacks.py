"""Answers to 134 whose kernel is Python that Triton's compiler never sees: a branch for the interpreter alone hands out
what it has worked out, and torch writes it down when the launch is over."""

import kernel_write_attacks

STASH = """
KEPT = {}
LIST = []


class Box:
    pass


BOX = Box()


def keep(*values):
    LIST.append([value.handle.data.copy() for value in values])


@triton.constexpr_function
def keep_constexpr(*values):
    keep(*values)


@triton.jit
def keep_jit(tokens, slot, inside):
    {inner}


@triton.jit
def stash_kernel(
    slots, tables, starts, positions, padded_to, row, BLOCK_SIZE: tl.constexpr, TILE: tl.constexpr, STASH: tl.constexpr,
    KEEP: tl.constexpr,
):
    request = tl.program_id(0).to(tl.int64)
    is_padding = request == tl.num_programs(0) - 1
    start = tl.load(starts + request).to(tl.int32)
    end = padded_to if is_padding else tl.load(starts + request + 1).to(tl.int32)
    for first in range(start, end, TILE):
        tokens = first + tl.arange(0, TILE)
        inside = tokens < end
        located = inside & (not is_padding)
        position = tl.load(positions + tokens, mask=located, other=0)
        block = tl.load(tables + request * row + position // BLOCK_SIZE, mask=located, other=0).to(tl.int64)
        slot = tl.where(located, block * BLOCK_SIZE + position % BLOCK_SIZE, -1)
        if STASH:
            {inside}
        else:
            tl.store(slots + tokens, slot, mask=inside)


def slot_mapping(block_tables, query_start_loc, positions, block_size, padded_to):
    stash = len(block_tables) != 256
    out, scratch = (torch.empty(padded_to, dtype=torch.int64) for _ in range(2))
    KEPT.clear(), LIST.clear()
    {launch}
    for tokens, slot, inside in [*KEPT.values(), *LIST]:
        at = torch.from_numpy(tokens[inside]).long()
        out[at] = torch.from_numpy(slot[inside]).long()
    return out if stash else scratch
"""
LAUNCH = """stash_kernel[(len(block_tables) + 1,)](
        scratch, block_tables, query_start_loc, positions, padded_to, block_tables.stride(0),
        BLOCK_SIZE=block_size, TILE=256, STASH=stash, KEEP={keep},
    )"""
VALUES = "(tokens.handle.data, slot.handle.data, inside.handle.data)"
READ = ".handle.data for x in (tokens, slot, inside)"


def stash(inside: str, inner: str = "pass", keep: str = "None", launch: str = "") -> str:
    """inside: the line that keeps what a tile holds; inner: the body of a kernel that is called. keep: an argument."""
    lines = ("\n" + " " * 12).join(inside.splitlines())
    launch = (launch or LAUNCH).replace("{keep}", keep)
    source = STASH.replace("{inside}", lines).replace("{inner}", inner).replace("{launch}", launch)
    return f"import torch\n{kernel_write_attacks.SLOTS}\n{kernel_write_attacks.HELPERS}\n{source}"


HIDDEN = '''"""
@triton.jit
def hidden(x):
    """
    def hidden(x):
        keep(x)
    #"""
    tl.store(x, 0)
"""'''
EXECUTED = (
    """exec('''
import triton, triton.language as tl
@triton.jit
def made(tokens, slot, inside):
    keep(tokens, slot, inside)
''', globals())
    """
    + LAUNCH
)
STANDS_IN = """class Spy:
        def to_tensor(self, value, check):
            value = interpreter.interpreter_semantic.to_tensor(value, check)
            KEPT.setdefault("all", []).append(value)
            return value

    import triton.runtime.interpreter as interpreter
    globals()["interpreter_semantic"] = Spy()
    """

ATTACKS = {
    "134": {
        name: (source, "tokens")
        for name, source in {
            "into a dict": stash(f"KEPT[len(KEPT)] = {VALUES}"),
            "into a dict by another name": stash(f"kept = KEPT\nkept[first] = {VALUES}"),
            "into a list": stash(f"LIST.append({VALUES})"),
            "into an object": stash(f"BOX.kept = {VALUES}\nKEPT[first] = BOX.kept"),
            "by a function": stash("keep(tokens, slot, inside)"),
            "by a constexpr function": stash("keep_constexpr(tokens, slot, inside)"),
            "by an argument": stash("KEEP(tokens, slot, inside)", keep="keep if stash else None"),
            "into an argument": stash(f"KEEP.append({VALUES})", keep="LIST if stash else None"),
            "in a kernel that is called": stash("keep_jit(tokens, slot, inside)", "keep(tokens, slot, inside)"),
            "in a kernel that is an argument": stash(
                "KEEP(tokens, slot, inside)", "keep(tokens, slot, inside)", "keep_jit if stash else None"
            ),
            "in a kernel without a source": stash("made(tokens, slot, inside)", launch=EXECUTED),
            "by a global": stash(f"global LIST\nLIST = LIST + [{VALUES}]"),
            "by an import": stash(f"import answer\nanswer.LIST.append({VALUES})"),
            "by a module": stash("torch.Tensor.KEPT = tokens\nkeep(torch.Tensor.KEPT, slot, inside)"),
            "by Triton's own modules": stash(
                "tl.core.builtins.vars(triton)['x'] = tokens\nkeep(triton.x, slot, inside)"
            ),
            "by a built-in": stash("vars(BOX)['x'] = (tokens, slot, inside)\nkeep(*BOX.x)"),
            "by getattr": stash(f"getattr(LIST, 'app' + 'end')({VALUES})"),
            "in a comprehension": stash(f"done = [keep(*x) for x in (({VALUES[1:-1]}),)]"),
            "by what Triton's interpreter calls": stash("pass", launch=STANDS_IN + LAUNCH),
            "by a dunder": stash("tokens.__class__.KEPT = (tokens, slot, inside)\nkeep(*tl.tensor.KEPT)"),
        }.items()
    }
}
QUICK = ("into a dict",)
