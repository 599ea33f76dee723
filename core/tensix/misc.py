# SPDX-License-Identifier: Apache-2.0
"""Miscellaneous Unit (MiscellaneousUnit.md): address counters (ADCs.md), data valid flags, NOP."""

from tensix_gdb.core.isa import opcodes
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.isa.operand import ALWAYS, FLAG, PLAIN, Choice, Name
from tensix_gdb.core.isa.schema import Bits, Part, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.instruction import WH, Catch, Group, Operand, Unit, tensix
from tensix_gdb.core.tensix.regfiles import adc, src

# fmt: off
XYZW = Choice(always=True, names=tuple(
    Name(axis, value, (f"SET_{axis}",)) for value, axis in enumerate("XYZW")
))
THREAD_OVERRIDE = Choice(names=(
    Name("NONE", 0, ("THREAD_OVRD_NONE",),   "the issuing thread's counters"),
    Name("T0",   1, ("THREAD_OVRD_UNPACK",), "thread 0's counters"),
    Name("T1",   2, ("THREAD_OVRD_MATH",),   "thread 1's counters"),
    Name("T2",   3, ("THREAD_OVRD_PACK",),   "thread 2's counters"),
))

_ITS, _CHOSEN = uses.ADDRESS_COUNTERS, uses.ADDRESS_COUNTERS.of_thread("thread_override")

MISC = Group(Unit.MISC, writes=(_CHOSEN,), blocked_by=Block.B0, latency="1", operands={
    "pk":              Operand(FLAG, "the packers' counters"),
    "u1":              Operand(FLAG, "Unpacker 1's counters"),
    "u0":              Operand(FLAG, "Unpacker 0's counters"),
    "channel":         Operand(ALWAYS, "channel 0 or 1"),
    "xyzw":            Operand(XYZW, "which dimension"),
    "new_value":       Operand(ALWAYS, "value; bits 17:16 override the thread as ThreadOverride"),
    "thread_override": Operand(THREAD_OVERRIDE, "the thread that has the counters"),
    "flip_src_a":      Operand(FLAG, "hand Unpacker 0's bank of SrcA to the Matrix Unit"),
    "flip_src_b":      Operand(FLAG, "hand Unpacker 1's bank of SrcB to the Matrix Unit"),
} | {f"{axis}{ch}": Operand(FLAG, f"write {axis.upper()} of channel {ch}")
     for axis in "xyzw" for ch in (0, 1)}
  | {f"{axis}{ch}_{what}": Operand(PLAIN, f"{text} {axis.upper()} of channel {ch}")
     for axis in "xyzw" for ch in (0, 1)
     for what, text in (("val", "new value of"), ("inc", "what to add to"))})


def _counters(high: str, low: str, what: str, *, select: bool) -> tuple[Part, ...]:
    """Fields of the instructions that move two dimensions of both channels."""
    flags = tuple(f"{axis}{ch}" / Bits(1) for ch in (1, 0) for axis in (high, low))
    return (
        "pk" / Bits(1), "u1" / Bits(1), "u0" / Bits(1), Unused(1), "thread_override" / Bits(2),
        *(f"{axis}{ch}_{what}" / Bits(3) for ch in (1, 0) for axis in (high, low)),
        Unused(2), *(flags if select else (Unused(4),)),
    )


_XY = "CntSetMask@21 Ch1_Y@15 Ch1_X@12 Ch0_Y@9 Ch0_X@6"
_ZW = "CntSetMask@21 Ch1_W@15 Ch1_Z@12 Ch0_W@9 Ch0_Z@6"

# fmt: on


@MISC.instruction(
    "NOP", tensix(opcodes.NOP, Unused(24)), llk="", gate=Catch.ONLY_ALL, blocked_by=Block(0),
    ttsync=None, page=WH + "NOP.md",
    summary="Do nothing for one cycle.",
)  # fmt: skip
def nop(S: View, thread: int) -> int:
    """NOP.md"""
    return 0


@MISC.instruction(
    "SETADC", tensix(0x50, "pk" / Bits(1), "u1" / Bits(1), "u0" / Bits(1), "channel" / Bits(1),
                     "xyzw" / Bits(2), "new_value" / Bits(18)),
    llk="CntSetMask@21 ChannelIndex@20 DimensionIndex@18 Value@0", page=WH + "SETADC.md",
    writes=(_ITS.of_thread("new_value"),),
    summary="Set one address counter and its carriage return value.",
)  # fmt: skip
def setadc(
    S: View, thread: int, pk: int, u1: int, u0: int, channel: int, xyzw: int, new_value: int
) -> int:
    """SETADC.md. The two upper bits of the value say which thread's counters are meant.

    UNSPECIFIED(SETADC.md): that they are no part of the value. The page puts them into X, which has
    18 bits, and says that confidence in its override is weak. LLK's matmul_face_compressed sets X
    of the other threads to 255 for faces of 256 datums, so they stay out.
    """
    owner = adc.counters_of(thread, new_value >> 16)
    new_value &= 0xFFFF
    for unit in range(3):
        if ((pk << 2 | u1 << 1 | u0) >> unit) & 1:
            adc.set_counter(S, owner, unit, channel, xyzw, new_value)
    return 0


@MISC.instruction(
    "SETADCXX", tensix(0x5E, "pk" / Bits(1), "u1" / Bits(1), "u0" / Bits(1), Unused(1),
                       "x1_val" / Bits(10), "x0_val" / Bits(10)),
    llk="CntSetMask@21 x_end2@10 x_start@0", page=WH + "SETADCXX.md",
    writes=(_ITS,),
    summary="Set the X address counters of both channels: the first and the last datum of a row.",
)  # fmt: skip
def setadcxx(S: View, thread: int, pk: int, u1: int, u0: int, x1_val: int, x0_val: int) -> int:
    """SETADCXX.md"""
    for unit in range(3):
        if ((pk << 2 | u1 << 1 | u0) >> unit) & 1:
            adc.set_counter(S, thread, unit, 0, adc.X, x0_val)
            adc.set_counter(S, thread, unit, 1, adc.X, x1_val)
    return 0


@MISC.instruction(
    "SETADCXY", tensix(0x51, *_counters("y", "x", "val", select=True)),
    llk=_XY + " BitMask@0", page=WH + "SETADCXY.md",
    summary="Set the chosen X and Y address counters and their carriage return values.",
)  # fmt: skip
def setadcxy(
    S: View, thread: int, pk: int, u1: int, u0: int, thread_override: int,
    y1_val: int, x1_val: int, y0_val: int, x0_val: int, y1: int, x1: int, y0: int, x0: int,
) -> int:  # fmt: skip
    """SETADCXY.md"""
    values = y1_val << 9 | x1_val << 6 | y0_val << 3 | x0_val
    chosen = y1 << 3 | x1 << 2 | y0 << 1 | x0
    owner = adc.counters_of(thread, thread_override)
    return adc.set_some(S, owner, pk << 2 | u1 << 1 | u0, adc.X, values, chosen)


@MISC.instruction(
    "INCADCXY", tensix(0x52, *_counters("y", "x", "inc", select=False)),
    llk=_XY, page=WH + "INCADCXY.md",
    reads=(_CHOSEN,),
    summary="Add to the X and Y address counters.",
)  # fmt: skip
def incadcxy(
    S: View, thread: int, pk: int, u1: int, u0: int, thread_override: int,
    y1_inc: int, x1_inc: int, y0_inc: int, x0_inc: int,
) -> int:  # fmt: skip
    """INCADCXY.md"""
    values = y1_inc << 9 | x1_inc << 6 | y0_inc << 3 | x0_inc
    owner = adc.counters_of(thread, thread_override)
    return adc.add_to_all(S, owner, pk << 2 | u1 << 1 | u0, adc.X, values)


@MISC.instruction(
    "ADDRCRXY", tensix(0x53, *_counters("y", "x", "inc", select=True)),
    llk=_XY + " BitMask@0", page=WH + "ADDRCRXY.md",
    reads=(_CHOSEN,),
    summary="Add to the chosen X and Y carriage return values and set the counters to them.",
)  # fmt: skip
def addrcrxy(
    S: View, thread: int, pk: int, u1: int, u0: int, thread_override: int,
    y1_inc: int, x1_inc: int, y0_inc: int, x0_inc: int, y1: int, x1: int, y0: int, x0: int,
) -> int:  # fmt: skip
    """ADDRCRXY.md"""
    values = y1_inc << 9 | x1_inc << 6 | y0_inc << 3 | x0_inc
    chosen = y1 << 3 | x1 << 2 | y0 << 1 | x0
    owner = adc.counters_of(thread, thread_override)
    return adc.carriage_return_some(S, owner, pk << 2 | u1 << 1 | u0, adc.X, values, chosen)


@MISC.instruction(
    "SETADCZW", tensix(0x54, *_counters("w", "z", "val", select=True)),
    llk=_ZW + " BitMask@0", page=WH + "SETADCZW.md",
    summary="Set the chosen Z and W address counters and their carriage return values.",
)  # fmt: skip
def setadczw(
    S: View, thread: int, pk: int, u1: int, u0: int, thread_override: int,
    w1_val: int, z1_val: int, w0_val: int, z0_val: int, w1: int, z1: int, w0: int, z0: int,
) -> int:  # fmt: skip
    """SETADCZW.md"""
    values = w1_val << 9 | z1_val << 6 | w0_val << 3 | z0_val
    chosen = w1 << 3 | z1 << 2 | w0 << 1 | z0
    owner = adc.counters_of(thread, thread_override)
    return adc.set_some(S, owner, pk << 2 | u1 << 1 | u0, adc.Z, values, chosen)


@MISC.instruction(
    "INCADCZW", tensix(0x55, *_counters("w", "z", "inc", select=False)),
    llk=_XY, page=WH + "INCADCZW.md",
    reads=(_CHOSEN,),
    summary="Add to the Z and W address counters.",
)  # fmt: skip
def incadczw(
    S: View, thread: int, pk: int, u1: int, u0: int, thread_override: int,
    w1_inc: int, z1_inc: int, w0_inc: int, z0_inc: int,
) -> int:  # fmt: skip
    """INCADCZW.md"""
    values = w1_inc << 9 | z1_inc << 6 | w0_inc << 3 | z0_inc
    owner = adc.counters_of(thread, thread_override)
    return adc.add_to_all(S, owner, pk << 2 | u1 << 1 | u0, adc.Z, values)


@MISC.instruction(
    "ADDRCRZW", tensix(0x56, *_counters("w", "z", "inc", select=True)),
    llk=_XY + " BitMask@0", page=WH + "ADDRCRZW.md",
    reads=(_CHOSEN,),
    summary="Add to the chosen Z and W carriage return values and set the counters to them.",
)  # fmt: skip
def addrcrzw(
    S: View, thread: int, pk: int, u1: int, u0: int, thread_override: int,
    w1_inc: int, z1_inc: int, w0_inc: int, z0_inc: int, w1: int, z1: int, w0: int, z0: int,
) -> int:  # fmt: skip
    """ADDRCRZW.md"""
    values = w1_inc << 9 | z1_inc << 6 | w0_inc << 3 | z0_inc
    chosen = w1 << 3 | z1 << 2 | w0 << 1 | z0
    owner = adc.counters_of(thread, thread_override)
    return adc.carriage_return_some(S, owner, pk << 2 | u1 << 1 | u0, adc.Z, values, chosen)


@MISC.instruction(
    "SETDVALID", tensix(0x57, Unused(22), "flip_src_b" / Bits(1), "flip_src_a" / Bits(1)),
    llk="setvalid@0", page=WH + "SETDVALID.md",
    reads=(uses.SAMPLED,),
    writes=(uses.BANKS.if_set("flip_src_a"), uses.BANKS.if_set("flip_src_b"), uses.UNPACKERS),
    summary="Hand source banks from the unpackers to the Matrix Unit.",
)  # fmt: skip
def setdvalid(S: View, thread: int, flip_src_b: int, flip_src_a: int) -> int:
    """SETDVALID.md"""
    if flip_src_a:
        src.hand_over(S, thread, src.SRC_A)
    if flip_src_b:
        src.hand_over(S, thread, src.SRC_B)
    return 0
