"""Plain values on the wire between the trusted judge and the learner's process.

The same file runs on both sides, so it uses the standard library alone. `pack` turns a value into something JSON can
carry; `unpack` turns it back. Types are taken by `type(x) is …`: an int subclass, or an object that claims to be equal
to everything, is not data and arrives as `Foreign`. Nothing is ever unpickled or evaluated.

    None, bool, str, int within 64 bits, list   as JSON has them
    tuple {"t": […]}   dict {"d": [[key, value], …]}   float {"f": "0.5"}   bytes {"b": base64}
    tensor {"T": [dtype, shape, base64 of its bytes]}, array of numpy {"N": […]}   handle of an object of the run
    {"h": name}
    what is expected may be any number {"between": [least, most]}   anything else {"o": what it is}
"""

import base64
import json
import marshal
import math
import struct
from dataclasses import dataclass

MAX_DEPTH = 12
MAX_DIMENSIONS = 16
MAX_ITEMS = 200_000
MAX_TEXT = 1_000_000
MAX_KEYS = 1_000  # of a dict: enough for any answer, too few to make hashing slow
INT64 = range(-(2**63), 2**63)
to_json = json.JSONEncoder(separators=(",", ":")).encode
SHORT_TENSOR = 24  # elements that are written out
FORMATS = {"float64": "d", "float32": "f", "float16": "e", "bfloat16": "H", "bool": "?", "uint8": "B"}
FORMATS |= {"int8": "b", "int16": "h", "int32": "i", "int64": "q"}


@dataclass(frozen=True)
class Foreign:
    """A value that may not cross, described in words: "a Box", "a list nested deeper than 12"."""

    what: str

    def __repr__(self) -> str:
        return f"<{self.what}>"


@dataclass(frozen=True)
class Handle:
    """The name of an object that lives in the learner's process."""

    name: str

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Between:
    """Stands where any number from `least` to `most` is right; a judge's expectation, and no answer."""

    least: float
    most: float

    def __repr__(self) -> str:
        return "anything" if self == ANYTHING else f"{self.least} … {self.most}"


ANYTHING = Between(-1e300, 1e300)  # looked at, but not judged


@dataclass(frozen=True)
class TensorData:
    """A tensor as plain data: dtype such as "float32", shape, and its elements in row-major bytes."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes
    library, said = "torch", ("float32", "int64", "bool")  # said: the dtypes that go without saying

    def numbers(self) -> tuple:
        """All elements in row-major order. Raises ValueError when the bytes are not those of dtype and shape."""
        code = FORMATS.get(self.dtype)
        if code is None or len(self.data) != math.prod(self.shape) * struct.calcsize(code):
            raise ValueError(f"{len(self.data)} bytes are no {self.dtype} tensor of shape {self.shape}")
        data = self.data
        if self.dtype == "bfloat16":  # the upper half of a float32
            code, data = "f", b"".join(b"\0\0" + data[n : n + 2] for n in range(0, len(data), 2))
        return struct.unpack(f"<{math.prod(self.shape)}{code}", data)

    def __repr__(self) -> str:
        """As one would write it for torch, when that is short."""
        try:
            numbers = self.numbers()
        except ValueError:
            numbers = ()
        made_by, maker = self.library, "tensor" if self.library == "torch" else "array"
        dtype = "" if self.dtype in self.said else f", dtype={made_by}.{self.dtype}"
        plain = self.dtype in FORMATS and len(numbers) > 1
        if plain and (len(set(numbers)) == 1 or all(number != number for number in numbers)):
            value = repr(numbers[0]) if math.isfinite(numbers[0]) else f'float("{numbers[0]}")'
            return f"{made_by}.full({self.shape}, {value}{dtype})"
        if plain and len(numbers) > 4 and numbers == tuple(numbers[0] + n for n in range(len(numbers))):
            words = f"{made_by}.arange({numbers[0]}, {numbers[0] + len(numbers)}{dtype})"
            return words if len(self.shape) == 1 else f"{words}.reshape{self.shape}"
        if 0 < len(numbers) <= SHORT_TENSOR:
            return f"{made_by}.{maker}({nested(numbers, self.shape)}{dtype})"
        return f"<{self.dtype} {maker} of shape {self.shape}>"


class ArrayData(TensorData):
    """The same for an array of numpy: not as good as a tensor, and no tensor is as good as an array."""

    library = "np"
    said = ("float64", "int64", "bool")


def nested(numbers, shape):
    """Numbers in row-major order as nested lists."""
    if not shape:
        return numbers[0]
    step = len(numbers) // shape[0] if shape[0] else 0
    return [nested(numbers[n * step : (n + 1) * step], shape[1:]) for n in range(shape[0])]


def pack(value):
    """JSON-ready form of `value`; whatever is not plain data, or too much of it, becomes {"o": …}."""
    return _pack(value, 0, [MAX_ITEMS])


def packed(value, known):
    """`pack(value)` as JSON. known: what was packed before, by the value's `marshal` form.

    Most of a run is telling what the objects look like after every call, and most of that is as it was a call ago.
    Like `pack`, marshal goes by exact types, at a tenth of the cost; but it takes an array for the bytes it holds, so
    only plain data is kept.
    """
    try:
        key = marshal.dumps(value)  # an object that occurs again is named, not written out
    except (ValueError, MemoryError):
        return to_json(pack(value))
    text = known.get(key)
    if text is None:
        text = to_json(pack(value))
        if not any(tag in text for tag in ('{"o"', '{"b"', '{"N"')):
            known[key] = text
    return text


def _pack(value, depth, left):
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is int:
        return value if value in INT64 else {"o": f"an int of {value.bit_length()} bits"}
    if kind is str:
        if len(value) > MAX_TEXT:
            return {"o": f"a str of {len(value)} characters"}
        return value.encode("utf-8", "backslashreplace").decode()
    if kind is float:
        return {"f": repr(value)}
    if kind is bytes:
        if len(value) > MAX_TEXT:
            return {"o": f"bytes of length {len(value)}"}
        return {"b": base64.b64encode(value).decode()}
    if kind is list or kind is tuple or kind is dict:
        return _pack_container(value, kind, depth, left)
    if kind is Handle:
        return {"h": value.name}
    if kind is Between:
        return {"between": [value.least, value.most]}
    if kind is TensorData or kind is ArrayData:
        tag = "T" if kind is TensorData else "N"
        return {tag: [value.dtype, list(value.shape), base64.b64encode(value.data).decode()]}
    if kind.__module__ == "torch" and kind.__name__ == "Tensor":
        return _pack_tensor(value)
    if kind.__module__ == "numpy" and kind.__name__ == "ndarray":
        return _pack_array(value)
    return {"o": an(str(kind.__name__)[:60])}


def _pack_container(value, kind, depth, left):
    left[0] -= len(value)
    if depth >= MAX_DEPTH:
        return {"o": f"a {kind.__name__} nested deeper than {MAX_DEPTH}"}
    if left[0] < 0:
        return {"o": f"a {kind.__name__} with more than {MAX_ITEMS} items in all"}
    if kind is dict and len(value) > MAX_KEYS:
        return {"o": f"a dict of {len(value)} items"}
    if kind is dict:
        return {"d": [[_pack(k, depth + 1, left), _pack(v, depth + 1, left)] for k, v in value.items()]}
    if set(map(type, value)) == {int} and min(value) in INT64 and max(value) in INT64:
        items = list(value)
    else:
        items = [_pack(item, depth + 1, left) for item in value]
    return items if kind is list else {"t": items}


def _pack_tensor(value):
    if value.dim() > MAX_DIMENSIONS:
        return {"o": f"a tensor of {value.dim()} dimensions"}
    flat = value.detach().cpu().contiguous()
    if flat.numel() * flat.element_size() > 1 << 26:
        return {"o": f"a tensor of {flat.numel()} elements"}
    data = bytes(flat.reshape(-1).view(__import__("torch").uint8).numpy()) if flat.numel() else b""
    return {"T": [str(flat.dtype).removeprefix("torch."), list(flat.shape), base64.b64encode(data).decode()]}


def _pack_array(value):
    if value.ndim > MAX_DIMENSIONS:
        return {"o": f"an array of {value.ndim} dimensions"}
    if value.nbytes > 1 << 26:
        return {"o": f"an array of {value.size} elements"}
    return {"N": [str(value.dtype), list(value.shape), base64.b64encode(value.tobytes()).decode()]}


def unpack(value, handles=None, tensor=TensorData, array=ArrayData):
    """The value that `pack` packed.

    The learner's side passes `handles`, the objects behind {"h": name}, and `tensor` and `array`, which build these
    from (dtype, shape, bytes). Raises ValueError for what `pack` does not produce: the other side may send what it
    likes.
    """
    try:
        return _unpack(value, handles, tensor, array)
    except (TypeError, RecursionError) as error:
        raise ValueError(f"not a packed value: {error}") from error


def _unpack(value, handles, *makers):
    kind = type(value)
    if value is None or kind in (bool, str) or (kind is int and value in INT64):
        return value
    if kind is list:
        if set(map(type, value)) == {int} and min(value) in INT64 and max(value) in INT64:
            return value.copy()  # who gets it may change it
        return [_unpack(item, handles, *makers) for item in value]
    if kind is not dict or len(value) != 1:
        raise ValueError(f"not a packed value: {kind.__name__}")
    [(tag, body)] = value.items()
    if tag == "t":
        return tuple(_unpack(item, handles, *makers) for item in _checked(body, list))
    if tag == "d" and len(body) > MAX_KEYS:
        raise ValueError(f"a dict of {len(body)} items")
    if tag == "d":
        return {_unpack(k, handles, *makers): _unpack(v, handles, *makers) for k, v in _checked(body, list)}
    if tag == "f":
        return float(_checked(body, str))
    if tag == "b":
        return base64.b64decode(_checked(body, str), validate=True)
    if tag == "o":
        return Foreign(
            "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in _checked(body, str)[:200])
        )
    if tag == "h":
        return Handle(_word(body)) if handles is None else handles[body]
    if tag == "between":
        return Between(*body)
    if tag in ("T", "N"):
        dtype, shape, data = body
        if len(_checked(shape, list)) > MAX_DIMENSIONS or any(_checked(size, int) not in INT64 for size in shape):
            raise ValueError(f"a tensor of {len(shape)} dimensions")
        make = makers[tag == "N"]
        return make(_word(dtype), tuple(shape), base64.b64decode(_checked(data, str), validate=True))
    raise ValueError(f"not a packed value: tag {tag!r:.20}")


def _checked(value, kind):
    if type(value) is not kind:
        raise TypeError(f"{type(value).__name__} where {kind.__name__} is due")
    return value


def _word(value):
    """A name, which will be shown: never a code that drives a terminal."""
    if not _checked(value, str).isidentifier() or len(value) > 60:
        raise ValueError(f"not a name: {value!r:.20}")
    return value


def an(name):
    return f"an {name}" if name[:1].lower() in tuple("aeiou") else f"a {name}"
