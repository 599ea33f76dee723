# SPDX-License-Identifier: Apache-2.0
"""Operations with a result of vFloat: C++ as sfpi.h has it, and the result by the pages.

SFPABS.md, SFPSETEXP.md, SFPDIVP2.md, SFPSETMAN.md, SFPSETSGN.md, SFPSWAP.md,
SFPSTOCHRND_FloatFloat.md, SFPARECIP.md, SFPCAST_IntFloat.md, SFPLUT.md and SFPLUTFP32.md. Sums,
products and changes of sign are in model.py, because the compiler may join them.
"""

from __future__ import annotations

from scripts.random_kernels.rows import FLOAT, INT, Operation
from scripts.random_kernels.semantics import (
    absolute_float,
    add_exponent,
    by_table,
    clamp,
    everywhere,
    larger,
    moved,
    rotated,
    rounded,
    set_exponent,
    set_mantissa,
    set_sign,
    smaller,
    to_float,
    word,
)
from tests.core.tensix.vector.pages import SIGN, exponent, reciprocal, wide


def _table(kind: str, words: int) -> str:
    return ", ".join(f"as<{kind}>(vUInt({{table[{i}]}}u))" for i in range(words))


def _sixes(ss: str, ii: str) -> str:
    pairs = (f"as<{ss}>(vUInt({{table[{i}]}}u)), as<{ii}>(vUInt({{table[{i + 3}]}}u))"
             for i in range(3))  # fmt: skip
    return ", ".join(pairs)


_LUT32 = ", ".join(
    f"vLut32si(as<vFloat>(vUInt({{table[{i}]}}u)), as<vFloat>(vUInt({{table[{i + 3}]}}u)))"
    for i in range(3)
)
_SIGN = "LutSign::{sign}"


# What the program has in an array that the compiler cannot see through (build.py).
SCALES = (0.0, 1.0, -0.5, 3.0, 1.1, 0.001, -250.0, 7.0)

FLOATS = (
    Operation(
        "rotated", FLOAT, (FLOAT,), "as<vFloat>(vFloat(subvec_shflror1({0})))", rotated, whole=True
    ),
    Operation(
        "moved", FLOAT, (FLOAT,), "as<vFloat>(vFloat(subvec_shflshr1({0})))", moved, whole=True
    ),
    Operation(
        "scale",
        FLOAT,
        (FLOAT,),
        "copysgn(vFloat(scales[{n}]), {0})",
        lambda a, n: set_sign(everywhere(a, word(SCALES[n])), a),
        ("n",),
    ),
    Operation(
        "setexp_n",
        FLOAT,
        (FLOAT,),
        "setexp({0}, {n} + 120)",
        lambda a, n: set_exponent(a, n + 120),
        ("n",),
    ),
    Operation("abs", FLOAT, (FLOAT,), "abs({0})", absolute_float),
    Operation("setexp", FLOAT, (FLOAT,), "setexp({0}, {exp})", set_exponent, ("exp",)),
    Operation(
        "setexp_v",
        FLOAT,
        (FLOAT, INT),
        "setexp({0}, {1})",
        lambda a, e: set_exponent(a, wide(e) & 255),
    ),
    Operation(
        "copyexp",
        FLOAT,
        (FLOAT, FLOAT),
        "copyexp({0}, {1})",
        lambda a, b: set_exponent(a, exponent(b)),
    ),
    Operation("addexp", FLOAT, (FLOAT,), "addexp({0}, {step})", add_exponent, ("step",)),
    Operation(
        "setman",
        FLOAT,
        (FLOAT,),
        "setman({0}, {man}u)",
        lambda a, man: set_mantissa(a, everywhere(a, man << 11)),
        ("man",),
    ),
    Operation("setman_v", FLOAT, (FLOAT, INT), "setman({0}, vUInt({1}))", set_mantissa),
    Operation("copyman", FLOAT, (FLOAT, FLOAT), "copyman({0}, {1})", set_mantissa),
    Operation(
        "setsgn",
        FLOAT,
        (FLOAT,),
        "setsgn({0}, {bit})",
        lambda a, bit: set_sign(a, everywhere(a, bit << 31)),
        ("bit",),
    ),
    Operation("copysgn", FLOAT, (FLOAT, FLOAT), "copysgn({0}, {1})", set_sign),
    Operation("copysgn_i", FLOAT, (FLOAT, INT), "copysgn({0}, {1})", set_sign),
    Operation(
        "ldexp_fast",
        FLOAT,
        (FLOAT, INT),
        "ldexp({0}, {1}, LdexpMode::Fast)",
        lambda a, s: set_exponent(a, exponent(a) + wide(s) & 255),
    ),
    Operation("min", FLOAT, (FLOAT, FLOAT), "min({0}, {1})", smaller),
    Operation("max", FLOAT, (FLOAT, FLOAT), "max({0}, {1})", larger),
    Operation(
        "symmetric_clamp", FLOAT, (FLOAT,), "symmetric_clamp({0}, {bound})", clamp, ("bound",)
    ),
    Operation(
        "to_fp16",
        FLOAT,
        (FLOAT,),
        "as<vFloat>(convert<vFloat16a>({0}, {rounding}))",
        rounded(0),
        ("rounding",),
    ),
    Operation(
        "to_bf16",
        FLOAT,
        (FLOAT,),
        "as<vFloat>(convert<vFloat16b>({0}, {rounding}))",
        rounded(1),
        ("rounding",),
    ),
    Operation("recip", FLOAT, (FLOAT,), "approx_recip({0})", lambda a: reciprocal(a) | (a & SIGN)),
    Operation("float_of", FLOAT, (INT,), "convert<vFloat>({0}, RoundMode::Nearest)", to_float),
    Operation("as_float", FLOAT, (INT,), "as<vFloat>({0})", lambda a: a),
    Operation(
        "lut8",
        FLOAT,
        (FLOAT,),
        f"lut({{0}}, {_table('vLut8si', 3)}, {_SIGN})",
        by_table(0x73, 0, 3),
        ("table", "sign"),
        5,
    ),
    Operation(
        "lut16_6_3",
        FLOAT,
        (FLOAT,),
        f"lut<LutMode::Fp16x6_HWM3>({{0}}, {_sixes('vLut16ss', 'vLut16ii')}, {_SIGN})",
        by_table(0x95, 2, 6),
        ("table", "sign"),
        7,
    ),
    Operation(
        "lut16_6_4",
        FLOAT,
        (FLOAT,),
        f"lut<LutMode::Fp16x6_HWM4>({{0}}, {_sixes('vLut16ss', 'vLut16ii')}, {_SIGN})",
        by_table(0x95, 3, 6),
        ("table", "sign"),
        7,
    ),
    Operation(
        "lut16",
        FLOAT,
        (FLOAT,),
        f"lut({{0}}, {_table('vLut16si', 3)}, {_SIGN})",
        by_table(0x95, 10, 3),
        ("table", "sign"),
        7,
    ),
    Operation(
        "lut32",
        FLOAT,
        (FLOAT,),
        f"lut({{0}}, {_LUT32}, {_SIGN})",
        by_table(0x95, 0, 6),
        ("table", "sign"),
        7,
    ),
)
