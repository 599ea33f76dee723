# SPDX-License-Identifier: Apache-2.0
"""Small changes of a wheel's LLK and tests, by rules of replacement.

They are the sides of published pairs that no wheel has, or that no test of a wheel measures. Each
is named in the column `edited` of llk.csv. A rule that finds nothing to replace is an error, so
that none is silently without effect in another version. Files are those of the wheel's tt_metal.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from scripts.llktests.scratch import Edit, edited

SFPU = "tt-llk/tests/helpers/include/sfpu_operations.h"
REDUCE = "tt-llk/tt_llk_blackhole/llk_lib/llk_math_reduce.h"
TANH = "hw/ckernels/blackhole/metal/llk_api/llk_sfpu/ckernel_sfpu_tanh.h"
TILIZE = "tt-llk/tests/python_tests/perf_unpack_tilize.py"
TILIZE_SOURCE = "tt-llk/tests/sources/unpack_tilize_perf.cpp"

# The suite calls its integer operations of two tiles with operands that it converts from sign and
# magnitude; what was published takes them as they are. It has no RSUB and no AND of integers: the
# call of SUB becomes theirs.
CALL = "call_binary_sfpu_operation"
_AS_THEY_ARE = r"true( /\* SIGN_MAGNITUDE_FORMAT \*/)"
_SUB = (
    r"_sub_int_,(\s+)\(APPROXIMATION_MODE, PER_FACE_ITERATIONS, "
    r"ckernel::InstrModLoadStore::INT32, true[^)]*\)"
)
_RSUB = (
    r"calculate_rsub_int,\1(APPROXIMATION_MODE, ckernel::InstrModLoadStore::INT32, "
    r"PER_FACE_ITERATIONS)"
)
_AND = (
    r"calculate_sfpu_binary_bitwise,\1(APPROXIMATION_MODE, BinaryBitwiseOp::AND, "
    r"ckernel::InstrModLoadStore::INT32, PER_FACE_ITERATIONS)"
)

# Three instructions for each vector of 32 datums: immediate offsets in place of INCRWC. In the
# second form the next vector is loaded between the table and the store.
_BODY = r"(?s)sfpi::vUInt l0 = .*?LReg2\] = l2;"
_VECTORS = 32  # of a tile
_LOAD = "TTI_SFPLOAD(p_sfpu::LREG3, InstrModLoadStore::DEFAULT, ADDR_MOD_7, {at});"
_TABLE = "TTI_SFPLUTFP32(p_sfpu::LREG{to}, sfpi::SFPLUTFP32_MOD0_FP16_6ENTRY_TABLE1);"
_STORE = "TTI_SFPSTORE(p_sfpu::LREG{to}, InstrModLoadStore::DEFAULT, ADDR_MOD_7, {at});"


def _if_there(vector: int, *text: str) -> str:
    """Only if a call has as many vectors: it is of a tile or of a face."""
    return f"if constexpr (ITERATIONS > {vector}) {{ {' '.join(text)} }}"


def _in_three() -> str:
    form = (_LOAD, _TABLE, _STORE)
    vectors = range(_VECTORS)
    return "\n".join(_if_there(n, *(one.format(at=2 * n, to=3) for one in form)) for n in vectors)


def _turned() -> str:
    lines = [_LOAD.format(at=0)]
    for n in range(_VECTORS):
        following = _if_there(n + 1, _LOAD.format(at=2 * n + 2)) if n + 1 < _VECTORS else ""
        lines += [_if_there(n, _TABLE.format(to=7), following, _STORE.format(at=2 * n, to=7))]
    return "\n".join(lines)


EDITS: Mapping[str, tuple[Edit, ...]] = {
    "integers": (Edit(SFPU, _AS_THEY_ARE, r"false\1", CALL),),
    "rsub": (Edit(SFPU, _SUB, _RSUB, CALL),),
    "and": (Edit(SFPU, _SUB, _AND, CALL),),
    # The flag is set once for a kernel, and not set and put back for each row of faces.
    "flag": (
        Edit(REDUCE, r"math::_configure_\w+_zero_flag_state_\(\);", "",
             "reduce_row_perform_transpose"),
        Edit(REDUCE, "_configure_default_zero_flag_state_", "_configure_preserve_zero_flag_state_",
             "_llk_math_reduce_init_"),
    ),
    "three": (Edit(TANH, _BODY, _in_three(), "calculate_tanh"),),
    "turned": (Edit(TANH, _BODY, _turned(), "calculate_tanh"),),
    # The test came with the change; eight bits were unpacked, and so copied, by pairs of faces.
    "fp8": (
        Edit(TILIZE, r"(DataFormat\.Float16_b,)", r"DataFormat.Fp8_e4m3,\n            \1"),
        Edit(TILIZE_SOURCE, r"(4 /\* num_faces \*/, formats\.math)\)", r"\1, true)"),
    ),
}  # fmt: skip


def apply(name: str, tt_metal: Path) -> None:
    """Change the files of a wheel that is unpacked."""
    for edit in EDITS[name]:
        file = tt_metal / edit.file
        file.write_text(edited(file.read_text("utf-8"), edit), "utf-8")
