# SPDX-License-Identifier: Apache-2.0
"""Operations with a result of vInt, in two's complement: C++ as sfpi.h has it, and the result by
the pages SFPIADD.md, SFPSHFT.md, SFPEXEXP.md, SFPEXMAN.md, SFPLZ.md, SFPCAST_IntInt.md,
SFPMUL24.md, SFPSTOCHRND_FloatInt.md and SFPSTOCHRND_IntInt.md.
"""

from __future__ import annotations

import numpy as np

from scripts.random_kernels.rows import FLOAT, INT, Operation
from scripts.random_kernels.semantics import (
    descaled,
    from_sign_magnitude,
    high_product,
    larger,
    low_product,
    rounded,
    shift,
    smaller,
    to_sign_magnitude,
)
from tests.core.tensix.vector.pages import (
    MANTISSA,
    exponent,
    leading_zeros,
    shifted,
    signed,
    u32,
    wide,
)

INTEGERS = (
    Operation(
        "shft_n",
        INT,
        (INT,),
        "shft({0}, {n} - 3)",
        lambda a, n: shift(a, n - 3, arithmetic=True),
        ("n",),
    ),
    Operation("iadd", INT, (INT, INT), "({0} + {1})", lambda a, b: u32(wide(a) + wide(b))),
    Operation(
        "iadd_k", INT, (INT,), "({0} + {small})", lambda a, small: u32(wide(a) + small), ("small",)
    ),
    Operation("iadd_n", INT, (INT,), "({0} + {n})", lambda a, n: u32(wide(a) + n), ("n",)),
    Operation("isub", INT, (INT, INT), "({0} - {1})", lambda a, b: u32(wide(a) - wide(b))),
    Operation(
        "isub_k", INT, (INT,), "({0} - {small})", lambda a, small: u32(wide(a) - small), ("small",)
    ),
    Operation(
        "ksub", INT, (INT,), "({small} - {0})", lambda a, small: u32(small - wide(a)), ("small",)
    ),
    Operation("ineg", INT, (INT,), "(-{0})", lambda a: u32(-wide(a))),
    Operation("and", INT, (INT, INT), "({0} & {1})", np.bitwise_and),
    Operation(
        "and_k", INT, (INT,), "({0} & {mask}u)", lambda a, mask: a & np.uint32(mask), ("mask",)
    ),
    Operation("or", INT, (INT, INT), "({0} | {1})", np.bitwise_or),
    Operation(
        "or_k", INT, (INT,), "({0} | {mask}u)", lambda a, mask: a | np.uint32(mask), ("mask",)
    ),
    Operation("xor", INT, (INT, INT), "({0} ^ {1})", np.bitwise_xor),
    Operation("not", INT, (INT,), "(~{0})", np.bitwise_not),
    Operation(
        "shl_k", INT, (INT,), "({0} << {by}u)", lambda a, by: shift(a, by, arithmetic=True), ("by",)
    ),
    Operation(
        "shr_k",
        INT,
        (INT,),
        "({0} >> {by}u)",
        lambda a, by: shift(a, -by, arithmetic=True),
        ("by",),
    ),
    Operation(
        "ushr_k",
        INT,
        (INT,),
        "vInt(vUInt({0}) >> {by}u)",
        lambda a, by: shift(a, -by, arithmetic=False),
        ("by",),
    ),
    Operation("shft", INT, (INT, INT), "shft({0}, {1})", lambda a, b: shifted(a, signed(b), True)),
    Operation(
        "shft_u",
        INT,
        (INT, INT),
        "vInt(shft(vUInt({0}), {1}))",
        lambda a, b: shifted(a, signed(b), False),
    ),
    Operation(
        "shft_k",
        INT,
        (INT,),
        "shft({0}, {step})",
        lambda a, step: shift(a, step, arithmetic=True),
        ("step",),
    ),
    Operation("iabs", INT, (INT,), "vInt(abs({0}))", lambda a: u32(abs(signed(a)))),
    Operation("lz", INT, (INT,), "vInt(lz({0}))", lambda a: u32(leading_zeros(a))),
    Operation("exexp", INT, (FLOAT,), "exexp({0})", lambda a: u32(exponent(a) - 127)),
    Operation(
        "exexp_b", INT, (FLOAT,), "exexp({0}, ExponentMode::Biased)", lambda a: u32(exponent(a))
    ),
    Operation("exman", INT, (FLOAT,), "vInt(exman({0}))", lambda a: a & MANTISSA),
    Operation(
        "exman_1",
        INT,
        (FLOAT,),
        "vInt(exman({0}, MantissaMode::WithUnitBit))",
        lambda a: (a & MANTISSA) | np.uint32(1 << 23),
    ),
    Operation("exsgn", INT, (FLOAT,), "vInt(exsgn({0}))", lambda a: a >> np.uint32(31)),
    Operation("as_int", INT, (FLOAT,), "as<vInt>({0})", lambda a: a),
    Operation(
        "to_int16",
        INT,
        (FLOAT,),
        "as<vInt>(convert<vSMag16>({0}, {rounding}))",
        rounded(7),
        ("rounding",),
    ),
    Operation(
        "to_int8",
        INT,
        (FLOAT,),
        "as<vInt>(convert<vSMag8>({0}, {rounding}))",
        rounded(3),
        ("rounding",),
    ),
    Operation(
        "to_uint16",
        INT,
        (FLOAT,),
        "vInt(convert<vUInt16>({0}, {rounding}))",
        rounded(6),
        ("rounding",),
    ),
    Operation(
        "to_uint8",
        INT,
        (FLOAT,),
        "vInt(convert<vUInt8>({0}, {rounding}))",
        rounded(2),
        ("rounding",),
    ),
    Operation(
        "int8_k",
        INT,
        (INT,),
        "int32_to_int8({0}, {by}u, {rounding})",
        descaled(5),
        ("by", "rounding"),
    ),
    Operation(
        "uint8_v",
        INT,
        (INT, INT),
        "vInt(int32_to_uint8({0}, vUInt({1}), {rounding}))",
        descaled(4),
        ("rounding",),
    ),
    Operation("to_smag", INT, (INT,), "as<vInt>(convert<vSMag>({0}))", to_sign_magnitude),
    Operation("of_smag", INT, (INT,), "convert<vInt>(as<vSMag>({0}))", from_sign_magnitude),
    Operation(
        "smag_min", INT, (INT, INT), "as<vInt>(min(as<vSMag>({0}), as<vSMag>({1})))", smaller
    ),
    Operation("smag_max", INT, (INT, INT), "as<vInt>(max(as<vSMag>({0}), as<vSMag>({1})))", larger),
    Operation(
        "umin_k",
        INT,
        (INT,),
        "vInt(min(vUInt({0}), {mask}u))",
        lambda a, mask: np.minimum(a, np.uint32(mask)),
        ("mask",),
    ),
    Operation(
        "umax_k",
        INT,
        (INT,),
        "vInt(max(vUInt({0}), {mask}u))",
        lambda a, mask: np.maximum(a, np.uint32(mask)),
        ("mask",),
    ),
    Operation(
        "mul24", INT, (INT, INT), "vInt(fractional_mul(vUInt({0}), vUInt({1})))", low_product
    ),
    Operation(
        "mul24_hi",
        INT,
        (INT, INT),
        "vInt(fractional_mul(vUInt({0}), vUInt({1}), FractionalHalf::High))",
        high_product,
    ),
)
