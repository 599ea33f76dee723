# SPDX-License-Identifier: Apache-2.0
"""Matrix Unit (FPU; MatrixUnit.md): arithmetic on SrcA and SrcB into Dst, and moves between them.

Blackhole has eight address modifiers where Wormhole has four, so its AddrMod field has a bit more
and begins a bit lower; the drawings of the pages still show Wormhole's. The width is that of
Tenstorrent's assembler table and simulator.
"""

from collections.abc import Callable, Iterator
from typing import Any

from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.isa.operand import ALWAYS, FLAG, HEX, PLAIN, Choice, Name
from tensix_gdb.core.isa.schema import Bits, Encoding, Part, Unused
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.instruction import (
    WH,
    YAML,
    Arch,
    Catch,
    Group,
    Operand,
    Status,
    Unit,
    tensix,
)
from tensix_gdb.core.tensix.matrix import moves as moves
from tensix_gdb.core.tensix.matrix.arithmetic import dotpv, elwadd, elwmul, elwsub, gapool, mvmul
from tensix_gdb.core.tensix.matrix.gmpool import gmpool
from tensix_gdb.core.tensix.matrix.moves_from_dst import movd2a, movd2b
from tensix_gdb.core.tensix.regfiles.rwc import incrwc, setrwc

# fmt: off
ADDR_MOD = Choice(names=tuple(Name(f"ADDR_MOD_{i}", i) for i in range(8)))
ZEROACC_MODE = Choice(always=True, prefix="ZEROACC_MODE_", also={"ZEROACC_MODE_16_ROWS": 1}, names=(
    Name("ONE_ROW",     0, ("CLR_SPECIFIC",), "one row"),
    Name("ROWS_16",     1, ("CLR_16",),       "16 rows"),
    Name("HALF_OF_DST", 2, ("CLR_HALF",),     "half of Dst"),
    Name("ALL_OF_DST",  3, ("CLR_ALL",),      "all of Dst"),
))
DIRECTION = Choice(always=True, prefix="DIRECTION_", names=(
    Name("RIGHT", 2, ("RIGHT_AWAY0",), "away from column 0"),
    Name("LEFT", 3, ("LEFT_TOWARD0",), "towards column 0"),
))
DIMENSION = Choice(names=(
    Name("DIM_1X16", 0, (), "one row"), Name("DIM_16X16", 1, (), "16 rows"),
))

# What instructions of several units have besides their own: the address modifier moves the row
# counters, and the flags hand banks back to the unpackers.
MOVED = uses.ROW_COUNTERS.when("addr_mod", *range(8))
GIVES_BACK = (uses.BANKS.if_set("flip_src_a"), uses.BANKS.if_set("flip_src_b"))
_STEPS, _DST, _A, _B = (MOVED,), (uses.DST,), (uses.SRC_A,), (uses.SRC_B,)
# Of each instruction what it reads and what it writes besides the counters.
USES: dict[str, tuple[tuple[uses.StateUse, ...], tuple[uses.StateUse, ...]]] = {
    "MOVD2A": (_DST, (*_A, uses.LAST_ROW)),
    "MOVD2B": (_DST, (*_B, uses.LAST_ROW)),
    "MOVA2D": (_A, (*_DST, uses.LAST_ROW)),
    "MOVDBGA2D": (_A, (*_DST, uses.LAST_ROW)),
    "MOVB2A": (_B, (*_A, uses.LAST_ROW)),
    "MOVB2D": (_B, (*_DST, uses.LAST_ROW)),
    "SHIFTXB": (_B, _B),
    **dict.fromkeys(
        ("MVMUL", "DOTPV", "GAPOOL", "GMPOOL", "ELWMUL"),
        ((*_A, *_B, *_DST), (*_DST, *GIVES_BACK, uses.LAST_ROW)),
    ),
    **dict.fromkeys(
        ("ELWADD", "ELWSUB"),
        ((*_A, *_B, uses.DST.if_set("add_dst")), (*_DST, *GIVES_BACK, uses.LAST_ROW)),
    ),
}

MATRIX = Group(Unit.FPU, blocked_by=Block.B6, latency="1", operands={
    "flip_src_a":          Operand(FLAG, "hand the bank of SrcA back to the unpackers"),
    "flip_src_b":          Operand(FLAG, "hand the bank of SrcB back to the unpackers"),
    "addr_mod":            Operand(ADDR_MOD, "how the row counters advance"),
    "dst_row":             Operand(PLAIN, "row of Dst, to which counters and offsets are added"),
    "src_row":             Operand(PLAIN, "row of the source"),
    "srca_row":            Operand(PLAIN, "row of SrcA"),
    "srcb_row":            Operand(PLAIN, "row of SrcB"),
    "use_dst_32b_lo":      Operand(FLAG, "the low halves of 32-bit datums"),
    "move_4_rows":         Operand(FLAG, "four rows instead of one"),
    "move_8_rows":         Operand(FLAG, "eight rows instead of one"),
    "broadcast_col0":      Operand(FLAG, "column 0 to all columns"),
    "broadcast_1_row_to_8": Operand(FLAG, "one row to eight rows"),
    "broadcast_src_b_row": Operand(FLAG, "one row of SrcB for all rows"),
    "broadcast_src_b_col0": Operand(FLAG, "column 0 of SrcB for all columns"),
    "add_dst":             Operand(FLAG, "add to Dst instead of writing it"),
    "arg_max":             Operand(FLAG, "also keep the index of the maximum"),
    "dimension":           Operand(DIMENSION, "LLK: how much of SrcA; GMPOOL.md has 16X16"),
    "rotate_weights":      Operand(FLAG, "no effect is left"),
    "index_en":            Operand(FLAG, "no effect is left"),
    "reset":               Operand(FLAG, "clear all valid flags, start from bank 0"),
    "keep_reading_same_src": Operand(FLAG, "the Matrix Unit stays at its bank"),
    "invalidate_src_b_cache": Operand(FLAG, "forget the cached row of SrcB"),
    "reset_srca_gate_control": Operand(FLAG, "LLK: reset clock gating of SrcA; on no page"),
    "src_a_val":           Operand(PLAIN, "value for the row counter of SrcA"),
    "src_b_val":           Operand(PLAIN, "value for the row counter of SrcB"),
    "dst_val":             Operand(PLAIN, "value for the row counter of Dst"),
    "src_a_inc":           Operand(PLAIN, "added to the row counter of SrcA"),
    "src_b_inc":           Operand(PLAIN, "added to the row counter of SrcB"),
    "dst_inc":             Operand(PLAIN, "added to the row counter of Dst"),
    "src_a_cr":            Operand(FLAG, "relative to the carriage return value of SrcA"),
    "src_b_cr":            Operand(FLAG, "relative to the carriage return value of SrcB"),
    "dst_cr":              Operand(FLAG, "relative to the carriage return value of Dst"),
    "dst_c_to_cr":         Operand(FLAG, "the carriage return value of Dst becomes its counter"),
    "src_a":               Operand(FLAG, "set the counter of SrcA"),
    "src_b":               Operand(FLAG, "set the counter of SrcB"),
    "dst":                 Operand(FLAG, "set the counter of Dst"),
    "fidelity":            Operand(FLAG, "clear the fidelity phase"),
    "imm10":               Operand(PLAIN, "row or group of rows, depending on the mode"),
    "clear_mode":          Operand(ZEROACC_MODE, "how much is marked"),
    "revert":              Operand(FLAG, "mark as defined again"),
    "use_dst_32b":         Operand(FLAG, "rows of 32-bit datums"),
    "clear_src_a":         Operand(FLAG, "SrcA"),
    "clear_src_b":         Operand(FLAG, "SrcB"),
    "both_banks":          Operand(FLAG, "both banks"),
    "single_bank_matrix_unit": Operand(FLAG, "the Matrix Unit's bank, not the unpacker's"),
    "negative_inf_src_a":  Operand(FLAG, "SrcA becomes negative infinity, not zero"),
    "direction":           Operand(DIRECTION, "which way"),
    "shift_in_zero":       Operand(FLAG, "shift a zero in instead of rotating"),
    "reg_mask":            Operand(HEX, "on no page"),
    "halo_mask":           Operand(FLAG, "on no page"),
    "x_start":             Operand(ALWAYS, "on no page"),
    "x_end":               Operand(ALWAYS, "on no page"),
    "y_start":             Operand(ALWAYS, "on no page"),
    "y_end":               Operand(ALWAYS, "on no page"),
    "rwc_bias":            Operand(PLAIN, "on no page"),
    "rwc_cr":              Operand(PLAIN, "on no page"),
    "set_inc_ctrl":        Operand(PLAIN, "on no page"),
})

FLIP = ("flip_src_b" / Bits(1), "flip_src_a" / Bits(1))
# Their rows differ between the architectures; what they do differs by tables (by_chip.py).
FUNCTIONS: dict[str, Callable[..., int]] = {
    "MOVD2A": movd2a, "MOVD2B": movd2b, "MOVA2D": moves.mova2d,
    "MOVDBGA2D": moves.mova2d, "MOVB2A": moves.movb2a, "MOVB2D": moves.movb2d,
    "SHIFTXB": moves.shiftxb, "MVMUL": mvmul, "DOTPV": dotpv, "GAPOOL": gapool, "GMPOOL": gmpool,
    "ELWADD": elwadd, "ELWSUB": elwsub, "ELWMUL": elwmul,
}
_ROW10 = "dst_row" / Bits(10)


def _declare(name: str, encoding: Encoding, arch: Arch, **facts: Any) -> None:
    """A row, with its function if it is one that runs."""
    reads, writes = USES.get(name, ((), ()))
    reads = uses.those_with(reads, encoding.fields)
    writes = uses.those_with(writes, encoding.fields)
    if reads:
        reads, writes = (*reads, MOVED), (*writes, MOVED)
    row = MATRIX.instruction(name, encoding, arch=arch, reads=reads, writes=writes, **facts)
    if name in FUNCTIONS:
        row(FUNCTIONS[name])


def _layouts() -> Iterator[tuple[Arch, int, tuple[Part, ...]]]:
    """Yield for each architecture bits 16:14, and LLK's lowest bit of the modifier."""
    yield Arch.BLACKHOLE, 14, ("addr_mod" / Bits(3),)
    yield Arch.WORMHOLE, 15, ("addr_mod" / Bits(2), Unused(1))


for _arch, _low, _MOD in _layouts():
    _AT = f"addr_mode@{_low}"
    # Pools have the modifier one bit higher, and it is named otherwise on Blackhole.
    _POOL = (Unused(1), "addr_mod" / Bits(3)) if _arch is Arch.BLACKHOLE else (
        Unused(2), "addr_mod" / Bits(2))
    _POOL_AT = "pool_addr_mode@15" if _arch is Arch.BLACKHOLE else "addr_mode@15"

    for _name, _opcode, _moved, _latency, _page, _text in (
        ("MOVD2A", 0x08, "move_4_rows", "2", "MOVD2A", "Move rows from Dst to SrcA."),
        ("MOVDBGA2D", 0x09, "move_8_rows", "4", "MOVDBGA2D",
         "Move rows from SrcA to Dst without waiting for the bank."),
        ("MOVD2B", 0x0A, "move_4_rows", "", "MOVD2B", "Move rows from Dst to SrcB."),
        ("MOVA2D", 0x12, "move_8_rows", "4", "MOVA2D", "Move rows from SrcA to Dst."),
    ):
        _declare(
            _name, tensix(_opcode, "use_dst_32b_lo" / Bits(1), "src_row" / Bits(6), *_MOD,
                          _moved / Bits(1), Unused(3), _ROW10),
            arch=_arch, llk=f"dest_32b_lo@23 src@17 {_AT} instr_mod@12 dst@0",
            latency=_latency, page=f"{WH}{_page}.md", summary=_text)
    _declare(
        "MOVB2A", tensix(0x0B, Unused(1), "srca_row" / Bits(6), *_MOD, "move_4_rows" / Bits(1),
                         Unused(7), "srcb_row" / Bits(6)),
        arch=_arch, llk=f"srca@17 {_AT} instr_mod@12 srcb@0",
        latency="4", page=WH + "MOVB2A.md",
        summary="Move rows from SrcB to SrcA.")

    for _name, _opcode, _dimension, _text in (
        ("MVMUL", 0x26, "broadcast_src_b_row", "Dst += SrcB * SrcA, an 8x16 by a 16x16 matrix."),
        ("DOTPV", 0x29, "", "As MVMUL without broadcast; MVMUL is to be preferred."),
    ):
        _mid = (Unused(2), _dimension / Bits(1)) if _dimension else (Unused(3),)
        _accumulate = "" if _dimension else "dest_accum_en@21 "
        _declare(
            _name, tensix(_opcode, *FLIP, *_mid, Unused(2), *_MOD, Unused(4), _ROW10),
            arch=_arch, llk=f"clear_dvalid@22 {_accumulate}instr_mod19@19 {_AT} dst@0",
            latency="5", page=f"{WH}{_name}.md", summary=_text)
    for _name, _opcode, _text in (
        ("ELWMUL", 0x27, "Dst += SrcA * SrcB, element by element, 8x16."),
        ("ELWADD", 0x28, "Dst = SrcA + SrcB, element by element, 8x16."),
        ("ELWSUB", 0x30, "Dst = SrcA - SrcB, element by element, 8x16."),
    ):
        _declare(
            _name, tensix(_opcode, *FLIP, "add_dst" / Bits(1), "broadcast_src_b_row" / Bits(1),
                          "broadcast_src_b_col0" / Bits(1), Unused(2), *_MOD, Unused(4), _ROW10),
            arch=_arch, llk=f"clear_dvalid@22 dest_accum_en@21 instr_mod19@19 {_AT} dst@0",
            latency="5", page=f"{WH}{_name}.md", summary=_text)
    for _name, _opcode, _index, _text in (
        ("GMPOOL", 0x33, "arg_max" / Bits(1), "Dst = max(Dst, maximum of each column of SrcA)."),
        ("GAPOOL", 0x34, Unused(1), "Dst += SrcB * SrcA, a 4x16 by a 16x16 matrix."),
    ):
        _declare(
            _name, tensix(_opcode, *FLIP, Unused(2), "dimension" / Bits(1), *_POOL, _index,
                          Unused(4), _ROW10),
            arch=_arch, llk=f"clear_dvalid@22 instr_mod19@19 {_POOL_AT} max_pool_index_en@14 dst@0",
            latency="5", page=f"{WH}{_name}.md", summary=_text)

    _LEGACY = "Nothing useful is left of it (MatrixUnit.md, legacy instructions)."
    for _name, _opcode in (("CONV3S1", 0x22), ("CONV3S2", 0x23), ("MFCONV3S1", 0x3A)):
        _declare(
            _name, tensix(_opcode, *FLIP, Unused(4), "rotate_weights" / Bits(1), *_MOD, Unused(4),
                          _ROW10),
            arch=_arch, llk=f"clear_dvalid@22 rotate_weights@17 {_AT} dst@0",
            latency="", page=WH + "MatrixUnit.md", summary=_LEGACY,
            status=Status.LEGACY)
    for _name, _opcode in (("MPOOL3S1", 0x24), ("APOOL3S1", 0x25), ("MPOOL3S2", 0x31),
                           ("APOOL3S2", 0x32)):
        _declare(
            _name, tensix(_opcode, *FLIP, Unused(3), *_POOL, "index_en" / Bits(1), Unused(4),
                          _ROW10),
            arch=_arch, llk=f"clear_dvalid@22 {_POOL_AT} index_en@14 dst@0",
            latency="", page=WH + "MatrixUnit.md", summary=_LEGACY,
            status=Status.LEGACY)
    _declare(
        "SHIFTXB", tensix(0x18, Unused(7), *_MOD, Unused(3), "shift_in_zero" / Bits(1), Unused(4),
                          "src_row" / Bits(6)),
        arch=_arch, llk=f"{_AT} rot_shift@10 shift_row@0", latency="2", page=WH + "SHIFTXB.md",
        summary="Rotate or shift one row of SrcB by one lane.")

# MOVB2D has three flags; on Wormhole they lie one bit higher.
_MOVB2D = ("move_4_rows" / Bits(1), "broadcast_1_row_to_8" / Bits(1), "broadcast_col0" / Bits(1))
_declare(
    "MOVB2D", tensix(0x13, "use_dst_32b_lo" / Bits(1), "src_row" / Bits(6), "addr_mod" / Bits(3),
                     *_MOVB2D, Unused(1), _ROW10),
    arch=Arch.BLACKHOLE, llk="dest_32b_lo@23 src@17 addr_mode@14 movb2d_instr_mod@11 dst@0",
    latency="4", page=WH + "MOVB2D.md", summary="Move or broadcast rows from SrcB to Dst.")
_declare(
    "MOVB2D", tensix(0x13, "use_dst_32b_lo" / Bits(1), "src_row" / Bits(6), "addr_mod" / Bits(2),
                     *_MOVB2D, Unused(2), _ROW10),
    arch=Arch.WORMHOLE, llk="dest_32b_lo@23 src@17 addr_mode@15 instr_mod@12 dst@0",
    latency="4", page=WH + "MOVB2D.md", summary="Move or broadcast rows from SrcB to Dst.")

# ZEROACC.md is Wormhole's; the order of Blackhole's fields is that of the assembler table.
ZEROACC = "Mark rows of Dst as undefined: reading them gives zero or negative infinity."
MATRIX.instruction(
    "SETRWC", tensix(0x37, *FLIP, "dst_c_to_cr" / Bits(1), "dst_cr" / Bits(1),
                     "src_b_cr" / Bits(1), "src_a_cr" / Bits(1), "dst_val" / Bits(4),
                     "src_b_val" / Bits(4), "src_a_val" / Bits(4), Unused(2), "fidelity" / Bits(1),
                     "dst" / Bits(1), "src_b" / Bits(1), "src_a" / Bits(1)),
    llk="clear_ab_vld@22 rwc_cr@18 rwc_d@14 rwc_b@10 rwc_a@6 BitMask@0", page=WH + "SETRWC.md",
    reads=tuple(uses.ROW_COUNTERS.if_set(flag)
                for flag in ("src_a_cr", "src_b_cr", "dst_cr", "dst_c_to_cr")),
    writes=(uses.ROW_COUNTERS, *GIVES_BACK),
    summary="Set row counters.")(setrwc)
MATRIX.instruction(
    "INCRWC", tensix(0x38, Unused(3), "dst_cr" / Bits(1), "src_b_cr" / Bits(1),
                     "src_a_cr" / Bits(1), "dst_inc" / Bits(4), "src_b_inc" / Bits(4),
                     "src_a_inc" / Bits(4), Unused(6)),
    llk="rwc_cr@18 rwc_d@14 rwc_b@10 rwc_a@6", page=WH + "INCRWC.md",
    reads=(uses.ROW_COUNTERS,), writes=(uses.ROW_COUNTERS,),
    summary="Add to row counters.")(incrwc)

# One line of the assembler table each, and in no gate table: the emulator stops at these.
for _name, _opcode, _parts, _llk, _arch in (
    ("MOVDBGB2D", 0x0C, ("use_dst_32b_lo" / Bits(1), "src_row" / Bits(6), "addr_mod" / Bits(3),
                         *_MOVB2D, Unused(1), _ROW10),
     "dest_32b_lo@23 src@17 addr_mode@14 movb2d_instr_mod@11 dst@0", Arch.BLACKHOLE),
    ("TRNSPSRCA", 0x14, (Unused(24),), "", Arch.BOTH),
    ("RAREB", 0x15, (Unused(24),), "", Arch.BOTH),
    ("SETASHRMH0", 0x1A, (Unused(7), "reg_mask" / Bits(16), "halo_mask" / Bits(1)),
     "reg_mask@1 halo_mask@0", Arch.BOTH),
    ("SETASHRMH1", 0x1B, (Unused(7), "reg_mask" / Bits(16), "halo_mask" / Bits(1)),
     "reg_mask@1 halo_mask@0", Arch.BOTH),
    ("SETASHRMV", 0x1C, (Unused(4), "reg_mask" / Bits(20)), "reg_mask2@0", Arch.BOTH),
    ("SETPKEDGOF", 0x1D, (Unused(8), "y_end" / Bits(4), "y_start" / Bits(4), "x_end" / Bits(4),
                          "x_start" / Bits(4)), "y_end@12 y_start@8 x_end@4 x_start@0", Arch.BOTH),
    ("SETASHRMH", 0x1E, (Unused(7), "reg_mask" / Bits(16), "halo_mask" / Bits(1)),
     "reg_mask@1 halo_mask@0", Arch.BOTH),
    ("SETIBRWC", 0x39, ("rwc_cr" / Bits(6), "rwc_bias" / Bits(12), "set_inc_ctrl" / Bits(6)),
     "rwc_cr@18 rwc_bias@6 set_inc_ctrl@0", Arch.BOTH),
):
    MATRIX.instruction(
        _name, tensix(_opcode, *_parts), arch=_arch, llk=_llk, gate=Catch.UNKNOWN,
        blocked_by=Block(0), latency="", page=YAML, status=Status.UNDOCUMENTED,
        summary="On no page.")
# fmt: on
