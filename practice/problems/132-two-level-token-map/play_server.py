"""What the steps of a drawn plan do: a server that admits requests, lets them grow, and takes their slots back."""

from collections import Counter
from dataclasses import dataclass
from random import Random

from practice.judging import peek

MOST_REQUESTS = 6
MOST_PAGES = 4  # of one request that grows step by step


@dataclass
class Request:
    """A live request: the slot of each of its tokens, and its row where the run has a table."""

    slots: list
    row: int | None = None


class Server:
    """Slots, and with plan.rows a table too. A prefix that requests share goes back with the last of them."""

    def __init__(self, answer, plan):
        self.answer, self.page_size, self.live = answer, plan.page_size, []
        self.pool = answer.ReqToTokenPool(plan.rows, plan.max_context_len) if plan.rows else None
        self.longest = plan.max_context_len if plan.rows else MOST_PAGES * plan.page_size
        self.allocator = answer.TokenAllocator(plan.pages * plan.page_size, plan.page_size)
        answer.count("runs_with_pages_of_one_slot", int(plan.page_size == 1))

    def free_pages(self):
        return peek(self.allocator).available_size() // self.page_size

    def admit(self, how_many):
        """Requests without tokens, with a row each where there is a table; fewer when there is no room for more."""
        how_many = min(how_many, MOST_REQUESTS - len(self.live))
        rows = [None] * how_many
        if self.pool:
            rows = self.pool.alloc(min(how_many, peek(self.pool).available_size()))
        return [Request([], row) for row in rows]

    def extend(self, requests, counts, decode=False):
        """Let requests[i] grow by counts[i] tokens in one batch. Those that were refused and have no tokens leave."""
        before = [len(request.slots) for request in requests]
        after = [length + count for length, count in zip(before, counts, strict=True)]
        last = [request.slots[-1] if request.slots else -1 for request in requests]
        slots = self.allocator.alloc_decode(after, last) if decode else self.allocator.alloc_extend(before, after, last)
        self.answer.count("decodes" if decode else "extends")
        self.answer.count("requests_in_batches", len(requests))
        if slots is None:
            self.answer.count("refused_batches")
            if self.pool and (rows := [r.row for r in requests if not r.slots]):
                self.pool.free(rows)
            return
        start = 0
        for request, count in zip(requests, counts, strict=True):
            if self.pool:
                self.pool.write(request.row, len(request.slots), slots[start : start + count])
            request.slots += slots[start : start + count]
            start += count
            if request not in self.live:
                self.live.append(request)

    def count_for(self, request, number):
        """A number of new tokens around the end of a page; 0 if the request is as long as it may get."""
        room = -len(request.slots) % self.page_size
        choices = [room, 1, room + 1, room + self.page_size, number % (2 * self.page_size) + 1, room - 1]
        return min(max(1, choices[number % 6]), self.longest - len(request.slots))

    def grow(self, requests, number):
        """Extend those of the requests that may still grow."""
        pairs = [(r, self.count_for(r, number + 5 * i)) for i, r in enumerate(requests)]
        pairs = [(request, count) for request, count in pairs if count > 0]
        if pairs:
            self.extend([request for request, _ in pairs], [count for _, count in pairs])

    def some(self, op):
        """One to three of the live requests, from any one on."""
        start = op.pick % max(1, len(self.live))
        return (self.live[start:] + self.live[:start])[: 1 + op.amount // 6 % 3]

    def give_back(self, slots, op):
        """Free slots whose pages nobody else uses: in order, from behind, shuffled, or one slot for each page."""
        used = {slot // self.page_size for request in self.live for slot in request.slots}
        slots = [slot for slot in slots if slot // self.page_size not in used]
        if op.amount % 4 == 1:
            slots = slots[::-1]
        if op.amount % 4 == 2:
            slots = Random(op.pick).sample(slots, len(slots))
        if op.amount % 4 == 3:
            slots = list(dict(zip([slot // self.page_size for slot in slots], slots, strict=True)).values())
        self.answer.count("slots_given_back", len(slots))
        self.answer.count("pages_given_back_half_full", self.half_full(slots))
        self.allocator.free(slots)

    def half_full(self, slots):
        return sum(count < self.page_size for count in Counter(slot // self.page_size for slot in slots).values())

    # --- the steps of a plan ---

    def step_admit(self, op):
        self.grow(self.admit(1 + op.pick % 3), op.amount)

    def step_extend(self, op):
        self.grow(self.some(op), op.amount)

    def step_mix(self, op):
        """Newcomers and requests that go on, in one batch: a chunked prefill."""
        others = self.some(op)
        self.grow((self.admit(1) + others) if op.pick % 2 else (others + self.admit(1)), op.amount)

    def step_decode(self, op):
        """One token for every live request that may still grow."""
        for _ in range(1 + op.amount % 3):
            growing = [request for request in self.live if len(request.slots) < self.longest]
            if growing:
                self.extend(growing, [1] * len(growing), decode=True)

    def step_finish(self, op):
        """One or two requests end."""
        ended = self.some(op)[: 1 + op.pick % 2]
        if ended:
            self.live = [request for request in self.live if request not in ended]
            self.give_back([slot for request in ended for slot in request.slots], op)
            if self.pool:
                self.pool.free([request.row for request in ended])

    def step_interleave(self, op):
        """Requests grow in turn by a page each, so that their pages lie between each other's."""
        for request in self.live[:2] * 2:
            if len(request.slots) + self.page_size <= self.longest:
                self.extend([request], [self.page_size])

    def step_rewind(self, op):
        """A request gives up its last pages, all but the first: drafts that were not accepted."""
        for request in self.some(op)[:1]:
            keep = (1 + op.pick % 2) * self.page_size
            dropped, request.slots = request.slots[keep:], request.slots[:keep]
            if dropped:
                self.give_back(dropped, op)

    def step_share(self, op):
        """A newcomer that begins with the first pages of another request, whose slots it enters in its own row."""
        for donor in self.some(op)[:1]:
            prefix = donor.slots[: len(donor.slots) // self.page_size * self.page_size][: 2 * self.page_size]
            if prefix and len(prefix) < self.longest and (newcomers := self.admit(1)):
                self.answer.count("shared_prefixes")
                [newcomer] = newcomers
                if self.pool:
                    self.pool.write(newcomer.row, 0, prefix)
                newcomer.slots += prefix
                self.live.append(newcomer)
                self.grow([newcomer], op.amount)

    def step_brim(self, op):
        """A batch with one token too many, and then one that takes exactly the pages that are left."""
        for spare in (1, 0):
            batch = [r for r in self.some(op)[:2] if len(r.slots) < self.longest]
            if batch:
                first, pages = batch[0], self.free_pages()
                count = -len(first.slots) % self.page_size + pages * self.page_size + spare
                others = [max(1, -len(r.slots) % self.page_size) for r in batch[1:]]
                if count and len(first.slots) + count <= self.longest:
                    self.extend(batch, [count, *others])

    def step_overflow(self, op):
        """More requests of one token than there are pages; then as many as there are."""
        pages = self.free_pages()
        for how_many in (pages + 1, pages):
            newcomers = self.admit(how_many) if how_many <= 3 else []
            if newcomers:
                self.extend(newcomers, [1] * len(newcomers))

    def step_full(self, op):
        """Decode until the pages run out: what still has room in its last page goes on alone."""
        self.step_decode(op)
        room = [r for r in self.live if len(r.slots) % self.page_size and len(r.slots) < self.longest]
        if room:
            self.extend(room, [1] * len(room), decode=True)

    def step_second(self, op):
        """An allocator beside the first: what happens in one must not show in the other."""
        second = self.answer.TokenAllocator(2 * self.page_size, self.page_size)
        second.alloc_extend([0], [1 + op.pick % self.page_size], [-1])
        self.answer.count("runs_with_two_allocators")


def play_server(answer, plan):
    """At the end one request takes every page that is left: they tell the order of the queue."""
    run = Server(answer, plan)
    for op in plan.ops:
        getattr(run, f"step_{op.kind}")(op)
    if pages := run.free_pages():
        run.allocator.alloc_extend([0], [pages * run.page_size], [-1])
