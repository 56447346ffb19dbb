"""The words on the replay of a run, in both editions; the browser and the static page read the same table."""

from paged.widgets.blocks_text import BLOCKS

WORDS = {
    "en": {
        "name": "Replay of the run that goes wrong",
        "calls": "Calls of the run",
        "spoken": "Call {number} of {total}: {call}. {outcome}",
        "object": "object",
        "expected": "expected",
        "got": "yours",
        "both": "expected = yours",
        "result": "result",
        "same": "As expected.",
        "differs": "Differs: {names}",
        "unanswered": "Nothing came back from this call.",
        "missing": "no value",
        "gap_free": "{blocks}: free",
        "gap_owned": "{blocks}: {owned} of {count} in use",
        "gap_absent": "{blocks}: no such blocks",
        "left_out_differ": "{count} of them differ",
    },
    "zh": {
        "name": "回放出错的这段调用",
        "calls": "这段调用",
        "spoken": "第 {number} 次调用，共 {total} 次：{call}。{outcome}",
        "object": "对象",
        "expected": "应为",
        "got": "你的",
        "both": "应为 = 你的",
        "result": "结果",
        "same": "与应有的结果一致。",
        "differs": "不一致：{names}",
        "unanswered": "这次调用什么都没有返回。",
        "missing": "没有值",
        "gap_free": "{blocks}：空闲",
        "gap_owned": "{blocks}：{count} 块中 {owned} 块在用",
        "gap_absent": "{blocks}：没有这些块",
        "left_out_differ": "其中 {count} 个不一致",
    },
}
TEXT = {lang: BLOCKS[lang] | words for lang, words in WORDS.items()}
