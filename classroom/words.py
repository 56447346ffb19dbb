"""Everything the teacher's commands say, in both languages."""

WORDS = {
    # why a submission has no verdict
    "no_number": (
        "its name holds no problem's number; name it 127-….py, or say --problem 127",
        "文件名里没有题号；改名为 127-….py，或者加上 --problem 127",
    ),
    "link": ("it is a link; hand in the file itself", "这是一个链接；请提交文件本身"),
    "not_regular": ("it is not a regular file", "不是普通文件"),
    "too_large": ("it has {size:,} bytes; at most {limit:,} are read", "有 {size:,} 字节；最多读取 {limit:,} 字节"),
    "unreadable": ("it can't be read: {why}", "无法读取：{why}"),
    "no_answer": ("no cell of it answers a problem", "没有单元格回答任何题目"),
    "workers_died": ("the grading process died {count} times", "判题进程结束了 {count} 次"),
    "grading_failed": ("the judge failed: {why}", "判题程序出错：{why}"),
    # why there is no batch
    "no_folder": ("{folder} is no folder", "{folder} 不是文件夹"),
    "no_submissions": ("{folder} holds no .py and no .ipynb", "{folder} 里没有 .py，也没有 .ipynb"),
    "grades_there": (
        "{file} holds {count} grades already; go on with --resume, or name another file with --out",
        "{file} 里已有 {count} 个成绩；用 --resume 接着判，或者用 --out 换一个文件",
    ),
    "begun_otherwise": (
        "{file} was begun with another {name}, {was}; now it is {now}",
        "{file} 开始时的 {name} 是 {was}，现在是 {now}",
    ),
    "other_file": (
        "{file} holds something else than grades of this version of the course",
        "{file} 里不是这一版课程的成绩",
    ),
    "no_grades": ("{file} does not exist", "{file} 不存在"),
    "in_use": ("another process is writing to {file}", "另一个进程正在写 {file}"),
    "unwritable": ("{file} can't be written: {why}", "{file} 无法写入：{why}"),
    "no_scheduler": ("no Dask scheduler answers at {address}: {why}", "{address} 没有 Dask 调度器应答：{why}"),
    "no_workers": (
        "the scheduler at {address} has no worker after {seconds} seconds",
        "等了 {seconds} 秒，{address} 的调度器还没有工作进程",
    ),
    "no_course": ("workers of {address} lack the course: {why}", "{address} 的工作进程没有装课程：{why}"),
    "other_edition": (
        "{count} of {all} workers run another edition of the course, or another pack; the first is {worker}",
        "{all} 个工作进程中有 {count} 个的课程版本或私有测试包不同，第一个是 {worker}",
    ),
    # what a batch came to
    "grading": ("grading", "判题"),
    "student": ("student", "学生"),
    "problem": ("problem", "题目"),
    "answers": ("answers", "答案"),
    "mean": ("mean score", "平均得分"),
    "nothing": ("not judged", "未判"),
    "graded": ("{count} answers graded; the grades are in {file}", "判了 {count} 份答案；成绩在 {file}"),
    "graded_before": ("{count} had been graded before", "另有 {count} 份之前已经判过"),
    "broken_off": ("what is graded so far is in {file}; --resume goes on", "已判的成绩在 {file}；用 --resume 接着判"),
    "exported": ("{count} grades are in {file} now", "{count}个成绩已写入 {file}"),
    "not_exported": (
        "{count} are not: they belong to no assignment of this gradebook, or nbgrader has no cell for them",
        "另有 {count} 个没有写入：不属于这份成绩册的作业，或者 nbgrader 没有对应的单元格",
    ),
    # similar answers
    "alike": ("alike", "相似"),
    "and": ("and", "对比"),
    "worked_answer": ("the worked answer", "参考解答"),
    "none_alike": ("No two answers are alike to {percent} % or more.", "没有两份答案相似到 {percent} % 以上。"),
    "read_both": (
        "Alike is no proof: read both before you speak to anyone. Short problems have few different answers.",
        "相似不等于抄袭：先读两份答案，再找人谈。题目越短，不同的写法本来就越少。",
    ),
}


def say(lang: str, key: str, **values: object) -> str:
    """The text `key` in the language, with its values filled in."""
    return WORDS[key][1 if lang == "zh" else 0].format(**values)


class CannotGrade(Exception):
    """Nothing can be graded like this; `text` says why, in a language."""

    def __init__(self, key: str, **values: object):
        super().__init__(say("en", key, **values))
        self.key, self.values = key, values

    def text(self, lang: str) -> str:
        return say(lang, self.key, **self.values)
