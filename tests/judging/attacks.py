"""Hostile submissions to problem 127: none implements what is asked, all try to be accepted or to do harm.

ATTACKS: name → (source, verdicts it may get). The same verdicts hold in the sandbox and without it, except for
NEEDS_A_SANDBOX, which a plain subprocess can't be trusted to stop and is never run there: it takes the machine down.
See README, "What the sandbox does and doesn't".
"""

STUB = """
class BlockPool:
    def __init__(self, num_blocks):
        self.ref_cnt = [0] * num_blocks
        self.copies = []
    def num_free(self): return 0
    def allocate(self, n): return []
    def free(self, blocks): pass
    def share(self, blocks): pass

class Sequence:
    def __init__(self, pool, block_size):
        self.pool, self.block_size, self.num_tokens, self.block_table = pool, block_size, 0, []
    def append(self, n): pass
    def fork(self): return Sequence(self.pool, self.block_size)
    def slot_mapping(self, positions): return []
    def free(self): pass
"""

WRONG = {"WA", "RE"}


def in_method(body: str) -> str:
    """The stub, with `body` (one line) as the first thing that allocate does."""
    return STUB.replace(
        "def allocate(self, n): return []", f"def allocate(self, n):\n        {body}\n        return []"
    )


def at_import(body: str) -> str:
    return f"{body}\n{STUB}"


ALWAYS_EQUAL = """
class Equal:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __len__(self): return 8
    def __iter__(self): return iter([])
"""

INT_SUBCLASS = """
class Int(int):
    def __eq__(self, other): return True
    def __hash__(self): return 0
"""

NEEDS_A_SANDBOX = {"fork bomb"}

ATTACKS = {
    # leaving early
    "sys.exit at import": (at_import("import sys; sys.exit(0)"), {"RE"}),
    "os._exit at import": (at_import("import os; os._exit(0)"), {"RE"}),
    "raise SystemExit at import": (at_import("raise SystemExit(0)"), {"RE"}),
    "KeyboardInterrupt at import": (at_import("raise KeyboardInterrupt"), {"RE"}),
    "quit": (at_import("quit()"), {"RE"}),
    "sys.exit in a method": (in_method("import sys; sys.exit(0)"), {"RE"}),
    "os._exit in a method": (in_method("import os; os._exit(0)"), {"RE"}),
    "os.abort": (in_method("import os; os.abort()"), {"RE"}),
    "segmentation fault": (in_method("import ctypes; ctypes.string_at(0)"), {"RE"}),
    "kills itself": (in_method("import os; os.kill(os.getpid(), 9)"), {"RE"}),
    "exec of another program": (in_method("import os; os.execv('/bin/true', ['true'])"), {"RE"}),
    "exits while fields are read": (
        STUB.replace("def num_free(self): return 0", "def num_free(self):\n        import os; os._exit(0)"),
        {"RE"},
    ),
    # pretending
    "prints Accepted": (at_import("print('Accepted AC 100/100')"), WRONG),
    "prints JSON": (at_import('print(\'{"verdict": "AC", "score": 100, "rows": []}\')'), WRONG),
    "prints a pytest summary": (at_import("print('===== 181 passed in 0.1s =====')"), WRONG),
    "objects that equal everything": (
        ALWAYS_EQUAL
        + STUB.replace("return []", "return Equal()")
        .replace("return 0", "return Equal()")
        .replace("self.ref_cnt = [0] * num_blocks", "self.ref_cnt = Equal()"),
        WRONG,
    ),
    "int subclass that equals everything": (INT_SUBCLASS + STUB.replace("return 0", "return Int(0)"), WRONG),
    "list subclass": (
        "class List(list):\n    def __eq__(self, other): return True\n    __hash__ = None\n"
        + STUB.replace("return []", "return List()"),
        WRONG,
    ),
    "str subclass as exception name": (
        in_method("raise type('MemoryError', (Exception,), {})()"),
        WRONG,
    ),
    "bool for int": (STUB.replace("return 0", "return False"), WRONG),
    "NaN everywhere": (STUB.replace("return 0", "return float('nan')"), WRONG),
    "returns a generator": (STUB.replace("return []", "return (x for x in [])"), WRONG),
    "lying __class__": (
        "class Liar:\n    @property\n    def __class__(self): return list\n"
        + STUB.replace("return []", "return Liar()"),
        WRONG,
    ),
    # time
    "endless loop at import": (at_import("while True: pass"), {"TLE"}),
    "sleep at import": (at_import("import time; time.sleep(60)"), {"TLE"}),
    "endless loop in a method": (in_method("while True: pass"), {"TLE"}),
    "sleep in a method": (in_method("import time; time.sleep(60)"), {"TLE"}),
    "endless loop that ignores signals": (
        in_method("import signal; [signal.signal(s, signal.SIG_IGN) for s in (2, 15)]; exec('while True: pass')"),
        {"TLE"},
    ),
    "catches everything for ever": (
        in_method("exec('while True:\\n try:\\n  while True: pass\\n except BaseException: pass')"),
        {"TLE"},
    ),
    "stops the first process": (in_method("import os, time; os.kill(os.getppid(), 19); time.sleep(30)"), {"TLE"}),
    "regular expression that never ends": (
        in_method("import re; re.match(r'(a+)+$', 'a' * 40 + 'b')"),
        {"TLE"},
    ),
    "compiles for ever": ("x = 1\n" + "\n".join("(" * 90 + "1" + ")" * 90 for _ in range(10)) + STUB, WRONG | {"CE"}),
    # memory
    "one huge list": (in_method("self.bomb = [0] * 10**10"), {"MLE", "WA"}),
    "grows for ever": (in_method("exec('x = []\\nwhile True: x.append(bytearray(1 << 20))')"), {"MLE"}),
    "memory bomb at import": (at_import("x = []\nwhile True: x.append(bytearray(1 << 20))"), {"MLE"}),
    "huge number": (in_method("return 1 << (1 << 33)"), {"MLE", "WA", "RE"}),
    # output
    "floods stdout": (in_method("exec('while True: print(\"x\" * 10000)')"), {"OLE"}),
    "floods stderr": (in_method("import sys; exec('while True: sys.stderr.write(\"x\" * 10000)')"), {"OLE"}),
    "floods the descriptors": (
        in_method(
            'import os; exec(\'while True:\\n for fd in range(1, 40):\\n  try: os.write(fd, b"x" * 9000)\\n'
            "  except OSError: pass')"
        ),
        {"OLE", "RE", "TLE"},
    ),
    "huge return value": (in_method("return list(range(10**6))"), WRONG),
    "huge string": (in_method("return 'x' * (1 << 26)"), WRONG | {"MLE"}),
    "deep nesting": (in_method("exec('x = []\\nfor _ in range(10**5): x = [x]', globals()); return x"), WRONG),
    "nested references": (
        in_method("exec('x = [0] * 1000\\nfor _ in range(9): x = [x] * 1000', globals()); return x"),
        WRONG,
    ),
    "a list that holds itself": (in_method("x = []; x.append(x); return x"), WRONG),
    "runaway recursion": (in_method("return self.allocate(n)"), WRONG),
    "recursion without a limit": (
        in_method("import sys; sys.setrecursionlimit(10**9); return self.allocate(n)"),
        WRONG | {"MLE", "TLE"},
    ),
    # the wire
    "writes to all descriptors": (
        at_import(
            "import os\nfor fd in range(3, 64):\n    try: os.write(fd, b'{\"rows\": []}')\n    except OSError: pass"
        ),
        {"RE"},
    ),
    "closes all descriptors": (at_import("import os; os.closerange(3, 64)"), {"RE"}),
    "sends a forged frame and leaves": (
        at_import(
            'import os, struct\nhead, body = b\'{"ended": "well", "call": 0}\', b\'{"rows": []}\'\n'
            "frame = struct.pack('<II', len(head), len(body)) + head + body\n"
            "for fd in range(3, 64):\n    try: os.write(fd, frame * 300)\n    except OSError: pass\nos._exit(0)"
        ),
        {"RE"},
    ),
    "forges frames through /proc": (
        at_import(
            'import os, struct\nhead, body = b\'{"ended": "well", "call": 0}\', b\'{"rows": []}\'\n'
            "frame = struct.pack('<II', len(head), len(body)) + head + body\n"
            "for fd in range(0, 64):\n"
            "    try: os.write(os.open(f'/proc/{os.getppid()}/fd/{fd}', os.O_WRONLY | os.O_NONBLOCK), frame * 300)\n"
            "    except OSError: pass"
        ),
        {"RE", "WA"},
    ),
    # processes
    "kills its parent": (in_method("import os; os.kill(os.getppid(), 9)"), {"RE"}),
    "kills everything it can": (
        in_method("import os; os.kill(-1, 9) if os.path.exists('/judge/child.py') else os.abort()"),
        {"RE"},
    ),
    "200 forks": (
        in_method("import os, time; [os.fork() or (time.sleep(30), os._exit(0)) for _ in range(200)]"),
        WRONG | {"TLE", "MLE"},
    ),
    "fork bomb": (in_method("import os; exec('for _ in range(12): os.fork()')"), WRONG | {"TLE", "MLE", "OLE"}),
    "a thread that goes on": (
        in_method("import threading, time; threading.Thread(target=time.sleep, args=(30,)).start()"),
        WRONG,
    ),
    "a child in a session of its own": (
        in_method("import os, time; os.fork() or (os.setsid(), time.sleep(30), os._exit(0))"),
        WRONG | {"TLE"},
    ),
    # reading what it should not
    "imports the answer": (
        "from paged.pool import BlockPool\nfrom paged.sequence import Sequence\n",
        {"RE"},
    ),
    "finds the answer on the path": (
        "import sys, os\nsys.path += [os.getcwd(), '/', os.environ.get('PWD', '/'), os.path.expanduser('~')]\n"
        "from paged.sequence import Sequence, BlockPool\n",
        {"RE"},
    ),
    "walks frames for expected values": (
        at_import(
            "import sys\nframe, seen = sys._getframe(), []\nwhile frame:\n"
            "    seen.append(str(frame.f_locals)); frame = frame.f_back\n"
            "assert not any('expected' in text for text in seen)"
        ),
        WRONG,
    ),
    "looks through gc for expected values": (
        at_import("import gc\nrows = [o for o in gc.get_objects() if isinstance(o, dict) and 'expected' in o]\n")
        + "\nassert not rows\n",
        WRONG,
    ),
    # tampering
    "atexit": (at_import("import atexit, os; atexit.register(lambda: os._exit(0))"), WRONG),
    "settrace": (at_import("import sys; sys.settrace(lambda *a: None); sys.setprofile(lambda *a: None)"), WRONG),
    "patches json": (at_import("import json; json.dumps = lambda *a, **k: '{\"rows\": []}'"), WRONG),
    "patches the child": (
        at_import("import sys; m = sys.modules['__main__']; m.execute = lambda *a: {'rows': []}\n")
        + "\nsys.modules['fork'].pack = lambda value: None\n",
        WRONG,
    ),
    "patches builtins": (
        at_import("import builtins; builtins.type = lambda *a: list; builtins.isinstance = lambda *a: True"),
        WRONG,
    ),
    "names that are not the learner's": ("BlockPool = Sequence = print\n", WRONG),
}

FILES = {
    "empty": (b"", {"CE"}),
    "only a comment": (b"# nothing here\n", {"CE"}),
    "binary": (bytes(range(256)) * 8, {"CE"}),
    "not UTF-8": ("# Größe\n".encode("latin-1"), {"CE"}),
    "UTF-16": ("class BlockPool: pass".encode("utf-16"), {"CE"}),
    "null bytes": (b"class BlockPool:\0 pass\n", {"CE"}),
    "syntax error": (b"def BlockPool(:\n", {"CE"}),
    "lacks Sequence": (b"class BlockPool: pass\n", {"CE"}),
    "deep expression": (b"x = " + b"(" * 5000 + b"1" + b")" * 5000, {"CE", "RE"}),
    "exponential finally": (
        "".join("  " * i + "try:\n" + "  " * (i + 1) + "pass\n" for i in range(20)).encode()
        + "".join("  " * i + "finally:\n" + "  " * (i + 1) + "pass\n" for i in reversed(range(20))).encode(),
        {"CE", "RE", "TLE", "MLE"},
    ),
}
