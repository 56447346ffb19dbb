"""The capacity planner without a kernel: verdict, both strategies' memory and the four sums, in plain HTML."""

from html import escape

from paged.widgets.capacity_planner_plan import Plan, Setting, plan
from paged.widgets.capacity_planner_words import facts, note, size, summary, verdict
from paged.widgets.static_page import BLUE, EMPTY, MUTED, TEXT, VERMILLION, bar, card, row_of

WEIGHTS, KEPT, RESERVED = "#6e7781", "#b8c0c8", "#f0b64d"


def memory_of(strategy: str, setting: Setting, plan: Plan) -> dict[str, int]:
    """Bytes of each part of a GPU's memory under "paged" or "reserved"; the parts add up to the memory if all fits."""
    tokens = plan.tokens if strategy == "paged" else plan.reserved_tokens
    held = plan.entries * setting.block_size if strategy == "paged" else tokens
    requests = getattr(plan, strategy)
    used = requests * plan.tokens * plan.bytes_per_token
    waste = requests * (held - plan.tokens) * plan.bytes_per_token
    rest = max(0, plan.budget) - used - waste
    lost = "last_block" if strategy == "paged" else "never_used"
    return {"part_weights": plan.weights, "part_kept": plan.kept, "used": used, lost: waste, "rest": rest}


def static_html(setting: Setting, text: dict[str, str]) -> str:
    """`text` is one edition of capacity_planner_text.TEXT."""
    found = plan(setting)
    said = [summary(setting, found, text), verdict(setting, found, text), note(setting, text)]
    lines = "".join(f"<div>{escape(line)}</div>" for line in dict.fromkeys(said) if line)
    paging = text["paging"].format(block_size=setting.block_size)
    reserving = text["reserving"].format(reserved_tokens=f"{found.reserved_tokens:,}")
    return card(
        f"<div><b>{escape(text['name'])}</b></div>{lines}",
        _strategy(paging, "paged", setting, found, text),
        _strategy(reserving, "reserved", setting, found, text),
        _facts(setting, found, text),
    )


def _strategy(title: str, strategy: str, setting: Setting, found: Plan, text: dict[str, str]) -> str:
    colours = {"part_weights": WEIGHTS, "part_kept": KEPT, "used": BLUE, "last_block": VERMILLION}
    colours |= {"never_used": RESERVED, "rest": EMPTY}
    parts = memory_of(strategy, setting, found)
    total = sum(parts.values())
    heading = f"{title}: {getattr(found, strategy):,} {text['requests']}"
    legend = " · ".join(f"{text[name]} {size(num_bytes)}" for name, num_bytes in parts.items())
    boxes = "".join(bar(f"{100 * num_bytes / total:.3f}%", colours[name]) for name, num_bytes in parts.items())
    return f'<div style="margin-top:14px"><b>{escape(heading)}</b></div><div>{escape(legend)}</div>{row_of(boxes)}'


def _facts(setting: Setting, found: Plan, text: dict[str, str]) -> str:
    rows = "".join(
        f'<tr style="background-color:#ffffff"><th style="text-align:left">{escape(what)}</th>'
        f'<td style="text-align:right;padding:2px 12px"><b>{escape(much)}</b></td>'
        f'<td style="text-align:left;color:{MUTED}">{escape(sums)}</td></tr>'
        for what, much, sums in facts(setting, found, text)
    )
    return f'<table style="margin-top:14px;{TEXT}">{rows}</table>'
