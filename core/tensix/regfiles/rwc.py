# SPDX-License-Identifier: Apache-2.0
"""Row counters of the Matrix and the Vector Unit (RWCs.md), and what moves them.

An instruction that uses them ends with `apply_addr_mod`: its AddrMod field chooses one of eight
sets of increments in ThreadConfig.

Blackhole's AddrMod field has three bits where Wormhole's has two, and Blackhole has no
ADDR_MOD_SET_Base, which on Wormhole means the upper four sets as the extra bit does.
UNSPECIFIED(RWCs.md): what the extra bit, which is there for the two bits of Wormhole and which
ADDR_MOD_BIAS_SEC still counts up, does on Blackhole. It takes the place of the field's third bit,
as it does for kernels that use the lower four sets only. ADDR_MOD_AB2_SEC has bit 6 of increments
of counters that have six bits: nothing of it is left.
"""

import enum

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.devices.wormhole.config_places import place
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.record.layout import Chapter, Mark, Part, Role, Tag, View, row
from tensix_gdb.core.tensix.regfiles import src

_FIELDS = config_fields(Arch.BLACKHOLE)
AB_WORD = _FIELDS["ADDR_MOD_AB_SEC0_SrcAIncr"].word
DST_WORD = _FIELDS["ADDR_MOD_DST_SEC0_DestIncr"].word
BIAS_WORD = _FIELDS["ADDR_MOD_BIAS_SEC0_BiasIncr"].word
# Of Wormhole alone: the upper four sets.
_SET_BASE = place("ADDR_MOD_SET_Base")
SET_BASE_WORD, SET_BASE_LOW = _SET_BASE.word, _SET_BASE.low
DST_MASK = 0x3FF
SRC_MASK = 0x3F

_A = Tag.ARCHITECTURAL

# fmt: off
RWC = Part("rwc", (
    row("dst",       "u16", THREADS, _A, "row of Dst", role=Role.SETTING, marks=Mark.STEERS),
    row("dst_cr",    "u16", THREADS, _A, "what carriage return goes back to"),
    row("src_a",     "u8",  THREADS, _A, "row of SrcA", role=Role.SETTING, marks=Mark.STEERS),
    row("src_a_cr",  "u8",  THREADS, _A, "what carriage return goes back to"),
    row("src_b",     "u8",  THREADS, _A, "row of SrcB", role=Role.SETTING, marks=Mark.STEERS),
    row("src_b_cr",  "u8",  THREADS, _A, "what carriage return goes back to"),
    row("fidelity",  "u8",  THREADS, _A, "FidelityPhase"),
    row("extra_bit", "u8",  THREADS, _A, "ExtraAddrModBit"),
), chapter=Chapter.CONTROL)
# fmt: on


class Counter(enum.IntEnum):
    """The counters of a thread, by the names of their rows."""

    DST = 0
    DST_CR = 1
    SRC_A = 2
    SRC_A_CR = 3
    SRC_B = 4
    SRC_B_CR = 5
    FIDELITY = 6
    EXTRA_BIT = 7


def counter(S: View, thread: int, which: int) -> int:
    """Return a counter of a thread by its number."""
    match which:
        case Counter.DST:
            return S.rwc.dst[thread]
        case Counter.DST_CR:
            return S.rwc.dst_cr[thread]
        case Counter.SRC_A:
            return S.rwc.src_a[thread]
        case Counter.SRC_A_CR:
            return S.rwc.src_a_cr[thread]
        case Counter.SRC_B:
            return S.rwc.src_b[thread]
        case Counter.SRC_B_CR:
            return S.rwc.src_b_cr[thread]
        case Counter.FIDELITY:
            return S.rwc.fidelity[thread]
        case _:
            return S.rwc.extra_bit[thread]


def set_of(S: View, thread: int, addr_mod: int) -> int:
    """Return the set of increments that is meant."""
    base = S.config.thread[thread, SET_BASE_WORD] >> SET_BASE_LOW
    return addr_mod | (S.rwc.extra_bit[thread] | base & S.tile.chip) << 2


def apply_addr_mod(S: View, thread: int, addr_mod: int) -> int:
    """ApplyAddrMod: advance the counters as the set `addr_mod` says."""
    index = set_of(S, thread, addr_mod)
    dst = S.config.thread[thread, DST_WORD + index]
    if (dst >> 15) & 1:
        S.rwc.fidelity[thread] = 0
    else:
        S.rwc.fidelity[thread] = (S.rwc.fidelity[thread] + ((dst >> 13) & 3)) & 3
    return move_counters(S, thread, index)


def apply_partial_addr_mod(S: View, thread: int, addr_mod: int) -> int:
    """ApplyPartialAddrMod: the same, but the fidelity phase stays."""
    return move_counters(S, thread, set_of(S, thread, addr_mod))


def move_counters(S: View, thread: int, index: int) -> int:
    """All but the fidelity phase, by a set of increments."""
    sources = S.config.thread[thread, AB_WORD + index]
    dst = S.config.thread[thread, DST_WORD + index]
    bias = S.config.thread[thread, BIAS_WORD + index]
    # As a rule they are only added.
    if sources & 0xC0C0:
        move_sources(S, thread, sources)
    else:
        S.rwc.src_a[thread] = (S.rwc.src_a[thread] + sources) & SRC_MASK
        S.rwc.src_b[thread] = (S.rwc.src_b[thread] + (sources >> 8)) & SRC_MASK
    if dst & 0x1C00:
        move_dst(S, thread, dst)
    else:
        S.rwc.dst[thread] = (S.rwc.dst[thread] + dst) & DST_MASK
    if (bias >> 4) & 1:
        S.rwc.extra_bit[thread] = 0
    elif bias & 3:
        S.rwc.extra_bit[thread] ^= 1
    return 0


def move_sources(S: View, thread: int, sources: int) -> int:
    """Return the counters of SrcA and SrcB, by their half of a set of increments."""
    if (sources >> 7) & 1:
        set_src_a(S, thread, 0)
    else:
        add_to_src_a(S, thread, (sources >> 6) & 1, sources)
    if (sources >> 15) & 1:
        return set_src_b(S, thread, 0)
    return add_to_src_b(S, thread, (sources >> 14) & 1, sources >> 8)


def move_dst(S: View, thread: int, dst: int) -> int:
    """Return the counter of Dst, by the other half."""
    if (dst >> 11) & 1:
        return set_dst(S, thread, 0)
    if (dst >> 12) & 1:
        return set_dst(S, thread, S.rwc.dst[thread] + dst)
    return add_to_dst(S, thread, (dst >> 10) & 1, dst)


def set_src_a(S: View, thread: int, value: int) -> int:
    """Counter and carriage return value of SrcA."""
    S.rwc.src_a[thread] = value & SRC_MASK
    S.rwc.src_a_cr[thread] = value & SRC_MASK
    return 0


def set_src_b(S: View, thread: int, value: int) -> int:
    """Counter and carriage return value of SrcB."""
    S.rwc.src_b[thread] = value & SRC_MASK
    S.rwc.src_b_cr[thread] = value & SRC_MASK
    return 0


def set_dst(S: View, thread: int, value: int) -> int:
    """Counter and carriage return value of Dst."""
    S.rwc.dst[thread] = value & DST_MASK
    S.rwc.dst_cr[thread] = value & DST_MASK
    return 0


def add_to_src_a(S: View, thread: int, cr: int, by: int) -> int:
    """Add to the counter of SrcA, or to its carriage return value and go there."""
    if cr:
        return set_src_a(S, thread, S.rwc.src_a_cr[thread] + by)
    S.rwc.src_a[thread] = (S.rwc.src_a[thread] + by) & SRC_MASK
    return 0


def add_to_src_b(S: View, thread: int, cr: int, by: int) -> int:
    """Add to the counter of SrcB, or to its carriage return value and go there."""
    if cr:
        return set_src_b(S, thread, S.rwc.src_b_cr[thread] + by)
    S.rwc.src_b[thread] = (S.rwc.src_b[thread] + by) & SRC_MASK
    return 0


def add_to_dst(S: View, thread: int, cr: int, by: int) -> int:
    """Add to the counter of Dst, or to its carriage return value and go there."""
    if cr:
        return set_dst(S, thread, S.rwc.dst_cr[thread] + by)
    S.rwc.dst[thread] = (S.rwc.dst[thread] + by) & DST_MASK
    return 0


def setrwc(
    S: View,
    thread: int,
    flip_src_b: int,
    flip_src_a: int,
    dst_c_to_cr: int,
    dst_cr: int,
    src_b_cr: int,
    src_a_cr: int,
    dst_val: int,
    src_b_val: int,
    src_a_val: int,
    fidelity: int,
    dst: int,
    src_b: int,
    src_a: int,
) -> int:
    """SETRWC.md"""
    if src_a:
        set_src_a(S, thread, src_a_val + (S.rwc.src_a_cr[thread] if src_a_cr else 0))
    if src_b:
        set_src_b(S, thread, src_b_val + (S.rwc.src_b_cr[thread] if src_b_cr else 0))
    if dst_c_to_cr:
        set_dst(S, thread, dst_val + S.rwc.dst[thread])
    elif dst:
        set_dst(S, thread, dst_val + (S.rwc.dst_cr[thread] if dst_cr else 0))
    if fidelity:
        S.rwc.fidelity[thread] = 0
    return src.flip(S, thread, flip_src_a, flip_src_b)


def incrwc(
    S: View,
    thread: int,
    dst_cr: int,
    src_b_cr: int,
    src_a_cr: int,
    dst_inc: int,
    src_b_inc: int,
    src_a_inc: int,
) -> int:
    """INCRWC.md"""
    add_to_src_a(S, thread, src_a_cr, src_a_inc)
    add_to_src_b(S, thread, src_b_cr, src_b_inc)
    return add_to_dst(S, thread, dst_cr, dst_inc)
