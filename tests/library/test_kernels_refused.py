"""A backend that cannot work says what to do, and the package stays cheap until one is chosen."""

import subprocess
import sys
from contextlib import suppress

import pytest

with suppress(ModuleNotFoundError):  # the mark below takes this file out where torch is missing
    import torch

    from paged.attention import BACKENDS, attention_over
    from paged.kernels import BackendUnavailable, native

pytestmark = pytest.mark.needs("torch")


def refused(message, backend, q=None, k=None, v=None):
    k = torch.zeros(4, 4, 2, 8) if k is None else k
    v = torch.zeros(k.shape, dtype=k.dtype) if v is None else v
    q = torch.zeros(1, 4, k.shape[3], dtype=k.dtype) if q is None else q
    with pytest.raises(BackendUnavailable, match=message):
        attention_over(q, k, v, [[0]], [3], [0, 1], 1.0, backend=backend)


def in_a_fresh_process(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_backends_have_names_and_are_loaded_when_chosen():
    assert list(BACKENDS) == ["reference", "batched", "native", "triton"]
    code = """
import sys, torch
from paged.attention import attention_over
loaded = lambda: sorted(m for m in sys.modules if m.startswith("paged.kernels") or m in ("triton", "platformdirs"))
before, cache = loaded(), torch.zeros(1, 1, 1, 1)
attention_over(torch.zeros(1, 1, 1), cache, cache, [[0]], [1], [0, 1], 1.0, backend="batched")
print(before, loaded())
"""
    assert in_a_fresh_process(code) == "['paged.kernels'] ['paged.kernels', 'paged.kernels.batched']"


def test_what_does_not_add_up_is_refused_before_a_backend_is_looked_at():
    cache = torch.zeros(1, 4, 2, 8)
    for backend in BACKENDS:
        with pytest.raises(ValueError, match="5 tokens need 2 blocks, the block table has 1"):
            attention_over(torch.zeros(1, 4, 8), cache, cache, [[0]], [5], [0, 1], 1.0, backend=backend)


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ((4, 4, 8), r"got \[4, 4, 8\]"),
        ((4, 0, 2, 8), r"none of the last three 0, got \[4, 0, 2, 8\]"),
        ((4, 4, 0, 8), r"got \[4, 4, 0, 8\]"),
        ((4, 4, 2, 0), r"got \[4, 4, 2, 0\]"),
    ],
)
def test_a_cache_of_another_shape_is_refused_before_a_backend_is_looked_at(shape, said):
    for backend in BACKENDS:
        with pytest.raises(ValueError, match=said):
            attention_over(
                torch.zeros(1, 4, 8), torch.zeros(shape), torch.zeros(shape), [[0]], [3], [0, 1], 1.0, backend=backend
            )


@pytest.mark.parametrize("name", ["q", "K", "V"])
def test_what_is_no_tensor_is_refused(name):
    given = {"q": torch.zeros(1, 4, 8), "K": torch.zeros(4, 4, 2, 8), "V": torch.zeros(4, 4, 2, 8)}
    for backend in BACKENDS:
        with pytest.raises(TypeError, match=f"{name} must be a tensor, got NoneType"):
            attention_over(*(given | {name: None}).values(), [[0]], [3], [0, 1], 1.0, backend=backend)


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        (0, r"must be integers \[B, W\], got torch.int64 \[\]"),
        ([0], r"must be integers \[B, W\], got torch.int64 \[1\]"),
        ([[[0]]], r"must be integers \[B, W\], got torch.int64 \[1, 1, 1\]"),
        ([[0.0]], r"must be integers \[B, W\], got torch.float32 \[1, 1\]"),
        ([[True]], r"must be integers \[B, W\], got torch.bool \[1, 1\]"),
    ],
)
def test_tables_of_another_shape_or_kind_are_refused(tables, said):
    q, cache = torch.zeros(1, 4, 8), torch.zeros(4, 4, 2, 8)
    for backend in BACKENDS:
        with pytest.raises(ValueError, match=said):
            attention_over(q, cache, cache, torch.tensor(tables), [3], [0, 1], 1.0, backend=backend)


def test_a_context_beyond_all_numbers_is_refused():
    q, cache = torch.zeros(1, 4, 8), torch.zeros(4, 4, 2, 8)
    for backend in BACKENDS:
        for tables in ([[0]], torch.tensor([[0]]), torch.tensor([[0]], dtype=torch.int16)):
            with pytest.raises(ValueError, match="9223372036854775808 tokens need 2305843009213693952 blocks"):
                attention_over(q, cache, cache, tables, [2**63], [0, 1], 1.0, backend=backend)


@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "int8", "bool", "complex64"])
@pytest.mark.parametrize("which", ["q", "k", "v"])
def test_other_dtypes_are_refused_before_a_backend_is_looked_at(which, dtype):
    given = {"q": torch.zeros(1, 4, 8), "k": torch.zeros(4, 4, 2, 8), "v": torch.zeros(4, 4, 2, 8)}
    given[which] = given[which].to(getattr(torch, dtype))
    for backend in BACKENDS:
        with pytest.raises(ValueError, match=f"q, K and V must be of torch.float16, .*, got .*torch.{dtype}"):
            attention_over(*given.values(), [[0]], [3], [0, 1], 1.0, backend=backend)


@pytest.mark.parametrize("shape", [None, (), (1,)], ids=["number", "0-d", "1-d"])
@pytest.mark.parametrize(
    "backend", ["reference", "batched", pytest.param("native", marks=pytest.mark.needs("compiler"))]
)
def test_a_scale_may_be_a_tensor_of_one_number(backend, shape):
    scale = 0.5 if shape is None else torch.full(shape, 0.5)
    q, cache = torch.ones(1, 4, 8), torch.arange(4 * 4 * 2 * 8.0).view(4, 4, 2, 8)
    expected = attention_over(q, cache, cache, [[1]], [3], [0, 1], 0.5)
    assert torch.allclose(attention_over(q, cache, cache, [[1]], [3], [0, 1], scale, backend=backend), expected)


def test_a_scale_that_is_text_is_refused():
    q, cache = torch.zeros(1, 4, 8), torch.zeros(4, 4, 2, 8)
    for backend in BACKENDS:
        for scale in ("0.25", b"0.25", bytearray(b"0.25")):
            with pytest.raises(TypeError, match=r"scale must be a number, got .*'0\.25'"):
                attention_over(q, cache, cache, [[1]], [3], [0, 1], scale, backend=backend)


def test_tensors_on_different_devices_are_refused_before_a_backend_is_looked_at():
    cache, nowhere = torch.zeros(1, 4, 2, 8), torch.zeros(1, 4, 2, 8, device="meta")
    q, q_nowhere = torch.zeros(1, 4, 8), torch.zeros(1, 4, 8, device="meta")
    places = {
        (q_nowhere, cache, cache): "q is on meta, K on cpu, V on cpu: move them to one",
        (q, nowhere, cache): "q is on cpu, K on meta, V on cpu",
        (q, cache, nowhere): "q is on cpu, K on cpu, V on meta",
    }
    for backend in BACKENDS:
        for (queries, k, v), message in places.items():
            with pytest.raises(ValueError, match=message):
                attention_over(queries, k, v, [[0]], [3], [0, 1], 1.0, backend=backend)


def test_tensors_that_hold_nothing_are_refused_before_a_backend_is_looked_at():
    q, cache = torch.zeros(1, 4, 8, device="meta"), torch.zeros(4, 4, 2, 8, device="meta")
    for backend in BACKENDS:
        with pytest.raises(ValueError, match="are on the device 'meta', where tensors hold nothing"):
            attention_over(q, cache, cache, [[0]], [3], [0, 1], 1.0, backend=backend)


def test_native_names_what_it_cannot_take():
    refused("takes head dims up to 256, got 264: use 'batched'", "native", k=torch.zeros(2, 4, 1, 264))
    refused(
        r"knows float32, bfloat16, float16; q is torch\.float64: use 'batched'",
        "native",
        k=torch.zeros(2, 4, 1, 8).double(),
    )
    refused(
        r"needs one dtype for K and V, got torch\.float32, torch\.float16", "native", v=torch.zeros(4, 4, 2, 8).half()
    )
    apart = torch.zeros(4, 4, 8, 2).transpose(2, 3)
    refused("the 8 elements of a head side by side, in K they are 2 apart", "native", k=apart)
    refused("in V they are 2 apart", "native", v=apart)
    q, cache = torch.zeros(1, 4, 8, device="meta"), torch.zeros(4, 4, 2, 8, device="meta")  # stands for a GPU here
    with pytest.raises(BackendUnavailable, match="runs on the CPU, q is on meta: use 'triton'"):
        native.attend(q, cache, cache, torch.zeros(1, 1, dtype=torch.int64), [3], [0, 1], 1.0)


def test_triton_says_when_it_is_not_installed(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    refused("needs Triton, which exists for Linux only: `make setup` without CORE=1 installs it", "triton")


@pytest.mark.needs("triton")
def test_triton_names_what_it_cannot_take():
    refused(
        r"one dtype of float16, bfloat16 and float32, got torch\.float64", "triton", k=torch.zeros(4, 4, 2, 8).double()
    )
    refused(
        r"got torch\.float32, torch\.float16, torch\.float16",
        "triton",
        torch.zeros(1, 4, 8),
        torch.zeros(4, 4, 2, 8).half(),
    )
    refused("in K they are 2 apart", "triton", k=torch.zeros(4, 4, 8, 2).transpose(2, 3))


@pytest.mark.needs("triton")
def test_triton_without_a_gpu_says_how_to_interpret():
    refused("start Python with TRITON_INTERPRET=1 in its environment", "triton")


@pytest.mark.parametrize("backend", ["batched", "native", "triton"])
@pytest.mark.parametrize("which", ["q", "k", "v"])
def test_gradients_are_refused_and_not_forgotten(backend, which):
    given = {"q": torch.zeros(1, 4, 8), "k": torch.zeros(4, 4, 2, 8), "v": torch.zeros(4, 4, 2, 8)}
    given[which].requires_grad_()
    refused(rf"backend '{backend}' gives no gradients: use torch.no_grad\(\), or 'reference'", backend, **given)


@pytest.mark.filterwarnings("ignore:.torch.jit.script")  # torch makes use of it for its first dual tensor
@pytest.mark.parametrize("backend", ["batched", "native", "triton"])
@pytest.mark.parametrize("which", ["q", "k", "v"])
def test_tangents_are_refused_and_not_forgotten(backend, which):
    given = {"q": torch.zeros(1, 4, 8), "k": torch.zeros(4, 4, 2, 8), "v": torch.zeros(4, 4, 2, 8)}
    with torch.autograd.forward_ad.dual_level():
        given[which] = torch.autograd.forward_ad.make_dual(given[which], torch.ones_like(given[which]))
        refused(f"backend '{backend}' gives no gradients", backend, **given)


@pytest.mark.needs("compiler")
@pytest.mark.parametrize("before", ["attend()", "k @ k.mT"], ids=["by the kernel", "by torch alone"])
def test_a_fork_of_a_process_that_has_computed_with_threads_computes_too(before):
    """Its thread pool is gone, and who waits for it waits forever; torch's own calls do, the native kernel does not."""
    code = f"""
import os, torch
from paged.attention import attention_over
torch.set_num_threads(2)
k, v = torch.randn(2, 64, 16, 2, 64)
q, tables = torch.randn(32, 8, 64), torch.arange(64).expand(32, 64)
attend = lambda backend="native": attention_over(q, k, v, tables, [1024] * 32, range(33), 0.125, backend=backend)
due = attend("reference").numpy()
{before}
if os.fork() == 0:
    os._exit(0 if abs(attend().numpy() - due).max() < 1e-5 else 1)
print(os.waitstatus_to_exitcode(os.wait()[1]))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "0"
