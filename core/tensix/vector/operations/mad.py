# SPDX-License-Identifier: Apache-2.0
"""Vector Unit, MAD sub-unit: multiplication and addition (SFPMAD.md)."""

from collections.abc import Callable

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.isa.schema import Bits, Part, Unused
from tensix_gdb.core.numeric.fma import INFINITY, finite, not_finite
from tensix_gdb.core.numeric.fma_wormhole import not_finite_wormhole
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.instruction import BH, WH, Arch, F, Operand, tensix
from tensix_gdb.core.tensix.vector.lanes import issue, live, take_a, take_b, take_c
from tensix_gdb.core.tensix.vector.operands import (
    ENABLED,
    LREG7,
    TO_VD_OR_INDIRECT,
    VA,
    VB,
    VC,
    VD,
    VECTOR,
    flags,
)
from tensix_gdb.core.tensix.vector.state import LANES
from tensix_gdb.core.tensix.vector.writeback import put_late

NARROW = True  # in 32 bits where ranges allow it (core/engine/README.md)

HALF = LANES // 2
Finish = Callable[[int, int, int], int]  # of operands that are not finite

# fmt: off
MAD = flags("SFPMAD_MOD1_", NEGATE_VB=1, NEGATE_VC=2, INDIRECT_VA=4, INDIRECT_VD=8)
MAD_WORMHOLE = flags("SFPMAD_MOD1_", INDIRECT_VA=4, INDIRECT_VD=8)
MAD_IMM = flags("SFPMAD_MOD1_", NEGATE_VC=2, INDIRECT_VD=8)
MAD_IMM_WORMHOLE = flags("SFPMAD_MOD1_", INDIRECT_VD=8)
MUL24 = flags("SFPMUL24_MOD1_", UPPER=1, INDIRECT_VA=4, INDIRECT_VD=8)
NEGATE_VB, NEGATE_VC, INDIRECT_VA, INDIRECT_VD = 1, 2, 4, 8
INDIRECTION = INDIRECT_VA | INDIRECT_VD
UPPER = 1
SIGN = 0x80000000
ONE = 0x3F800000
MANTISSA = 0x7FFFFF


OF_FOUR = (
    VA.unless_set("mod1", INDIRECT_VA),
    uses.LREGS.indirect.if_set("mod1", INDIRECT_VA),
    LREG7.when("mod1", INDIRECT_VA, INDIRECT_VD, INDIRECTION, bits=INDIRECTION),
    VB, VC, ENABLED)


def _four(mode: Part) -> tuple[Part, ...]:
    return (Unused(4), "va" / Bits(4), "vb" / Bits(4), "vc" / Bits(4), "vd" / Bits(4), mode)


_FOUR = _four("mod1" / Bits(4))
_LLK4 = "lreg_src_a@16 lreg_src_b@12 lreg_src_c@8 lreg_dest@4 instr_mod1@0"
_TEXTS = {
    "SFPMAD": (0x84, "VD = VA * VB + VC."),
    "SFPADD": (0x85, "VD = VB + VC, if VA is LReg[10]; else as SFPMAD."),
    "SFPMUL": (0x86, "VD = VA * VB, if VC is LReg[9]; else as SFPMAD."),
    "SFPMULI": (0x74, "VD = VD * constant, a BF16."),
    "SFPADDI": (0x75, "VD = VD + constant, a BF16."),
}


def _three(name: str, arch: Arch = Arch.BLACKHOLE) -> Callable[[F], F]:
    opcode, text = _TEXTS[name]
    wormhole = arch is Arch.WORMHOLE
    kind = MAD_WORMHOLE if wormhole else MAD
    return VECTOR.instruction(
        name, tensix(opcode, *_FOUR), arch=arch, llk=_LLK4, latency="2",
        page=f"{WH if wormhole else BH}{name}.md",
        operands={"mod1": Operand(kind, "signs and indirection")}, summary=text,
        reads=OF_FOUR, writes=TO_VD_OR_INDIRECT)


def _constant(name: str, arch: Arch = Arch.BLACKHOLE) -> Callable[[F], F]:
    opcode, text = _TEXTS[name]
    wormhole = arch is Arch.WORMHOLE
    kind = MAD_IMM_WORMHOLE if wormhole else MAD_IMM
    return VECTOR.instruction(
        name, tensix(opcode, "imm16" / Bits(16), "vd" / Bits(4), "mod1" / Bits(4)),
        arch=arch, llk="imm16_math@8 lreg_dest@4 instr_mod1@0", latency="2",
        page=f"{WH if wormhole else BH}{name}.md",
        operands={"mod1": Operand(kind, "signs and indirection")}, summary=text,
        reads=(VD, LREG7.if_set("mod1", INDIRECT_VD), ENABLED), writes=TO_VD_OR_INDIRECT)

# fmt: on


def has_special(S: View) -> int:
    """True if a lane of an operand is an infinity or NaN. Most steps work on several lanes."""
    for lane in lanes(HALF):
        S.vector.d[lane] = max(
            S.vector.a[lane] & INFINITY,
            S.vector.b[lane] & INFINITY,
            S.vector.c[lane] & INFINITY,
            S.vector.a[lane + HALF] & INFINITY,
            S.vector.b[lane + HALF] & INFINITY,
            S.vector.c[lane + HALF] & INFINITY,
        )
    special = 0
    for lane in lanes(HALF):
        special |= S.vector.d[lane] == INFINITY
    return special


def multiply_add_lanes(S: View, NOT_FINITE: Finish, FLUSHES: int) -> int:
    """d = a * b + c in all lanes; those with an infinity or NaN are done once more, one by one."""
    special = has_special(S)
    for lane in lanes(LANES):
        S.vector.d[lane] = finite(
            S.vector.a[lane], S.vector.b[lane], S.vector.c[lane], 23, 8, 0, FLUSHES
        )
    if not special:
        return 0
    for lane in range(LANES):
        a = S.vector.a[lane]
        b = S.vector.b[lane]
        c = S.vector.c[lane]
        if max(a & ~SIGN, b & ~SIGN, c & ~SIGN) >> 23 == 0xFF:
            S.vector.d[lane] = NOT_FINITE(a, b, c)
    return 0


def take_va(S: View, va: int, mod1: int) -> int:
    """Operand A, from the LReg that LReg[7] names in each lane if Mod1 says so."""
    if not mod1 & INDIRECT_VA:
        return take_a(S, va)
    S.vector.without |= S.vector.undefined[7]
    for lane in range(LANES):
        number = S.vector.lreg[7, lane] & 15
        S.vector.without |= S.vector.undefined[number] & 1 << lane
    for lane in lanes(LANES):
        S.vector.a[lane] = S.vector.lreg[S.vector.lreg[7, lane] & 15, lane]
    return 0


def multiply_add(S: View, vb: int, vc: int, vd: int, va: int, mod1: int) -> int:
    """VD = VA * VB + VC."""
    return multiplied_added(S, vb, vc, vd, va, mod1, not_finite, 0)


def multiply_add_flushed(S: View, vb: int, vc: int, vd: int, va: int, mod1: int) -> int:
    """The same, of Wormhole."""
    return multiplied_added(S, vb, vc, vd, va, mod1, not_finite_wormhole, 1)


def multiplied_added(
    S: View, vb: int, vc: int, vd: int, va: int, mod1: int, NOT_FINITE: Finish, FLUSHES: int
) -> int:
    """VD = VA * VB + VC, as a chip has it."""
    take_va(S, va, mod1)
    take_b(S, vb)
    take_c(S, vc)
    if mod1 & (NEGATE_VB | NEGATE_VC):
        for lane in lanes(LANES):
            S.vector.b[lane] ^= (mod1 & NEGATE_VB) << 31
        for lane in lanes(LANES):
            S.vector.c[lane] ^= (mod1 & NEGATE_VC) << 30
    multiply_add_lanes(S, NOT_FINITE, FLUSHES)
    return put_late(S, vd, live(S), mod1 & INDIRECT_VD)


@_three("SFPMAD")
def sfpmad(S: View, thread: int, va: int, vb: int, vc: int, vd: int, mod1: int) -> int:
    """SFPMAD.md"""
    return issue(S, thread, vb, vc, vd, va, mod1, multiply_add)


@_three("SFPADD")
def sfpadd(S: View, thread: int, va: int, vb: int, vc: int, vd: int, mod1: int) -> int:
    """SFPADD.md"""
    return issue(S, thread, vb, vc, vd, va, mod1, multiply_add)


@_three("SFPMUL")
def sfpmul(S: View, thread: int, va: int, vb: int, vc: int, vd: int, mod1: int) -> int:
    """SFPMUL.md"""
    return issue(S, thread, vb, vc, vd, va, mod1, multiply_add)


def multiply_by(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """VD = constant * VC + 0."""
    return multiplied_by(S, vc, vd, imm, mod1, not_finite, 0)


def multiply_by_flushed(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """The same, of Wormhole."""
    return multiplied_by(S, vc, vd, imm, mod1, not_finite_wormhole, 1)


def multiplied_by(
    S: View, vc: int, vd: int, imm: int, mod1: int, NOT_FINITE: Finish, FLUSHES: int
) -> int:
    """VD = constant * VC + 0, as a chip has it."""
    for lane in lanes(LANES):
        S.vector.a[lane] = imm << 16
    take_b(S, vc)
    for lane in lanes(LANES):
        S.vector.b[lane] ^= (mod1 & NEGATE_VC) << 30
    for lane in lanes(LANES):
        S.vector.c[lane] = 0
    multiply_add_lanes(S, NOT_FINITE, FLUSHES)
    return put_late(S, vd, live(S), mod1 & INDIRECT_VD)


@_constant("SFPMULI")
def sfpmuli(S: View, thread: int, imm16: int, vd: int, mod1: int) -> int:
    """SFPMULI.md"""
    return issue(S, thread, vd, vd, vd, imm16, mod1, multiply_by)


def add_to(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """VD = constant + VC."""
    return added_to(S, vc, vd, imm, mod1, not_finite, 0)


def add_to_flushed(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """The same, of Wormhole."""
    return added_to(S, vc, vd, imm, mod1, not_finite_wormhole, 1)


def added_to(
    S: View, vc: int, vd: int, imm: int, mod1: int, NOT_FINITE: Finish, FLUSHES: int
) -> int:
    """VD = constant + VC, as a chip has it."""
    for lane in lanes(LANES):
        S.vector.a[lane] = imm << 16
    for lane in lanes(LANES):
        S.vector.b[lane] = ONE
    take_c(S, vc)
    for lane in lanes(LANES):
        S.vector.c[lane] ^= (mod1 & NEGATE_VC) << 30
    multiply_add_lanes(S, NOT_FINITE, FLUSHES)
    return put_late(S, vd, live(S), mod1 & INDIRECT_VD)


@_constant("SFPADDI")
def sfpaddi(S: View, thread: int, imm16: int, vd: int, mod1: int) -> int:
    """SFPADDI.md"""
    return issue(S, thread, vd, vd, vd, imm16, mod1, add_to)


# -- Wormhole negates nothing: its pages read two bits of the mode
@_three("SFPMAD", Arch.WORMHOLE)
@_three("SFPADD", Arch.WORMHOLE)
@_three("SFPMUL", Arch.WORMHOLE)
def multiply_add_wormhole(
    S: View, thread: int, va: int, vb: int, vc: int, vd: int, mod1: int
) -> int:
    """SFPMAD.md, to which SFPADD.md and SFPMUL.md refer."""
    return issue(S, thread, vb, vc, vd, va, mod1 & INDIRECTION, multiply_add_flushed)


@_constant("SFPMULI", Arch.WORMHOLE)
def sfpmuli_wormhole(S: View, thread: int, imm16: int, vd: int, mod1: int) -> int:
    """SFPMULI.md"""
    return issue(S, thread, vd, vd, vd, imm16, mod1 & INDIRECT_VD, multiply_by_flushed)


@_constant("SFPADDI", Arch.WORMHOLE)
def sfpaddi_wormhole(S: View, thread: int, imm16: int, vd: int, mod1: int) -> int:
    """SFPADDI.md"""
    return issue(S, thread, vd, vd, vd, imm16, mod1 & INDIRECT_VD, add_to_flushed)


def shift_add(product: int, addend: int) -> int:
    """Return an integer product as the floats' datapath leaves it (SFPMUL24.md, Mul24ShiftAdd)."""
    exponent = (addend >> 23) & 0xFF
    if exponent == 0:
        return product
    result = max(129, exponent)
    shift = (result - exponent) & 31
    with_guard = ((addend & MANTISSA) | 0x800000) << 3
    product = product >> ((result - 129) & 31)
    aligned = with_guard >> shift
    if aligned == 0:
        return product
    lost = ((aligned << shift) ^ with_guard) > 0xFFFF
    return (product + aligned + (lost << 16)) & MANTISSA


def multiply_24(S: View, vb: int, vc: int, vd: int, va: int, mod1: int) -> int:
    """VD = 23 bits of the product of two integers, plus what VC gives."""
    take_va(S, va, mod1)
    take_b(S, vb)
    take_c(S, vc)
    drop = 23 if mod1 & UPPER else 0
    for lane in lanes(LANES):
        product = ((S.vector.a[lane] & MANTISSA) * (S.vector.b[lane] & MANTISSA)) >> drop
        S.vector.d[lane] = shift_add(product & MANTISSA, S.vector.c[lane])
    return put_late(S, vd, live(S), mod1 & INDIRECT_VD)


@VECTOR.instruction(
    "SFPMUL24", tensix(0x98, *_FOUR), arch=Arch.BLACKHOLE, llk=_LLK4, latency="2",
    page=BH + "SFPMUL24.md", operands={"mod1": Operand(MUL24, "which half, and indirection")},
    summary="VD = low or high 23 bits of VA * VB, 23-bit integers.",
    reads=OF_FOUR, writes=TO_VD_OR_INDIRECT,
)  # fmt: skip
def sfpmul24(S: View, thread: int, va: int, vb: int, vc: int, vd: int, mod1: int) -> int:
    """SFPMUL24.md"""
    return issue(S, thread, vb, vc, vd, va, mod1, multiply_24)
