"""Tensors in a transcript: `torch.arange(6.0).reshape(2, 3)` and its like, read without torch; with `np.`, arrays."""

import ast
import math
import struct

from practice.judging.wire import FORMATS, ArrayData, TensorData

MAKERS = {"torch": ("tensor", "zeros", "full", "arange"), "np": ("array", "zeros", "full", "arange")}


def is_tensor(node: ast.expr) -> bool:
    """Whether an expression makes a tensor."""
    return _maker(node) is not None


def tensor(node: ast.expr) -> TensorData:
    """The tensor that the expression makes. Raises ValueError for what is not understood."""
    if node.func.attr in ("reshape", "view"):
        inner = tensor(node.func.value)
        shape = _shape(node.args)
        if math.prod(shape) != math.prod(inner.shape):
            raise ValueError(f"{math.prod(inner.shape)} elements do not fill the shape {shape}")
        return type(inner)(inner.dtype, shape, inner.data)
    if node.func.value.id == "np":
        return array_of(_made(node, floats="float64"))
    return _made(node, floats="float32")


def _made(node: ast.Call, floats: str) -> TensorData:
    """What `zeros`, `full`, `arange`, `tensor` or `array` makes; floats: the dtype of numbers with a point."""
    maker, literal = node.func.attr, [ast.literal_eval(arg) for arg in node.args]
    dtype = next((word.value.attr for word in node.keywords if word.arg == "dtype"), None)
    if maker == "zeros":
        shape = _shape(node.args)
        return _packed([0.0] * math.prod(shape), shape, dtype or floats)
    if maker == "full":
        shape, value = literal
        return _packed([value] * math.prod(shape), tuple(shape), dtype, floats)
    if maker == "arange":
        bounds = slice(*literal)
        start, step = bounds.start or 0, bounds.step or 1
        if any(type(number) is float for number in literal):
            start = float(start)
        numbers = [start + n * step for n in range(max(0, math.ceil((bounds.stop - start) / step)))]
        return _packed(numbers, (len(numbers),), dtype, floats)
    return tensor_of(literal[0], dtype, floats)


def array_of(made: TensorData) -> ArrayData:
    """The same as an array of numpy."""
    return ArrayData(made.dtype, made.shape, made.data)


def tensor_of(value: object, dtype: str | None = None, floats: str = "float32") -> TensorData:
    """Nested lists of numbers as a tensor. Raises ValueError when they are ragged."""
    shape, level = [], [value]
    while level and all(isinstance(part, list) for part in level):
        if len(set(map(len, level))) != 1:
            raise ValueError("lists of different lengths are no tensor")
        shape.append(len(level[0]))
        level = [item for part in level for item in part]
    if not all(isinstance(number, int | float) for number in level):
        raise ValueError("a tensor holds numbers, and all its lists are nested alike")
    return _packed(level, tuple(shape), dtype, floats)


def _packed(numbers: list, shape: tuple[int, ...], dtype: str | None, floats: str = "float32") -> TensorData:
    dtype = dtype or (floats if any(type(n) is float for n in numbers) or not numbers else "int64")
    if dtype not in FORMATS or dtype == "bfloat16":
        raise ValueError(f"no tensors of dtype {dtype} in a transcript")
    kind = float if dtype.startswith("float") else int
    return TensorData(dtype, shape, struct.pack(f"<{len(numbers)}{FORMATS[dtype]}", *map(kind, numbers)))


def _shape(args: list[ast.expr]) -> tuple[int, ...]:
    sizes = [ast.literal_eval(arg) for arg in args]
    return tuple(sizes[0]) if len(sizes) == 1 and isinstance(sizes[0], tuple | list) else tuple(sizes)


def _maker(node: ast.expr) -> str | None:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr in ("reshape", "view"):
        return _maker(node.func.value)
    owner = node.func.value
    return node.func.attr if isinstance(owner, ast.Name) and node.func.attr in MAKERS.get(owner.id, ()) else None
