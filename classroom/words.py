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
    "forbidden": ("it can't be read: you have no permission", "无法读取：没有权限"),
    "vanished": ("it was there when the batch began, and is gone", "开始判的时候还在，现在不见了"),
    "archive": ("it is an archive, {kind}: unpack it", "这是压缩包（{kind}）：请先解压"),
    "other_kind": ("it is a {kind}; only .py and .ipynb are graded", "这是 {kind} 文件；只判 .py 和 .ipynb"),
    "no_kind": (
        "its name does not end in .py or .ipynb; nothing else is graded",
        "文件名不以 .py 或 .ipynb 结尾；别的不判",
    ),
    "folder_without": ("no .py and no .ipynb lies in it", "里面没有 .py，也没有 .ipynb"),
    "no_answer": ("no cell of it answers a problem", "没有单元格回答任何题目"),
    "not_answered": (
        "assignment {assignment} asks for it, and nothing that was handed in answers it",
        "作业 {assignment} 要求这道题，交上来的文件里没有答案",
    ),
    "workers_died": ("the grading process died {count:time|times}", "判题进程结束了 {count} 次"),
    "grading_failed": ("the judge failed: {why}", "判题程序出错：{why}"),
    "and_also": ("; ", "；"),
    # why an answer lacks points
    "not_passed": ("not passed: {checks}", "未通过：{checks}"),
    "differs": ("{what}: expected {expected}, got {got}", "{what}：应为 {expected}，实际 {got}"),
    "raised": ("{what}: expected {expected}, but it {got}", "{what}：应为 {expected}，却{got}"),
    # why there is no batch
    "no_folder": ("{folder} is no folder", "{folder} 不是文件夹"),
    "unreadable_folder": ("{folder} can't be read: {why}", "{folder} 无法读取：{why}"),
    "no_submissions": ("{folder} holds no .py and no .ipynb", "{folder} 里没有 .py，也没有 .ipynb"),
    "grades_there": (
        "{file} holds {count:grade|grades} already; go on with --resume, or name another file with --out",
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
    "no_regular_file": ("{file} is not a regular file", "{file} 不是普通文件"),
    "no_grades": ("{file} does not exist", "{file} 不存在"),
    "in_use": ("another process is writing to {file}", "另一个进程正在写 {file}"),
    "overwrites": (
        "a table in {file} would overwrite {other}; name another file with --csv",
        "把表格写进 {file} 会覆盖 {other}；请用 --csv 换一个文件",
    ),
    "no_gradebook": ("{file} is no gradebook of nbgrader", "{file} 不是 nbgrader 的成绩册"),
    "unwritable": ("{file} can't be written: {why}", "{file} 无法写入：{why}"),
    "no_scheduler": ("no Dask scheduler answers at {address}: {why}", "{address} 没有 Dask 调度器应答：{why}"),
    "not_dask": (
        "what answers at {address} is no Dask scheduler",
        "{address} 有应答，但不是 Dask 调度器",
    ),
    "silent_scheduler": (
        "no Dask scheduler answers at {address}: no answer within {seconds} s",
        "{address} 没有 Dask 调度器应答：{seconds} 秒内没有回应",
    ),
    "waiting": (
        "no worker at {address} yet; waiting {seconds} seconds for one, then nothing is graded",
        "{address} 还没有工作进程；最多等 {seconds} 秒，等不到就不判",
    ),
    "no_workers": (
        "the scheduler at {address} has no worker after {seconds} seconds",
        "等了 {seconds} 秒，{address} 的调度器还没有工作进程",
    ),
    "no_course": ("workers of {address} lack the course: {why}", "{address} 的工作进程没有装课程：{why}"),
    "other_edition": (
        "workers with another edition of the course, or another pack: {count} of {all}; the first is {worker}",
        "{all} 个工作进程中有 {count} 个的课程版本或私有测试包不同，第一个是 {worker}",
    ),
    # what a batch came to
    "grading": ("grading", "判题"),
    "student": ("student", "学生"),
    "problem": ("problem", "题目"),
    "answers": ("answers", "答案"),
    "mean": ("mean score", "平均得分"),
    "nothing": ("not judged", "未判"),
    "graded": ("{count:answer|answers} graded; the grades are in {file}", "判了 {count} 份答案；成绩在 {file}"),
    "graded_before": ("{count} had been graded before", "另有 {count} 份之前已经判过"),
    "broken_off": (
        "broken off; {count:answer is|answers are} graded, in {file}; --resume goes on",
        "已中断；判好的 {count} 份在 {file}；用 --resume 接着判",
    ),
    "ungraded": ("{count} can't be graded; for each a row says why", "{count} 份判不了；各有一行写明原因"),
    "dropped": (
        "{count:row was|rows were} dropped: the file, or the answer in the notebook, is gone",
        "删掉了 {count} 行：对应的文件或 notebook 里的答案已经不在",
    ),
    "exported": ("{count:grade is|grades are} in {file} now", "{count} 个成绩已写入 {file}"),
    "not_exported": ("{count:row is|rows are} not:", "另有 {count} 行没有写入："),
    "file": ("file", "文件"),
    "why": ("why", "原因"),
    "batch_said": ("the batch says: {reason}", "批量判题的说明：{reason}"),
    "no_assignment": ("it lies in no folder of an assignment", "不在作业的文件夹里"),
    "unknown_assignment": ("the gradebook has no assignment {assignment}", "成绩册里没有作业 {assignment}"),
    "no_cell": ("assignment {assignment} has no cell {cell}", "作业 {assignment} 里没有单元格 {cell}"),
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


class Count(int):
    """A number that in a text may bring its noun along: "{count:row is|rows are}" is "1 row is" or "2 rows are"."""

    def __format__(self, form: str) -> str:
        one, divided, more = form.partition("|")
        return f"{self:d} {one if self == 1 else more}" if divided else super().__format__(form)


def say(lang: str, key: str, **values: object) -> str:
    """The text `key` in the language, with its values filled in."""
    counted = {name: Count(value) if type(value) is int else value for name, value in values.items()}
    return WORDS[key][1 if lang == "zh" else 0].format(**counted)


class CannotGrade(Exception):
    """Nothing can be graded like this; `text` says why, in a language."""

    def __init__(self, key: str, **values: object):
        super().__init__(say("en", key, **values))
        self.key, self.values = key, values

    def text(self, lang: str) -> str:
        return say(lang, self.key, **self.values)
