"""What counts as Triton in a kernel, as the interpreter's side of the judge reads it."""

import json
import os
import subprocess
import sys

import pytest

from practice.judging import sandbox

pytestmark = pytest.mark.needs("triton")

REFUSED = {
    # body of a kernel(x, n, M: tl.constexpr): what is said of it. In a branch that is never taken.
    "KEPT[0] = n": "`KEPT[0]` is no Triton: only a name can be assigned to",
    "x.kept = n": "`x.kept` is no Triton: only a name can be assigned to",
    "KEPT.it += n": "`KEPT.it` is no Triton: only a name can be assigned to",
    "for KEPT.it in range(3): pass": "`KEPT.it` is no Triton: only a name can be assigned to",
    "y = KEPT": "of the file, a kernel sees other kernels and tl.constexpr(…) only, and `KEPT` is of type dict",
    "y = SIZE": "and `SIZE` is of type int",
    "KEPT.update(n=n)": "and `KEPT` is of type dict",
    "python(n)": "and `python` is of type function",
    "M(python)": "and `python` is of type function",
    "at_compile_time(n)": "and `at_compile_time` is of type ConstexprFunction",
    "y = OF_PYTHON": "and `OF_PYTHON` is of type constexpr",
    "calls_python(n)": "calls_python, line 24: `python` is no Triton",
    "y = torch.float32": "and `torch` is a module",
    "min(n, 3)": "and `min` is of type function",
    "y = open(n)": "the compiler does not know `open`",
    "y = vars(x)": "the compiler does not know `vars`",
    "y = n.handle": "no value of Triton has `handle`",
    "y = (n + 1).handle.data": "no value of Triton has `handle`",
    "y = n.__class__": "no value of Triton has `__class__`",
    "y = tl.load.__globals__": "Triton's language has no `__globals__` there",
    "y = tl.core.builtins": "Triton's language has no `builtins` there",
    "y = tl.core.knobs": "Triton's language has no `knobs` there",
    "y = triton.runtime": "Triton's language has no `runtime` there",
    "y = 'a'.format(n)": "no value of Triton has `format`",
    "y = getattr(n, 'handle')": "no value of Triton has `handle`",
    "y = getattr(n, 'han' + 'dle')": "no value of Triton has `a name that is computed`",
    "look = getattr": "`getattr` is no Triton: it can only be called",
    "y = [python for python in (1, 2)]; python(n)": "and `python` is of type function",
    "y = f'{n.handle}'": "no value of Triton has `handle`",
    "global KEPT": "`global KEPT` is no Triton: the compiler knows no Global",
    "import math": "`import math` is no Triton: the compiler knows no Import",
    "from answer import KEPT": "the compiler knows no ImportFrom",
    "try:\n    n\nfinally:\n    n": "`try:` is no Triton: the compiler knows no Try",
    "with python(n): pass": "and `python` is of type function",
    "y = lambda: n": "the compiler knows no Lambda",
    "def inner(): pass": "the compiler knows no function within a function",
    "class Inner: pass": "the compiler knows no ClassDef",
    "del n": "the compiler knows no Delete",
    "yield n": "the compiler knows no Yield",
    "for i in range(3): break": "the compiler knows no Break",
    "y = {1: n}": "the compiler knows no Dict",
    "y = {z for z in (1, 2)}": "the compiler knows no SetComp",
    "(y := n)": "the compiler knows no NamedExpr",
    "raise ValueError(n)": "the compiler knows no Raise",
    "raise ValueError('no') from python(n)": "the compiler knows no Raise",
    "*y, z = n": "only a name can be assigned to",
}
FINE = [
    "return",
    "raise NotImplementedError('134: where does each token go?')",
    "y: tl.constexpr = 3",
    "y = tl.float32 if x.dtype.element_ty == tl.float16 else x.type.element_ty",
    "y = tl.arange(0, M)[:, None].to(tl.int64).T",
    "y, z = n + LOG, calls_triton(n)",
    "y = float('-inf') + math.pi * math.log2(M) + min(M, 3) + len([1, 2])",
    "for i in tl.static_range(0, triton.cdiv(M, 4), 2): pass",
    "for i in tl.range(0, n, num_stages=2):\n    n = n + tl.sum(tl.zeros([M], tl.float32), 0).to(tl.int32)",
    "while n > 3: n -= 1",
    "y = tl.max(n, 0, propagate_nan=tl.PropagateNan.ALL) + tl.math.exp2(n) + tl.extra.libdevice.exp(n)",
    "tl.static_assert(M > 1, f'{M}'); tl.device_print('n', n); print(n); assert n > 0, 'n'",
    "y = getattr(x, 'dtype') if hasattr(x, 'dtype') and isinstance(M, tl.constexpr) else M.value",
    "y = tl.full((M,), 0, tl.int1) | (n.numel > 3)",
    "y = (*(n, n), [1, 2][0], -n, not n)",
    "y = x.dtype.element_ty.primitive_bitwidth // 8 + tl.float16.itemsize",
    "y = KNOWN_BY_NOBODY",
]
GIVEN = {
    # a launch's argument M, and whether a kernel may be given it
    "3": True,
    "None": True,
    "'row'": True,
    "tl.float16": True,
    "torch.float16": True,
    "tl.constexpr(3)": True,
    "(1, torch.empty(2))": True,
    "torch.empty(2, 3).shape": True,
    "calls_triton": True,
    "tl.sum": True,
    "python": False,
    "KEPT": False,
    "(1, python)": False,
    "tl.constexpr(python)": False,
    "calls_python": False,
    "type('Int', (int,), {})(3)": False,
    "torch.empty(2).as_subclass(type('Lazy', (torch.Tensor,), {}))": False,
    "with_a_method()": False,
    "made_of_more()": False,
    "of_other_names('interpreter_semantic')": False,
    "of_other_names('__builtins__')": False,
}
FILE = """import math
import torch
import triton
import triton.language as tl
KEPT, SIZE, LOG, OF_PYTHON = {}, 3, tl.constexpr(1.4), tl.constexpr(print)
def python(*args): KEPT[0] = args
def min(*args): return 3
def with_a_method():
    one = torch.empty(2)
    one.data_ptr = python
    return one
def made_of_more():
    calls_triton.rewrite = python
    return calls_triton
def of_other_names(name):
    names = {**globals(), name: {"min": python}}
    return triton.jit(type(python)(calls_triton.fn.__code__, names, "calls_triton"))
@triton.constexpr_function
def at_compile_time(x): return x
@triton.jit
def calls_triton(x): return x + LOG
@triton.jit
def calls_python(x):
    python(x)
"""
KERNEL = """
@triton.jit
def kernel(x, n, M: tl.constexpr):
    if M is None:
        n = 3
{body}
"""
SCRIPT = """
import json, os, sys
os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, sys.argv[1])
import linecache
import kernel_language as language
file, bodies, given = json.load(sys.stdin)
def said(source, argument="3"):
    linecache.cache["answer.py"] = (len(source), None, source.splitlines(keepends=True), "answer.py")
    names = {}
    exec(compile(source, "answer.py", "exec"), names)
    try:
        language.check(names["kernel"], [("M", eval(argument, names))])
    except language.NotTriton as error:
        return str(error)
print(json.dumps([[said(source) for source in bodies], [said(bodies[0], one) for one in given]]))
"""


def kernel(body: str) -> str:
    """A file with a kernel that has `body` in a branch; without `min` where it is not asked for."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    own = FILE if body == "min(n, 3)" else FILE.replace("def min(", "def least(")
    return own + KERNEL.replace("{body}", lines)


@pytest.fixture(scope="module")
def read():
    """(what is said of each body, what of each argument): Triton can be imported as an interpreter only once."""
    sources = [kernel(body) for body in [*FINE, *REFUSED]]
    asked = json.dumps([FILE, sources, list(GIVEN)])
    command = [sys.executable, "-c", SCRIPT, str(sandbox.HERE)]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert not done.returncode, done.stderr
    of_bodies, of_arguments = json.loads(done.stdout)
    return dict(zip([*FINE, *REFUSED], of_bodies, strict=True)), dict(zip(GIVEN, of_arguments, strict=True))


@pytest.mark.parametrize("body", FINE)
def test_what_the_compiler_knows_is_fine(read, body):
    assert read[0][body] is None


@pytest.mark.parametrize("body", REFUSED)
def test_what_the_compiler_would_refuse_is_refused_with_its_words_and_line(read, body):
    said = read[0][body]
    assert said and REFUSED[body] in said
    first = kernel(body).splitlines().index("        n = 3") + 2
    assert "calls_python" in body or f"kernel, line {first}" in said or f"kernel, line {first + 1}" in said


@pytest.mark.parametrize("argument", GIVEN)
def test_a_launch_is_given_values_of_triton_only(read, argument):
    assert (read[1][argument] is None) == GIVEN[argument]
