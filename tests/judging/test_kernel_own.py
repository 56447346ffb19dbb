"""What kernels store in the answer's own tensors: out of sight while no kernel runs, whole for those it is for."""

import importlib
from types import SimpleNamespace

import numpy as np
import pytest

from practice.judging import sandbox

pytestmark = pytest.mark.needs("torch")


@pytest.fixture
def own(monkeypatch):
    """kernel_own, imported by its name alone, as beside an answer; `launch(tensor, stored)` is one that stores."""
    monkeypatch.syspath_prepend(sandbox.HERE)
    module = importlib.import_module("kernel_own")
    known = module.Own(SimpleNamespace(veiled=lambda value: False))

    def launch(tensor, stored=None):
        storage = tensor.untyped_storage()
        known.begin("out", storage), known.begin("out", storage)  # as where it is given twice
        if stored is not None:
            tensor.copy_(stored)
        known.end(set() if stored is None else {storage.data_ptr()})

    return SimpleNamespace(known=known, launch=launch, **vars(module))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "int16", "int32", "int64", "uint8"])
def test_noise_is_nan_or_a_huge_number_in_each_dtype(own, dtype):
    import torch

    out = torch.zeros(7, dtype=getattr(torch, dtype))
    own.launch(out, torch.arange(7))
    if out.is_floating_point():
        assert out.isnan().all()
    else:
        assert (out > 0.48 * torch.iinfo(out.dtype).max).all()
    assert own.known.whole(out).tolist() == list(range(7))


def test_noise_is_another_each_time(own):
    import torch

    out, seen = torch.zeros(64, dtype=torch.int64), set()
    for _ in range(3):
        own.launch(out, torch.arange(64))
        seen.add(tuple(out.tolist()))
    assert len(seen) == 3


def test_the_next_launch_finds_what_the_last_has_stored(own):
    import torch

    out = torch.zeros(4)
    own.launch(out, torch.arange(4.0))
    own.known.begin("out", out.untyped_storage())
    assert out.tolist() == [0, 1, 2, 3]
    out[0] = 9
    own.known.end(set())  # it is out of sight for good, whether this launch has stored or not
    assert out.isnan().all() and own.known.whole(out).tolist() == [9, 1, 2, 3]


def test_what_no_kernel_has_stored_into_stays_as_torch_has_made_it(own):
    import torch

    made = torch.arange(4)
    own.launch(made)
    with own.known.watched():
        assert made.sum().item() == 6 and made.tolist() == [0, 1, 2, 3]
    assert own.known.whole(made) is made


def test_a_result_is_whole_whatever_part_of_its_memory_it_is(own):
    import torch

    room = torch.zeros(3, 4)
    own.launch(room, torch.arange(12.0).reshape(3, 4))
    for view, due in ((room[1:, 1], [5, 9]), (room.T[2], [2, 6, 10]), (room[2, :1].expand(2), [8, 8])):
        result = own.known.whole(view)
        assert result.tolist() == due and result.is_contiguous()
        result += 1
    assert own.known.whole(room)[2, 0] == 8  # a copy, which changes nothing
    bits = own.known.whole(room.view(torch.int32))
    assert bits.view(torch.float32).tolist() == own.known.whole(room).tolist()


def test_torch_fills_in_place_and_the_rest_stays(own):
    import torch

    out = torch.zeros(6)
    own.launch(out, torch.arange(6.0))
    with own.known.watched():
        assert out[:1].zero_() is not None
        out[1:2].fill_(7.0)
        out[2:3].copy_(torch.tensor([8.0]))
        out.view(torch.int32)[3:4].zero_()
        assert out.data_ptr() and out.shape == (6,)
    assert np.isnan(out.numpy()).all()
    own.known.begin("out", out.untyped_storage())
    assert out.tolist() == [0, 7, 8, 0, 4, 5]
    own.known.end(set())


LOOKS = {
    "clone": lambda x: x.clone(),
    "add": lambda x: x + 1,
    "_to_copy": lambda x: x.double(),
    "add_": lambda x: x.add_(1),
    "copy_": lambda x: x.new_zeros(4).copy_(x),
    "sum": lambda x: x.sum(),
    "mul": lambda x: x.new_zeros(4).mul(x),
    "index": lambda x: x[x.new_zeros(1).long()],
    "index_put_": lambda x: x.__setitem__(x.new_zeros(1).long(), 3.0),
    "numpy": lambda x: x.numpy(),
    "tolist": lambda x: x.tolist(),
    "item": lambda x: x[0].item(),
    "__array__": lambda x: np.asarray(x),
    "__bool__": lambda x: bool(x[0]),
    "__repr__": lambda x: repr(x),
}


@pytest.mark.parametrize("name", LOOKS)
def test_what_works_on_the_contents_is_refused_by_name(own, name):
    import torch

    out = torch.zeros(4)
    own.launch(out, torch.arange(4.0))
    for view in (out, torch.empty(0).set_(out.untyped_storage(), 0, (4,)), out.as_strided((4,), (1,))):
        own.known.fault = None
        with own.known.watched(), pytest.raises(own.HostRead, match=rf"torch \({name}\) works on out"):
            LOOKS[name](view)
        assert isinstance(own.known.fault, own.HostRead)  # kept, for an answer that catches it


def test_shapes_views_and_tensors_like_it_are_not_refused(own):
    import torch

    out = torch.zeros(2, 2)
    own.launch(out, torch.ones(2, 2))
    with own.known.watched():
        like = [torch.empty_like(out), torch.zeros_like(out), out.new_full((3,), 1.0), out.new_empty(2)]
        views = [out.T, out[0], out.reshape(4), out.flatten(), *out.unbind(), *out.split(1), out.detach(), out[None]]
        assert all(view.untyped_storage().data_ptr() == out.data_ptr() for view in views) and len(like) == 4
        assert out.contiguous() is out and out.to(torch.float32) is out
    assert own.known.fault is None


def test_a_change_behind_torchs_back_is_a_fault(own):
    import torch

    out = torch.zeros(4)
    look = out.numpy()
    own.launch(out, torch.arange(4.0))
    look[2] = 7
    for finds in (lambda: own.known.begin("out", out.untyped_storage()), lambda: own.known.whole(out)):
        with pytest.raises(
            own.MemoryFault, match="out, into which a kernel has stored, was changed outside of a kernel"
        ):
            finds()


def test_a_storage_that_has_grown_is_a_change(own):
    import torch

    out = torch.zeros(4)
    own.launch(out, torch.arange(4.0))
    out.untyped_storage().resize_(64)
    with pytest.raises(own.MemoryFault, match="was changed outside of a kernel"):
        own.known.begin("out", out.untyped_storage())


def test_memory_without_elements_is_no_trouble(own):
    import torch

    out = torch.zeros(0)
    own.launch(out, torch.zeros(0))
    assert own.known.whole(out).tolist() == []
