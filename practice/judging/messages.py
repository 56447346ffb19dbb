"""Everything the judge says, in both languages."""

MESSAGES = {
    # verdicts
    "AC": ("accepted", "通过"),
    "WA": ("wrong answer", "答案错误"),
    "RE": ("runtime error", "运行出错"),
    "TLE": ("too slow", "超时"),
    "MLE": ("too much memory", "内存超限"),
    "OLE": ("too much output", "输出过多"),
    "CE": ("can't be loaded", "无法加载"),
    "SKIPPED": ("skipped", "跳过"),
    "IE": ("the judge failed", "判题程序出错"),
    # the card
    "visible": ("visible", "可见"),
    "hidden": ("hidden", "隐藏"),
    "not_run": ("not run", "未运行"),
    "shortest": ("The shortest run that goes wrong:", "出错的最短一段调用："),
    "while_importing": ("While the file was being loaded:", "加载文件时："),
    "what": ("what", "项目"),
    "expected": ("expected", "应为"),
    "got": ("got", "实际"),
    "result": ("result of the last call", "最后一次调用的结果"),
    "printed": ("Your code printed:", "你的代码输出了："),
    "read_on": ("Read again, in the statement: {where}", "再读一遍题面：{where}"),
    "rule": ("What this breaks: {rule}.", "违反的规则：{rule}。"),
    "belief": ("This is what happens when one believes: {belief}", "这样错，通常是因为以为：{belief}"),
    "raises": ("raises {what}", "抛出 {what}"),
    "plain": (
        "without a sandbox ({why}): the verdict holds, but the code could read your files",
        "没有沙箱（{why}）：结论可信，但代码能读到你的文件",
    ),
    "in_bubblewrap": ("sandbox: bubblewrap", "沙箱：bubblewrap"),
    # why it failed
    "why_call": ("one call took longer than {detail} s", "单次调用超过 {detail} 秒"),
    "why_total": ("all runs together took longer than {detail} s", "全部运行超过 {detail} 秒"),
    "why_memory": ("memory: {detail} MB", "内存：{detail} MB"),
    "why_output": ("more than {detail} bytes of output", "输出超过 {detail} 字节"),
    "why_processes": ("more than {detail} processes", "进程超过 {detail} 个"),
    "why_exit": ("the process ended during this call: {detail}", "进程在这次调用中结束：{detail}"),
    "why_gone": ("the process was lost: {detail}", "进程丢失：{detail}"),
    "why_garbage": ("what came back is no answer: {detail}", "返回的内容不是答案：{detail}"),
    "why_import": ("loading the file raised {detail}", "加载文件时抛出 {detail}"),
    "why_syntax": ("syntax error, {detail}", "语法错误，{detail}"),
    "why_missing": ("the file does not define {detail}", "文件没有定义 {detail}"),
    "why_encoding": ("the file is {detail}", "文件编码有误（{detail}）"),
    "only_stdlib": (
        "the answer runs alone, with Python's standard library: {name} is not there",
        "答案单独运行，只有 Python 标准库：这里没有 {name}",
    ),
    "flaky": (
        "The same calls gave different results when they were run again.",
        "同样的调用再跑一遍，结果不同。",
    ),
    "needs": ("needs {what}, which is not installed here", "需要 {what}，这里没有安装"),
    "no_progress": ("progress was not saved: {why}", "进度没有保存：{why}"),
    "not_defined": (
        "No cell that has run defines {names}: run the cell with your answer first.",
        "运行过的单元格里没有定义 {names}：先运行写着答案的单元格。",
    ),
    "not_saved": ("the cell was not saved as your answer: {why}", "这个单元格没有存为你的答案：{why}"),
    # commands
    "next": ("Next: {number} {title}", "下一题：{number} {title}"),
    "next_do": (
        "  python judge.py start {number}   writes your file\n  python judge.py test {number}    judges it",
        "  python judge.py start {number}   生成你的答题文件\n  python judge.py test {number}    判题",
    ),
    "all_solved": ("All {count} problems are solved.", "全部 {count} 道题都已解出。"),
    "solved_of": ("{solved} of {count} problems solved", "已解出 {solved} / {count} 题"),
    "problem": ("problem", "题目"),
    "chapter": ("chapter", "章"),
    "difficulty": ("difficulty", "难度"),
    "state": ("state", "状态"),
    "easy": ("easy", "简单"),
    "medium": ("medium", "中等"),
    "hard": ("hard", "困难"),
    "new": ("new", "未做"),
    "tried": ("tried", "做过"),
    "solved": ("solved", "已解"),
    "started": ("Your file: {file}", "你的文件：{file}"),
    "kept": (
        "{file} is already there and stays as it is (--reset starts again and keeps a backup).",
        "{file} 已经存在，保持不动（--reset 重新开始，并留下备份）。",
    ),
    "backup": ("The old file is now {file}", "旧文件改名为 {file}"),
    "hint": ("Hint {level} of {count}", "提示 {level} / {count}"),
    "locked": (
        "The solution opens once your answer is accepted, or with --give-up.",
        "答案通过后才能看参考解答；也可以加 --give-up。",
    ),
    "unknown_problem": ("there is no problem {wanted}; there are {known}", "没有题目 {wanted}；现有 {known}"),
    "no_file": ("{file} does not exist", "{file} 不存在"),
    "no_answer_yet": (
        "{file} does not exist yet: `python judge.py start {number}` writes it",
        "{file} 还不存在：先运行 `python judge.py start {number}`",
    ),
    "not_a_file": ("{file} is not a regular file", "{file} 不是普通文件"),
    "too_large": (
        "{file} has {size} bytes; an answer may have {limit}",
        "{file} 有 {size} 字节；答案最多 {limit} 字节",
    ),
    "unreadable": ("{file} can't be read: {why}", "{file} 无法读取：{why}"),
    "judge_failed": ("the judge itself failed: {why}", "判题程序自己出错了：{why}"),
    "proof_fine": ("{number}: every trial as it should be ({count})", "{number}：全部 {count} 个试件都符合预期"),
    "proof_bad": (
        "{number}: {bad} of {count} trials are not as they should be",
        "{number}：{count} 个试件中有 {bad} 个不符合预期",
    ),
    "misconception": ("misconception", "误解"),
    "caught_by": ("caught by", "被谁发现"),
    "verdict": ("verdict", "结论"),
    "submission": ("submission", "提交"),
}


def say(lang: str, key: str, **values: object) -> str:
    """The message `key` in the language, with its values filled in."""
    return MESSAGES[key][1 if lang == "zh" else 0].format(**values)
