"""In the fork: the learner's code runs here, and nowhere else.

`execute` runs the source, makes the calls of a program and notes what each gave; every program of a job gets a module
of its own. Standard library only, like child.py.
"""

import builtins
import struct
import sys
import types

from wire import pack, unpack


def execute(code, job, counter):
    """An answer per program. counter: shared memory that tells whoever watches which call of the job is running."""
    answers, before = [], 0
    for program in job["programs"]:
        answers.append(play(code, program, job["entry"], counter, before))
        before += len(program["run"])
    return {"answers": answers}


def play(code, program, entry, counter, before):
    """What loading the source raised, or the names it lacks, or one row per call."""
    module = types.ModuleType("answer")
    sys.modules["answer"] = module
    try:
        exec(code, module.__dict__)
    except BaseException as error:
        return {"failed": describe(error)}
    missing = [name for name in entry if not callable(getattr(module, name, None))]
    if missing:
        return {"missing": missing}
    rows, notes = [], {}
    handles = {}
    for number, (result, target, name, args) in enumerate(program["run"]):
        counter[:8] = struct.pack("<q", before + number)
        try:
            owner = module if target is None else handles[target]
            value = getattr(owner, name)
            if args is not None:
                value = value(*[unpack(arg, handles, tensor) for arg in args])
            if result is not None:
                handles[result], value = value, None
            row = ["ok", pack(value)]
        except BaseException as error:
            row = ["raised", builtin_kind(error)]
            notes[number] = describe(error)
        row.append(
            [look(handles[who], field) for who, fields in program["watch"] if who in handles for field in fields]
        )
        rows.append(row)
        if row[0] == "raised" and result is not None:
            break  # nothing to go on with
    return {"rows": rows, "notes": notes}


def builtin_kind(error):
    """Python's own class that an exception belongs to; a class of the same name that the answer defines is none."""
    for kind in type(error).__mro__:
        if vars(builtins).get(kind.__name__) is kind:
            return kind.__name__
    return "BaseException"


def look(owner, field):
    """A field after a call: `ref_cnt` is read, `num_free()` is called."""
    try:
        value = getattr(owner, field.removesuffix("()"))
        return pack(value() if field.endswith("()") else value)
    except BaseException as error:
        return {"o": f"reading it raised {type(error).__name__}"}


def tensor(dtype, shape, data):
    import torch

    kind = getattr(torch, dtype)
    if not data:
        return torch.empty(shape, dtype=kind)
    return torch.frombuffer(bytearray(data), dtype=kind).reshape(shape)


def describe(error):
    """What an exception says, and the learner's line it came from."""
    line = where = None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == "answer.py":
            line, where = step.tb_lineno, step.tb_frame.f_code.co_name
        step = step.tb_next
    try:
        said = str(error)[:300]
    except BaseException:
        said = ""
    leaves = not isinstance(error, Exception)
    return {"type": type(error).__name__, "said": said, "line": line, "where": where, "leaves": leaves}
