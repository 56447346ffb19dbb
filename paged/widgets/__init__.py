"""What a learner drags: interactive pictures of the library, for notebooks.

Importing this package is cheap. A widget's own machinery (anywidget, ipywidgets) loads when the widget is made,
matplotlib when its `.figure()` is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from paged.widgets.explorer_widget import Explorer
    from paged.widgets.replay_widget import Replay

__all__ = ["explorer", "replay"]


def explorer(
    block_size: int = 16, num_requests: int = 200, workload: str = "handbook", lang: str | None = None
) -> Explorer:
    """The utilisation explorer: what reserving the maximum and paging do with the memory that requests hold.

    block_size is 1 to 256 tokens, num_requests 1 to 10,000, workload "handbook", "azure-conv-2023" or
    "azure-code-2023", lang "en" or "zh"; without lang the labels follow LANG_EDITION, then the notebook's folder, then
    the locale. All four are synced traits of the widget; its `results` are the numbers on screen, and `.figure()` is
    the same picture for print. Raises TraitError for a value outside these.
    """
    from paged.widgets.explorer_widget import Explorer

    chosen = {} if lang is None else {"lang": lang}
    return Explorer(block_size=block_size, num_requests=num_requests, workload=workload, **chosen)


def replay(frames: list[Mapping], lang: str | None = None) -> Replay:
    """A run call by call, what was expected beside what came; it opens on the last call.

    frames: a dict per call, {"call": "b.append(1)", "expected": values, "got": values}. Values go by the name of the
    field ("result", "pool.ref_cnt", "b.block_table", "pool.num_free()") and are plain data; a str is drawn as it
    stands, so that it can describe what is not plain data. Without `got` the replay says that nothing came back. lang
    as in `explorer`. The synced trait `frame` is the number of the call shown, from 0. Raises ValueError for no frames
    or one without its call or its expected values.
    """
    from paged.widgets.replay_widget import Replay

    return Replay(frames, **({} if lang is None else {"lang": lang}))
