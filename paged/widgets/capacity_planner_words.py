"""What the capacity planner says of a plan, in one edition's words; capacity_planner_words.js says the same."""

from math import floor

from paged.widgets.capacity_planner_plan import (
    ENTRY_BYTES,
    GIB,
    KV_BYTES,
    MAX_GPUS,
    RECORD_BYTES,
    Plan,
    Setting,
    enough_gpus,
)

UNITS = ((GIB, "GiB"), (2**20, "MiB"), (2**10, "KiB"))


def short(number: float) -> str:
    """One decimal, none where it would be 0; halves go up, which the browser can do in the same way."""
    return f"{floor(10 * number + 0.5) / 10:,.1f}".removesuffix(".0")


def size(num_bytes: int) -> str:
    """57344 -> "56 KiB"."""
    for unit, name in UNITS:
        if num_bytes >= unit:
            return f"{short(num_bytes / unit)} {name}"
    return f"{num_bytes} B"


def gib(num_bytes: int) -> str:
    return f"{short(num_bytes / GIB)} GiB"


def summary(setting: Setting, plan: Plan, text: dict[str, str]) -> str:
    if plan.problem:
        return verdict(setting, plan, text)
    return text["summary"].format(
        model=setting.model.name,
        num_gpus=setting.num_gpus,
        gpu=setting.gpu.name,
        tokens=f"{plan.tokens:,}",
        paged=f"{plan.paged:,}",
        reserved=f"{plan.reserved:,}",
        reserved_tokens=f"{plan.reserved_tokens:,}",
    )


def verdict(setting: Setting, plan: Plan, text: dict[str, str]) -> str:
    """What paging gains, or why nothing fits and what would help."""
    model = setting.model
    if plan.problem == "heads":
        possible = ", ".join(str(n) for n in range(1, MAX_GPUS + 1) if model.splits_over(n))
        values = {"num_gpus": setting.num_gpus, "heads": model.heads, "model": model.name, "possible": possible}
        return text["heads_problem"].format(**values)
    if not plan.problem:
        held = plan.entries * setting.block_size
        if not plan.reserved:
            return text["only_paging"].format(reserved_tokens=f"{plan.reserved_tokens:,}")
        times = short(plan.paged / plan.reserved)
        return text["gain"].format(times=times, held=f"{held:,}", reserved_tokens=f"{plan.reserved_tokens:,}")
    enough = enough_gpus(setting)
    help_ = text["too_few"] if enough is None else text["fits"].format(enough=enough)
    gap = "" if help_[-1] == "。" else " "
    if plan.problem == "memory":
        values = {"model": model.name, "weights": gib(plan.weights), "kept": gib(plan.kept)}
        said = text["memory_problem"].format(**values, memory=gib(plan.memory), short=gib(-plan.budget))
    else:
        need = plan.entries * setting.block_size * plan.bytes_per_token
        values = {"tokens": f"{plan.tokens:,}", "need": size(need), "budget": size(plan.budget)}
        said = text["request_problem"].format(**values)
    return said + gap + help_


def note(setting: Setting, text: dict[str, str]) -> str:
    """What is kept more than once because of tensor parallelism; "" where nothing is."""
    model, num_gpus = setting.model, setting.num_gpus
    if num_gpus == 1 or not model.splits_over(num_gpus):
        return ""
    if model.latent_dim:
        return text["latent_copies"].format(num_gpus=num_gpus)
    if num_gpus <= model.kv_heads:
        return ""
    copies = num_gpus // model.kv_heads
    return text["copies"].format(num_gpus=num_gpus, kv_heads=model.kv_heads, copies=copies)


def facts(setting: Setting, plan: Plan, text: dict[str, str]) -> list[tuple[str, str, str]]:
    """(what, how much, from what) for the four sums of the page."""
    model = setting.model
    shape = {"layers": model.layers, "head_dim": model.head_dim, "latent_dim": model.latent_dim}
    shape |= {"rope_dim": model.rope_dim, "dtype_bytes": KV_BYTES[setting.kv_dtype]}
    kind = "latent_sum" if model.latent_dim else "per_token_sum"
    known = plan.problem != "heads"
    kept = model.kv_heads_on_each(setting.num_gpus) if known else 0
    per_token = text[kind].format(kv_heads=kept, **shape) if known else ""
    budget = text["budget_sum"].format(
        memory=short(plan.memory / GIB), weights=short(plan.weights / GIB), kept=short(plan.kept / GIB)
    )
    tables = {"paged": f"{plan.paged:,}", "entries": f"{plan.entries:,}", "entry_bytes": ENTRY_BYTES}
    records = {"blocks": f"{plan.blocks:,}", "record_bytes": RECORD_BYTES}
    return [
        (text["per_token"], size(plan.bytes_per_token) if known else "–", per_token),
        (text["budget"], gib(max(0, plan.budget)), budget),
        (text["tables"], size(plan.table_bytes), text["tables_sum"].format(**tables)),
        (text["records"], size(plan.record_bytes), text["records_sum"].format(**records)),
    ]
