"""What a compiled kernel tells about itself, as a table to be read, and how fast it is on a GPU, in a line."""

from practice.judging.messages import say

CARDS = {"sm_80": "A100", "sm_90": "H100", "sm_100": "B200"}
COLUMNS = ("registers", "spilled", "shared", "tensor_core", "wide_loads")


def table(rows: list[dict], lang: str) -> list[tuple[str, ...]]:
    """A head, and a line per kernel and GPU."""
    lines = [("kernel", "GPU", *(say(lang, key) for key in COLUMNS))]
    for row in rows:
        shared, limit = f"{row['shared_bytes'] / 1024:.1f}", f"{row['shared_limit'] >> 10} KiB"
        lines.append(
            (
                row["kernel"],
                f"{row['target']} ({CARDS[row['target']]})",
                str(row["registers"]),
                f"{row['spilled_bytes']} B",
                say(lang, "of", part=shared, whole=limit),
                str(row["tensor_core"]),
                say(lang, "of", part=row["wide_loads"], whole=row["loads"]),
            )
        )
    return lines


def gpu_line(gpu: dict, lang: str) -> str:
    """How fast a kernel is on the GPU that is here, or why that is not known; "" where there is none."""
    if "name" not in gpu:
        return ""
    if "per_cent" not in gpu:
        return say(lang, "gpu_not", name=gpu["name"], reason=gpu["reason"])
    micro, per_cent = 1e6 * gpu["seconds"], gpu["per_cent"]
    return say(lang, "gpu", name=gpu["name"], dtype=gpu["dtype"], per_cent=per_cent, micro=micro, calls=gpu["calls"])
