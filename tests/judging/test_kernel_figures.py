"""Figures of a compiled kernel, read from PTX that is written out here."""

import re
from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.needs("triton")

PTX = """
.version 8.7
.target sm_90a
.address_size 64

.visible .entry add_one(.param .u64 .ptr .global .align 16 x)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    ld.param.b64 %rd1, [x];
    ld.global.b32 %r1, [%rd1];
    add.s32 %r2, %r1, 1;
    st.global.b32 [%rd1], %r2;
    ret;
}
"""


@pytest.fixture
def read():
    """kernel_figures, which needs Triton."""
    from practice.judging import kernel_figures

    return kernel_figures


def kernel(ptx: str):
    return SimpleNamespace(asm={"ptx": ptx}, metadata=SimpleNamespace(shared=1024, num_warps=4))


def test_registers_and_spills_are_what_the_assembler_says(read):
    found = read.figures(kernel(PTX), "sm_90")
    assert 0 < found.pop("registers") < 32
    assert found == {
        "target": "sm_90",
        "spilled_bytes": 0,
        "shared_bytes": 1024,
        "shared_limit": 232448,
        "warps": 4,
        "tensor_core": 0,
        "wide_loads": 0,
        "loads": 1,
        "stores": 1,
    }


def test_ptx_for_another_gpu_is_no_answer(read):
    with pytest.raises(RuntimeError, match="compiled for sm_90 where sm_80 was asked for"):
        read.figures(kernel(PTX), "sm_80")


def test_ptx_that_does_not_assemble_is_told(read):
    with pytest.raises(RuntimeError, match="ptxas"):
        read.figures(kernel(PTX.replace("add.s32", "no_such.s32")), "sm_90")


@pytest.mark.parametrize(
    ("line", "wide"),
    [
        ("ld.global.v4.b32 {%r1,%r2,%r3,%r4}, [%rd1];", True),
        ("@%p1 ld.global.L1::evict_last.v4.b32 {%r1,%r2,%r3,%r4}, [%rd1];", True),
        ("ld.global.v2.b64 {%rd1,%rd2}, [%rd3];", True),
        ("cp.async.cg.shared.global [ %r1 + 0 ], [ %rd1 + 0 ], 0x10, %r2;", True),
        ("ld.global.b32 %r1, [%rd1];", False),
        ("ld.global.v2.b32 {%r1,%r2}, [%rd1];", False),
        ("cp.async.ca.shared.global [ %r1 + 0 ], [ %rd1 + 0 ], 0x4, %r2;", False),
    ],
)
def test_loads_of_128_bits_are_told_from_others(read, line, wide):
    assert len(re.findall(read.LOAD, line)) == 1
    assert len(re.findall(read.WIDE_LOAD, line)) == wide


@pytest.mark.parametrize(
    ("line", "uses"),
    [
        ("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {…};", True),
        ("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {…};", True),
        ("tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1;", True),
        ("wgmma.fence.sync.aligned;", False),
        ("fma.rn.f32 %f1, %f2, %f3, %f4;", False),
    ],
)
def test_tensor_core_instructions_are_told_from_others(read, line, uses):
    assert len(re.findall(read.TENSOR_CORE, line)) == uses


def test_blackwell_has_an_assembler_of_its_own(read):
    assert "Used" in read.assembler(PTX.replace("sm_90a", "sm_100a"), 100)
