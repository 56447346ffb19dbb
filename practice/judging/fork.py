"""In the fork: the learner's code runs here, and nowhere else.

`execute` runs the source, makes the calls of a program and notes what each gave; every program of a job gets a module
of its own. Standard library only, like child.py.
"""

import builtins
import json
import struct
import sys
import types

from wire import Handle, pack, packed, to_json, unpack

GIVEN = "="  # as a target: the call gives a value that stays here, such as a tensor to write into


def execute(codes, job, counter, guard=None):
    """JSON: an answer per code and program. counter: shared memory that tells whoever watches which call of the job is
    running. guard: a module that makes the calls in fork's place, and watches them."""
    answers, before = [], 0
    for code in codes:
        for program in job["programs"]:
            answers.append(play(*code, program, job["entry"], counter, before, guard))
            before += len(program["run"])
    return f'{{"answers":[{",".join(answers)}]}}'


def play(source, code, program, entry, counter, before, guard):
    """JSON: what loading the source raised, or the names it lacks, or one row per call."""
    module = types.ModuleType("answer")
    sys.modules["answer"] = module
    if before:
        counter[:8] = struct.pack("<q", before)
    if guard:
        guard.begin(source)
    try:
        exec(code, module.__dict__)
    except BaseException as error:
        return json.dumps({"failed": describe(error)})
    missing = [name for name in entry if not callable(getattr(module, name, None))]
    if missing:
        return json.dumps({"missing": missing})
    rows, notes = [], {}
    handles, seen, gone, known = {}, [], set(), {}
    for number, (result, target, name, args, forgets) in enumerate(program["run"]):
        counter[:8] = struct.pack("<q", before + number)
        made, given = {}, []
        try:
            given = [unpack(arg, handles, tensor, array) for arg in args or []]
            if target == GIVEN:
                value = guard.given(result, *given) if guard else given[0]
            else:
                value = named(module, name) if target is None else field_of(handles[target], name)
                if args is not None:
                    value = guard.call(value, given) if guard else value(*given)
                elif guard:
                    value = guard.seen(value)
            made = objects(result, value)
            if made:
                handles |= made
                value = None
            if made or forgets:
                gone |= set(forgets)
                seen = [
                    (handles[who], field.removesuffix("()"), field.endswith("()"))
                    for who, fields in program["watch"]
                    if who in handles and who not in gone
                    for field in fields
                ]
            lacks = result is not None and not made and value is None  # None alone would mean that all was made
            row = f'["ok",{to_json({"o": "None"}) if lacks else packed(value, known)}'
        except BaseException as error:
            row = f'["raised","{builtin_kind(error)}"'
            notes[number] = describe(error)
        row += f",[{','.join([look(*field, known) for field in seen])}]"
        others = changed(args, given, handles) if target != GIVEN else []
        rows.append(f"{row},{to_json(others)}]" if others else f"{row}]")
        if result is not None and not made:
            break  # nothing to go on with
    kernels = guard.launched() if guard else []
    return f'{{"rows":[{",".join(rows)}],"notes":{json.dumps(notes)},"kernels":{json.dumps(kernels)}}}'


def named(module, name):
    """What the answer calls by this name, or else what it was provided with."""
    provided = sys.modules.get("paged")
    return getattr(module, name) if hasattr(module, name) or not provided else getattr(provided, name)


def field_of(owner, name):
    return getattr(owner, name) if name else owner


def objects(result, value):
    """name -> object, for the names that a call gives to what it makes; {} where it did not make so many."""
    if result is None:
        return {}
    if type(result) is not list:
        return {result: value}
    fits = type(value) in (list, tuple) and len(value) == len(result)
    return dict(zip(result, value, strict=True)) if fits else {}


def changed(args, given, handles):
    """[[number, what it is now]] of the arguments that are not what they were; objects of the run go by their names,
    and one that is an argument itself is none of these."""
    found = []
    for number, (arg, value) in enumerate(zip(args or [], given, strict=False)):
        if type(arg) not in (list, dict) or (type(arg) is dict and "h" in arg) or pack(value) == arg:
            continue
        names = {id(handles[name]): name for name in [*handles, *mentioned(arg)]}
        now = pack(by_name(value, names))
        if now != arg:
            found.append([number, now])
    return found


def mentioned(arg):
    """The names of objects in a packed list or tuple."""
    if type(arg) is dict:
        [(tag, body)] = arg.items()
        return [body] if tag == "h" else mentioned(body) if tag == "t" else []
    return [name for item in arg for name in mentioned(item)] if type(arg) is list else []


def by_name(value, names):
    """A list or tuple with the names of objects in their places."""
    if type(value) in (list, tuple):
        return type(value)(by_name(item, names) for item in value)
    return Handle(names[id(value)]) if id(value) in names else value


def builtin_kind(error):
    """Python's own class that an exception belongs to; a class of the same name that the answer defines is none."""
    for kind in type(error).__mro__:
        if vars(builtins).get(kind.__name__) is kind:
            return kind.__name__
    return "BaseException"


def look(owner, name, called, known):
    """A field after a call, as JSON: `ref_cnt` is read, `num_free()` is called."""
    try:
        value = field_of(owner, name)
        return packed(value() if called else value, known)
    except BaseException as error:
        return to_json({"o": f"reading it raised {type(error).__name__}"})


def tensor(dtype, shape, data):
    import torch

    kind = getattr(torch, dtype)
    if not data:
        return torch.empty(shape, dtype=kind)
    return torch.frombuffer(bytearray(data), dtype=kind).reshape(shape)


def array(dtype, shape, data):
    import numpy

    return numpy.frombuffer(bytearray(data), dtype=dtype).reshape(shape)


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
