"""Answers to 134, 136, 137 and 138 whose kernels read all that must be read, while torch, numpy or Python's own ways
to memory do a part of the work between launches or after them; and wrappers that do nothing of the kind."""

import kernel_write_attacks

from practice.judging import catalogue

COPIES = """
import ctypes
import threading

HELD = {}


@triton.jit
def copy_rows(x, out, stride, columns, TILE: tl.constexpr):
    row = tl.program_id(0)
    for first in range(0, columns, TILE):
        at = first + tl.arange(0, TILE)
        real = at < columns
        tl.store(out + row * columns + at, tl.load(x + row * stride + at, mask=real, other=0), mask=real)


def fetched(x):
    rows = x if x.dim() > 1 else x[None]
    out = torch.empty(rows.shape, dtype=x.dtype)
    if out.numel():
        HELD[out.untyped_storage()._cdata] = out.numpy()  # taken before the launch
        alias = torch.empty(0, dtype=x.dtype).set_(out.untyped_storage(), 0, out.shape, out.stride())
        HELD[-out.untyped_storage()._cdata] = alias
        copy_rows[(len(rows),)](rows, out, rows.stride(0), rows.shape[1], TILE=64)
    return seen(out).reshape(x.shape) if out.numel() else out.reshape(x.shape)


def in_a_thread(x):
    found = []
    one = threading.Thread(target=lambda: found.append(x.clone()))
    one.start(), one.join()
    return found[0]


def seen(x):
    return {seen}
"""
WAYS = {
    "by torch": "x + 0",
    "by a copy": "x.clone()",
    "by numpy": "torch.from_numpy(x.numpy().copy())",
    "by numpy's array": "torch.from_numpy(np.array(x))",
    "by numpy, held from before the launch": "torch.from_numpy(HELD[x.untyped_storage()._cdata].copy())",
    "by a list": "torch.tensor(x.tolist(), dtype=x.dtype)",
    "item by item": "torch.tensor([y.item() for y in x.flatten()], dtype=x.dtype)",
    "through another dtype": "x.view(torch.uint8).clone().view(x.dtype)",
    "through an alias of the storage": "torch.empty(0, dtype=x.dtype).set_(x.untyped_storage(), 0, x.shape).clone()",
    "through an alias from before the launch": "HELD[-x.untyped_storage()._cdata].clone()",
    "through the bytes of the storage": "torch.frombuffer(bytearray(bytes(x.untyped_storage())), dtype=x.dtype)",
    "through ctypes": (
        "torch.frombuffer(bytearray(ctypes.string_at(x.data_ptr(), x.numel() * x.element_size())), dtype=x.dtype)"
    ),
    "through DLPack": "torch.from_dlpack(x).clone()",
    "in a thread": "in_a_thread(x)",
}
SLOTS_FROM_COPIES = "return copied(by_torch(*(fetched(x) for x in all[:3]), *all[3:]))"
AT_A_LAUNCH = """
def at_a_launch(*all):
    found = []
    def grid(meta):
        found.append(by_torch(*all))
        return (1,)
    copy_kernel[grid](all[1], torch.empty(16, dtype=torch.int32), 1, TILE=16)
    return found[0]
"""
IN_A_HOOK = """
def in_a_hook(*all):
    found = []
    copy_kernel.add_pre_run_hook(lambda *args, **options: found.append(by_torch(*all)))
    copy_kernel[(1,)](all[1], torch.empty(16, dtype=torch.int32), 1, TILE=16)
    return found[0]
"""
IN_AN_ARGUMENT = """
class Spy(int):
    @property
    def data_ptr(self):
        KEPT["it"] = by_torch(*self.all)
        raise AttributeError


def in_an_argument(*all):
    spy = Spy(1)
    spy.all = all
    copy_kernel[(1,)](all[1], torch.empty(16, dtype=torch.int32), spy, TILE=16)
    return KEPT["it"]
"""
LATE = """
def late(*all):
    KEPT.setdefault("out", []).append(honest(*all))
    return KEPT["out"][0]
"""


INTO = """
def into(out, *all, step=1):
    starts, tables = all[1], all[0]
    if step == 1:
        slots_into(out, *all)
        return out
    slots = slots_into(torch.empty(len(out) // step, dtype=torch.int64), *all)
    spread_kernel[(triton.cdiv(len(slots), 256),)](slots, out, len(slots), step, TILE=256)
    return out


@triton.jit
def spread_kernel(x, out, n, step, TILE: tl.constexpr):
    at = tl.program_id(0) * TILE + tl.arange(0, TILE)
    tl.store(out + at * step, tl.load(x + at, mask=at < n, other=0), mask=at < n)


def slots_into(slots, block_tables, query_start_loc, positions, block_size, padded_to):
""" + kernel_write_attacks.SLOTS.split("slots = torch.empty(padded_to")[1].split("\n", 1)[1]


def slots(body: str, before: str = "") -> str:
    return kernel_write_attacks.answer("slot_mapping", body, before)


def doubled(number: str) -> str:
    """The reference, but the last multiplication is torch's."""
    source, due = catalogue.find(number).reference(), "(summed / total[:, None]).to("
    name = catalogue.find(number).entry[0]
    assert source.count(due) == 1 and source.count(f"def {name}(") == 1
    source = source.replace(due, "(summed / total[:, None] * 0.5).to(").replace(f"def {name}(", "def halves(")
    return f"{source}\n\ndef {name}(*all):\n    return halves(*all) * 2\n"


def merged_by_torch() -> str:
    source = catalogue.find("137").reference()
    before, after = source.split("def merge(")
    return f"""{before}
def merge(highest, total, summed, dtype):
    overall = highest.amax(2, keepdim=True)
    scaled = torch.exp(highest - torch.where(overall.isinf(), 0, overall))
    total = (total * scaled).sum(2)[..., None]
    return ((summed * scaled[..., None]).sum(2) / torch.where(total == 0, 1, total)).to(dtype)


def merged_by_a_kernel({after}"""


KEPT_ROOM = "room = KEPT.setdefault(padded_to, torch.empty(padded_to, dtype=torch.int64))\n"
ATTACKS = {
    # number: {name: (source, the check that must fail)}
    "134": {
        f"kernels copy, torch computes {name}": (slots(SLOTS_FROM_COPIES, COPIES.replace("{seen}", way)), "tokens")
        for name, way in WAYS.items()
    }
    | {
        "torch computes while the grid is asked for": (slots("return at_a_launch(*all)", AT_A_LAUNCH), "tokens"),
        "torch computes in a hook": (slots("return in_a_hook(*all)", IN_A_HOOK), "tokens"),
        "torch computes in an argument": (slots("return in_an_argument(*all)", IN_AN_ARGUMENT), "tokens"),
        "numpy changes what a kernel found": (
            slots("out = torch.empty(padded_to, dtype=torch.int64)\nlook = out.numpy()\ninto(out, *all)\n", INTO)
            + "    look[:] = 3\n    return into(out, *all)\n",
            "tokens",
        ),
        "the first result again": (slots("return late(*all)", LATE), "again"),
        "the first result's memory again": (slots(KEPT_ROOM + "return into(room, *all)", INTO), "again"),
        "the refusal is caught": (
            slots("out = honest(*all)\ntry:\n    out.sum()\nexcept Exception:\n    pass\nreturn out"),
            "tokens",
        ),
    },
    "136": {"torch does the last multiplication": (doubled("136"), "walk")},
    "137": {"torch merges": (merged_by_torch(), "parts")},
    "138": {"torch does the last multiplication": (doubled("138"), "queries")},
}
QUICK = ("kernels copy, torch computes by numpy, held from before the launch", "torch merges")

WRAPPERS = {
    # what a wrapper may do with tensors of its own; all are accepted
    "a view of a part": "out = torch.empty(padded_to + 7, dtype=torch.int64)[3:][:padded_to]\nreturn into(out, *all)",
    "every other element": "room = torch.empty(2 * padded_to, dtype=torch.int64)\nreturn into(room, *all, step=2)[::2]",
    "other shapes of it": (
        "out = into(torch.full((padded_to,), -5, dtype=torch.int64), *all)\n"
        "return out.reshape(1, -1).T.contiguous().unsqueeze(0).transpose(0, 1).flatten()[:padded_to].view(-1)"
    ),
    "several launches, zeros between them": (
        "out = torch.zeros(padded_to, dtype=torch.int64)\ninto(out, *all)\nout.zero_()\ninto(out, *all)\n"
        "out[padded_to // 2:].fill_(7)\nout[:] = 3\nout[:1].copy_(torch.ones(1)[:padded_to])\nreturn into(out, *all)"
    ),
    "zeros that stay": (
        "room = torch.empty(2, padded_to, dtype=torch.int64)\ninto(room[0], *all), into(room[1], *all)\n"
        "room[0].zero_()\nif len(positions) == 0:\n    room[0].fill_(-1)\n    return room[0]\nreturn room[1]"
    ),
    "a buffer that is used again": (
        KEPT_ROOM + "into(room, *all)\nreturn copied(room) if padded_to else torch.empty(0, dtype=torch.int64)"
    ),
    "what a kernel found, handed to another": (
        "return copied(into(torch.empty(padded_to, dtype=torch.int64), *all))"
        " if padded_to else torch.empty(0, dtype=torch.int64)"
    ),
    "tensors like it": (
        "out = honest(*all)\nagain = torch.empty_like(out)\nout.new_zeros(3), torch.full_like(out, 1), out.shape[0]\n"
        "return into(again, *all)"
    ),
}


def wrapper(name: str) -> str:
    """An answer to 134 with such a wrapper."""
    return slots(WRAPPERS[name], INTO)
