"""Is a kernel Triton, and nothing else? Triton's interpreter runs it as Python; the compiler would refuse much of it.

Learner's side. A branch that the compiler never sees could hand a cache to whoever waits outside. So before a launch
the source of its kernel, and of each kernel that it calls, is read as Triton's front end would read it, but in all
branches: statements that the compiler has a visitor for; names that are the kernel's own, Triton's, another kernel's or
a tl.constexpr; attributes that tensors, dtypes and constexprs have in Triton. What a launch is given must be values of
Triton, too: an object of another class could run Python inside. And what is run is the text that was read.

Checked for Triton 3.7.1.
"""

import ast
import builtins
import functools
import inspect
import linecache
import math
import re
import sys
import textwrap
import types

import torch
import triton
import triton.language as tl
from triton.compiler.code_generator import CodeGenerator
from triton.runtime.interpreter import InterpretedFunction, interpreter_semantic
from triton.tools.tensor_descriptor import TensorDescriptor

KNOWN_NODES = {name.removeprefix("visit_") for name in dir(CodeGenerator)} | {"Starred", "FormattedValue", "Raise"}
BUILTINS = {name: vars(builtins)[name] for name in CodeGenerator.builtin_namespace}
DTYPES = (tl.dtype, tl.pointer_type, tl.block_type)
PLAIN = (int, float, bool, str, type(None), torch.dtype, *DTYPES)
MODULES = {name: module for name, module in sys.modules.items() if name.split(".")[:2] == ["triton", "language"]}
DEF = re.compile(r"^def\s+\w+\s*\(", re.MULTILINE)  # where Triton's compiler begins to read
USUAL = {"fn", "rewriter", "kwargs", "pre_run_hooks", "arg_names"}  # what a kernel is made of


def is_of_triton(name, value):
    """Whether a module of the language offers this as a part of it."""
    home = str(getattr(value, "__module__", None) or getattr(type(value), "__module__", ""))
    ours = home.startswith(("triton.language", "triton._C")) or type(value) in (InterpretedFunction, *PLAIN)
    return not name.startswith("_") and (ours or value in MODULES.values())


OFFERS = {
    id(module): {name for name, value in vars(module).items() if is_of_triton(name, value)}
    for module in MODULES.values()
}
OFFERS[id(triton)] = {"language", "cdiv", "next_power_of_2"}
OFFERS[id(math)] = {name for name in vars(math) if not name.startswith("_")}
PARTS = {id(vars(module)[name]) for module in (triton, *MODULES.values()) for name in OFFERS[id(module)]}
MEMBERS = {name for kind in (tl.tensor, *DTYPES, tl.constexpr, tl.tensor_descriptor) for name in dir(kind)}
MEMBERS |= {name for value in (tl.int32, tl.float32, tl.pointer_type(tl.int8)) for name in vars(value)}
MEMBERS |= {name for name in vars(tl.block_type(tl.int8, [1]))} | {"shape", "type", "dtype", "numel", "value"}
MEMBERS |= {"strides", "block_shape"}
MEMBERS = {name for name in MEMBERS - {"handle"} if not name.startswith("_")}


class NotTriton(Exception):
    """A kernel holds what is no Triton, or a launch is given it; the text says which kernel, where and what."""


class Reader(ast.NodeVisitor):
    """Reads a kernel. names: its own; passing: those within a comprehension. uses: ([name of another, attributes …],
    node), to be looked up at each launch. found: (a node that is no Triton whatever names mean, why), or None."""

    def __init__(self, tree):
        self.names, self.passing, self.uses, self.found = set(), set(), [], None
        given = tree.args
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
        self.names |= {arg.arg for arg in every if arg}
        for node in tree.body:
            self.visit(node)
        for path, node in self.uses:
            if path[0] in self.names | self.passing:
                self.members(path[1:], node)
        self.uses = [(path, node) for path, node in self.uses if path[0] not in self.names]

    def refuse(self, node, why):
        self.found = self.found or (node, why)

    def generic_visit(self, node):
        if isinstance(node, ast.stmt | ast.expr) and type(node).__name__ not in KNOWN_NODES:
            return self.refuse(node, f"the compiler knows no {type(node).__name__}")
        if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) and not isinstance(node, ast.Name | ast.Tuple):
            return self.refuse(node, "only a name can be assigned to")
        return super().generic_visit(node)

    def visit_FunctionDef(self, node):
        self.refuse(node, "the compiler knows no function within a function")

    def visit_AnnAssign(self, node):
        for part in filter(None, (node.target, node.value)):
            self.visit(part)

    def visit_Name(self, node):
        if not isinstance(node.ctx, ast.Load):
            self.names.add(node.id)
        elif node.id == "getattr":
            self.refuse(node, "it can only be called")
        else:
            self.uses.append(([node.id], node))

    def visit_Attribute(self, node):
        attributes, root = [], node
        while isinstance(root, ast.Attribute):
            attributes.insert(0, root.attr)
            root = root.value
        if not isinstance(node.ctx, ast.Load):
            self.refuse(node, "only a name can be assigned to")
        elif isinstance(root, ast.Name):
            self.uses.append(([root.id, *attributes], node))
        else:
            self.members(attributes, node)
            self.visit(root)

    def members(self, attributes, node):
        for name in attributes:
            if name not in MEMBERS:
                self.refuse(node, f"no value of Triton has `{name}`")

    def visit_Call(self, node):
        if isinstance(node.func, ast.Name) and node.func.id == "getattr":
            name = node.args[1] if len(node.args) > 1 else None
            self.members([name.value if isinstance(name, ast.Constant) else "a name that is computed"], node)
            for part in (*node.args, *node.keywords):
                self.visit(part)
        else:
            self.generic_visit(node)

    def visit_ListComp(self, node):
        before = set(self.names)
        self.generic_visit(node)
        self.passing |= self.names - before  # outside of the comprehension, these are not the kernel's
        self.names = before

    def visit_Raise(self, node):
        """The compiler refuses it; here it ends the launch, and the call with it."""
        said = node.exc.args if isinstance(node.exc, ast.Call) else []
        what = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if node.cause or not isinstance(what, ast.Name) or not all(isinstance(part, ast.Constant) for part in said):
            self.refuse(node, "the compiler knows no Raise")


@functools.cache
def read(function):
    """The Reader of a function, with what it has read: `text`, from its `def` on, which begins at `line`; `whole`, with
    decorators. Whatever becomes of the function, this is what is run. Raises NotTriton."""
    try:
        code = function.__code__
        lines = inspect.getblock(linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :])
        whole = textwrap.dedent("".join(lines))
        text = whole[DEF.search(whole).start() :]
        [tree] = ast.parse(text).body
    except (TypeError, ValueError, SyntaxError, AttributeError, IndexError) as error:
        raise NotTriton(f"the source of a kernel, {function!r}, cannot be read: {error}") from None
    if not isinstance(tree, ast.FunctionDef) or tree.name != function.__name__:
        raise NotTriton(f"the source of {function!r} is that of another function")
    reader = Reader(tree)
    reader.whole, reader.text = "".join(lines), text
    reader.line = code.co_firstlineno + whole[: -len(text)].count("\n")
    return reader


def rewritten(rewriter):
    """A kernel for the interpreter: what was read, and nothing else. In place of FunctionRewriter.rewrite_ast."""
    reader = read(rewriter.fn)
    rewriter.filename, rewriter.def_file_lineno = rewriter.fn.__code__.co_filename, reader.line
    return rewriter._compile_and_exec(rewriter._transform_ast(reader.text))


def check(kernel, given=()):
    """That a kernel, and all that it calls, is Triton, and so are the values that it is `given`, by name. Raises
    NotTriton."""
    known, waiting = set(), [kernel]
    for name, value in given:
        if not is_value(value, waiting):
            raise NotTriton(
                f"{kernel.__name__} is given {name}, of type {type(value).__name__}, which is no value of Triton"
            )
    while waiting:
        kernel = waiting.pop()
        if id(kernel) not in known:
            known.add(id(kernel))
            check_one(kernel, waiting)


def check_one(kernel, waiting):
    """The same of a kernel alone; those that it calls are added to `waiting`."""
    function = kernel.fn
    if type(function) is not types.FunctionType or not set(vars(kernel)) <= USUAL:
        raise NotTriton(f"a kernel is made of {function!r} and {sorted(vars(kernel))}, not of a function alone")
    reader, scope = read(function), function.__globals__
    usual = scope.get("interpreter_semantic", interpreter_semantic) is interpreter_semantic  # named by what is run
    if type(scope) is not dict or not usual or scope.get("__builtins__", builtins) not in (builtins, vars(builtins)):
        raise NotTriton(f"{function.__name__} has names that are not those of a file")
    found = reader.found
    for path, node in reader.uses:
        found = found or stranger(path, node, reader, scope, waiting)
    if found:
        node, why = found
        text = ast.unparse(node).splitlines()[0][:100]
        raise NotTriton(f"{function.__name__}, line {reader.line + node.lineno - 1}: `{text}` is no Triton: {why}")
    for value in kernel.rewrite().__defaults__ or ():
        if not is_value(value, waiting):
            raise NotTriton(f"{function.__name__} has a default of {value!r}, which is no value of Triton")


def stranger(path, node, reader, scope, waiting):
    """(node, why) of a name that leads out of Triton; None of one that doesn't, or that nobody has defined."""
    first, *attributes = path
    if first not in scope:
        usual = first in reader.passing or BUILTINS.get(first, 0) is vars(builtins).get(first, 0)
        return None if usual else (node, f"the compiler does not know `{first}`")
    value = scope[first]
    while attributes and id(value) in OFFERS:
        if attributes[0] not in OFFERS[id(value)]:
            return node, f"Triton's language has no `{attributes[0]}` there"
        value = getattr(value, attributes.pop(0), None)
        if id(value) not in OFFERS:
            ours = all(name in MEMBERS or name.isupper() for name in attributes)
            return None if ours else (node, f"Triton's language has no `{attributes[-1]}` there")
    if id(value) in OFFERS or id(value) in PARTS or (is_global(value, waiting) and MEMBERS.issuperset(attributes)):
        return None
    kind = "a module" if isinstance(value, types.ModuleType) else f"of type {type(value).__name__}"
    return node, f"of the file, a kernel sees other kernels and tl.constexpr(…) only, and `{first}` is {kind}"


def is_global(value, waiting):
    return value is None or (type(value) in (tl.constexpr, InterpretedFunction, *DTYPES) and is_value(value, waiting))


def is_value(value, waiting):
    """Whether a kernel may be given this. Kernels among it are added to `waiting`."""
    if type(value) is InterpretedFunction:
        waiting += [] if id(value) in PARTS else [value]
        return True
    if type(value) is torch.Tensor:
        return not vars(value)
    if type(value) is TensorDescriptor:
        return all(is_value(part, waiting) for part in vars(value).values())
    if type(value) in (tuple, list, torch.Size):
        return all(is_value(part, waiting) for part in value)
    return type(value) in PLAIN or (type(value) is tl.constexpr and is_value(value.value, waiting))
