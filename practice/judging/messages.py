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
    "what": ("what", "项目"),
    "expected": ("expected", "应为"),
    "got": ("got", "实际"),
    "elements": ("{name}: elements that differ", "{name}：不同的元素个数"),
    "result": ("result of the last call", "最后一次调用的结果"),
    "printed": ("Your code printed:", "你的代码输出了："),
    "read_on": ("Read again in the statement — {where}", "再读一遍题面——{where}"),
    "section": ("In the chapter: {name}", "本章相关内容：{name}"),
    "section_of": ("In the chapter: “{name}”, {file}", "本章相关内容：“{name}”一节，{file}"),
    "rule": ("What this breaks: {rule}.", "违反的规则：{rule}。"),
    "arguments_stay": (
        "what a call is given (args) is still the caller's, and stays as it was",
        "调用时传进来的东西（args）仍归调用方所有，要保持原样",
    ),
    "no_triton": (
        "a kernel is Triton from its first line to its last: all it sees of your file are other kernels and "
        "tl.constexpr(…), in every branch, whether it is taken or not",
        "kernel 从第一行到最后一行都得是 Triton：你文件里的东西，它只能用别的 kernel 和 tl.constexpr(…)；"
        "每个分支都查，不管走没走到",
    ),
    "early_read": (
        "until a kernel starts, the tensors hold something else than what the work is about",
        "kernel 启动之前，张量里放的不是真正要处理的内容",
    ),
    "not_stored": (
        "a result is what a kernel has stored: here a launch, `kernel[grid](…)`, is missing, or its grid is empty, or "
        "it stores nothing, or elsewhere",
        "结果要由 kernel 写出来：这里要么少了一次启动 `kernel[grid](…)`，要么 grid 是空的，"
        "要么 kernel 什么也没写，或者写到了别处",
    ),
    "host_reads": (
        "torch sees nothing of what a kernel stored until the call has returned: all work belongs into kernels",
        "kernel 存下的内容，调用返回之前 torch 一概看不到：计算全部要由 kernel 来做",
    ),
    "belief": ("You may believe that {belief}", "这样错，通常是因为以为：{belief}"),
    "beliefs": ("You may believe one of these:", "这样错，通常是因为以为下面某一条："),
    "raises": ("raises {what}", "抛出 {what}"),
    "plain": (
        "without a sandbox ({why}): the verdict holds, but the code could read your files",
        "没有沙箱（{why}）：结论可信，但代码能读到你的文件",
    ),
    "in_bubblewrap": ("sandbox: bubblewrap", "沙箱：bubblewrap"),
    # why it failed
    "why_call": ("one call took longer than {detail} s", "单次调用超过 {detail} 秒"),
    "why_load": ("loading the file took longer than {detail} s", "加载文件超过 {detail} 秒"),
    "why_together": (
        "here the {detail} s were up that all runs together may take",
        "全部运行合计可用 {detail} 秒，到这里用完了",
    ),
    "why_total": ("all runs together took longer than {detail} s", "全部运行超过 {detail} 秒"),
    "why_memory": ("memory: {detail} MB", "内存：{detail} MB"),
    "why_output": ("more than {detail} bytes of output", "输出超过 {detail} 字节"),
    "why_processes": ("more than {detail} processes", "进程超过 {detail} 个"),
    "why_exit": ("the process ended during this call: {detail}", "进程在这次调用中结束：{detail}"),
    "why_gone": ("the process was lost: {detail}", "进程丢失：{detail}"),
    "why_garbage": (
        "what came back can't be read as an answer: the code may have forked, written into the judge's own pipe, or "
        "given far too many values",
        "读不懂返回的内容：代码可能用了 fork、往判题程序自己的管道里写了东西，或者给出的值太多",
    ),
    "why_import": ("loading the file raised {detail}", "加载文件时抛出 {detail}"),
    "why_another_kernel": (
        "compiled for a GPU, the answer runs kernels that it did not run in the interpreter: {detail}",
        "为 GPU 编译时，答案用的 kernel 没有在解释器里运行过：{detail}",
    ),
    "why_syntax": ("syntax error, {detail}", "语法错误，{detail}"),
    "at_line": ("line {line}: {said}", "第 {line} 行：{said}"),
    "in_line": ("{said} (line {line}, in {where})", "{said}（第 {line} 行，{where} 里）"),
    "why_missing": ("the file does not define {detail}", "文件没有定义 {detail}"),
    "why_encoding": ("the file is not UTF-8: byte {detail}", "文件不是 UTF-8：出错的字节 {detail}"),
    "only_stdlib": (
        "the answer runs alone, with Python's standard library and what the problem names: {name} is not there",
        "答案单独运行，只有 Python 标准库和题目写明的库：这里没有 {name}",
    ),
    "flaky": (
        "The same calls gave different results when they were run again.",
        "同样的调用再跑一遍，结果不同。",
    ),
    "needs": ("needs {what}, which is not installed here", "需要 {what}，这里没有安装"),
    "instead": (
        "{number} {title} asks for the same without it, and counts as this one: python judge.py start {number}",
        "{number} {title} 做的是同一件事，不需要它，解出来就算解了这道题：python judge.py start {number}",
    ),
    "progress_unreadable": ("progress can't be read: {why}", "进度无法读取：{why}"),
    "chapter_n": ("chapter {n}", "第 {n} 章"),
    "no_progress": ("progress was not saved: {why}", "进度没有保存：{why}"),
    "not_defined": (
        "No cell that has run defines {names}: run the cell with your answer first.",
        "运行过的单元格里没有定义 {names}：先运行写着答案的单元格。",
    ),
    "no_notebook": ("this is no notebook that can be read: {why}", "读不出 notebook：{why}"),
    "is_link": ("it is a link", "它是链接"),
    "is_missing": ("there is no such file", "没有这个文件"),
    "is_missing_among": ("there is no such file, only {names}", "没有这个文件，只有 {names}"),
    "is_folder": ("it is a folder", "它是文件夹"),
    "is_archive": ("it is an archive, {kind}: unpack it", "它是压缩包（{kind}）：请先解压"),
    "not_regular": ("it is not a regular file", "它不是普通文件"),
    "no_time": (
        "timestamp.txt holds no time that can be read, so it is not known when this was handed in",
        "timestamp.txt 里的时间读不出来，不知道是什么时候交的",
    ),
    "is_large": ("it has {size:,} bytes, and at most {most:,} are read", "它有 {size:,} 字节，最多读 {most:,} 字节"),
    "not_utf8": ("it is not UTF-8, byte {place} is {byte}", "不是 UTF-8，第 {place} 个字节是 {byte}"),
    "not_json": ("it is not JSON, line {line}, column {column}", "不是 JSON，第 {line} 行第 {column} 列"),
    "json_too_deep": ("its JSON is nested too deeply", "JSON 嵌套太深"),
    "json_long_number": (
        "its JSON holds a number of more than {digits} digits",
        "JSON 里有超过 {digits} 位的数",
    ),
    "json_no_object": ("its JSON is a {kind}, not an object", "JSON 的最外层是 {kind}，不是对象"),
    "no_cells": ("it has no cells", "里面没有单元格"),
    "notebook_renamed": (
        "{name} was not handed in; {found} was graded in its place",
        "没有交 {name}，评的是 {found}",
    ),
    "other_notebooks": (
        "not graded, for the assignment has no notebook of this name: {names}",
        "没有评分，作业里没有叫这个名字的 notebook：{names}",
    ),
    "cells_restored": (
        "cells of the assignment had been changed or were missing, and were put back: {names}",
        "作业里有单元格被改动或缺失，已经恢复：{names}",
    ),
    "on_submission": ("About this submission", "关于这份提交"),
    "by_hand": (
        "The judge knows no problem for this cell: it is graded by hand.",
        "判题程序不认识这个单元格对应的题目：由人工评分。",
    ),
    "answer_missing": (
        "no cell is marked as the answer, and none defines {names}",
        "没有单元格标明是这题的答案，也没有定义 {names}",
    ),
    "answer_gathered": (
        "no cell is marked as the answer; it was gathered from the cells that define its names",
        "没有单元格标明是这题的答案，按名字从各单元格收集",
    ),
    "answer_of_several": (
        "{count} cells are marked as the answer; the one that counts is cell {place} of the notebook",
        "有 {count} 个单元格标明是这题的答案，以 notebook 的第 {place} 个单元格为准",
    ),
    "answer_no_code": (
        "the answer stands in a {kind} cell and was taken from there",
        "答案写在 {kind} 单元格里，已从那里取出",
    ),
    "answer_untouched": ("the answer is still the starter", "答案还是初始代码"),
    "answer_too_large": (
        "the answer has {size} bytes; it may have {limit}",
        "答案有 {size} 字节；最多 {limit} 字节",
    ),
    "not_saved": ("the cell was not saved as your answer: {why}", "这个单元格没有存为你的答案：{why}"),
    "keys": ("watching {file}   h hint · n next problem · q quit", "正在盯着 {file}   h 提示 · n 下一题 · q 退出"),
    "attempts": ("attempts", "次数"),
    "best": ("best", "最好成绩"),
    "replay": (
        "<code>judge.replay()</code> in a new cell steps through this run.",
        "在新单元格里运行 <code>judge.replay()</code>，可以一步步重放这段调用。",
    ),
    "nothing_to_replay": ("The last verdict has no run to step through.", "上一次判题没有可以重放的调用。"),
    "mine_yours": (
        "From here on this is *your* accepted answer to {number}, `{file}`.",
        "下面用的是**你自己**通过的 {number} 题答案：`{file}`。",
    ),
    "mine_library": (
        "What stands in `{file}` is no accepted answer, so this is the library's.",
        "`{file}` 里还没有通过的答案，下面先用库里的实现。",
    ),
    "compiled_table": ("Compiled for these GPUs, none of which has to be here:", "为下列 GPU 编译，本机不必有："),
    "registers": ("registers", "寄存器"),
    "spilled": ("spilled", "溢出"),
    "shared": ("shared memory", "共享内存"),
    "tensor_core": ("tensor-core instructions", "张量核心指令"),
    "wide_loads": ("128-bit loads", "128 位读取"),
    "of": ("{part} of {whole}", "{part} / {whole}"),
    "gpu": (
        "GPU {name}, {dtype}: {per_cent:.0f} % of the bandwidth of a copy, {micro:.0f} µs a call, {calls} calls with "
        "fresh inputs; for you to know, no points",
        "GPU {name}，{dtype}：达到显存复制带宽的 {per_cent:.0f}%，每次调用 {micro:.0f} µs，共 {calls} 次，"
        "每次换新输入；仅供参考，不计分",
    ),
    "gpu_not": ("GPU {name}: not timed: {reason}", "GPU {name}：没有计时：{reason}"),
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
    "unwritable": ("{file} can't be written: {why}", "{file} 无法写入：{why}"),
    "unreadable": ("{file} can't be read: {why}", "{file} 无法读取：{why}"),
    "judge_failed": ("the judge itself failed: {why}", "判题程序自己出错了：{why}"),
    "usage": ("{why}", "用法不对：{why}"),
    "missing": ("{name} is missing", "用法不对：缺少 {name}"),
    "bad_value": ("the value of {name} can't be used: {why}", "用法不对：{name} 的值不能用：{why}"),
    "bad_lang": ("--lang is {value!r}; it may be en or zh", "--lang 是 {value!r}；只能是 en 或 zh"),
    "no_pack": ("{name} is {value!r}, which is no folder", "{name} 是 {value!r}，不是文件夹"),
    "empty_pack": (
        "{name} is {value!r}, which holds no pack: neither a pack.toml nor a folder like {example} with a tests.py",
        "{name} 是 {value!r}，里面不是私有测试包：既没有 pack.toml，也没有像 {example} 这样带 tests.py 的文件夹",
    ),
    "pack_misnamed": (
        "the pack's {folder} would not be used: a folder with tests is called like {example}",
        "私有测试包里的 {folder} 不会被用到：放测试的文件夹要像 {example} 这样命名",
    ),
    "pack_unreadable": ("pack.toml can't be read: {why}", "pack.toml 无法读取：{why}"),
    "pack_seed": (
        "the seed in pack.toml must be a whole number of at least 0",
        "pack.toml 里的 seed 必须是不小于 0 的整数",
    ),
    "pack_unknown": (
        "the pack has {folder}, and there is no problem {number}",
        "私有测试包里有 {folder}，但没有题目 {number}",
    ),
    "pack_tests": (
        "the tests in the pack's {folder} can't be used: {why}",
        "私有测试包里 {folder} 的测试不能用：{why}",
    ),
    "pack_failed": (
        "the private pack can't be used as it is, {place}: {kind}",
        "私有测试包有问题，{place}：{kind}",
    ),
    "no_worked_answer": (
        "this edition has no worked answer to {number} ({files})",
        "这个版本没有 {number} 题的参考解答（{files}）",
    ),
    "not_empty": ("{folder} is not an empty folder", "{folder} 不是空文件夹"),
    "inside_course": ("{folder} lies inside the course, {root}", "{folder} 在课程 {root} 里面"),
    "no_checkout": (
        "{root} is no git checkout, so what belongs to the course is not known",
        "{root} 不是 git 仓库，无法知道哪些文件属于课程",
    ),
    "released": ("{count} files in {folder}", "{folder} 里有 {count} 个文件"),
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


class Refusal(RuntimeError):
    """Something can't be done; `text` says why, in a language."""

    def __init__(self, key: str, **values: object):
        super().__init__(say("en", key, **values))
        self.key, self.values = key, values

    def text(self, lang: str) -> str:
        return say(lang, self.key, **self.values)
