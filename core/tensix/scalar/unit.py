# SPDX-License-Identifier: Apache-2.0
"""Scalar Unit (ThCon; ScalarUnit.md): arithmetic on GPRs, loads, stores and atomics.

One instruction of all threads executes at a time, and its thread passes no further instruction
through the wait gate until it is done. Results of loads come later still (pipeline.py). Here are
the operands; the instructions are in alu.py, memory.py, atomics.py and control.py.
"""

import enum

from tensix_gdb.core.isa import masks
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.isa.operand import ALWAYS, FLAG, GPR, HALF_GPR, HEX, PLAIN, Choice, Name
from tensix_gdb.core.tensix.gpr_use import ANSWER, COUNT_ON, READ, WRITE
from tensix_gdb.core.tensix.instruction import Group, Operand, Unit
from tensix_gdb.core.tensix.packer.metadata import ResultSize, Source


class Size(enum.IntEnum):
    """MemSize of LOADIND.md, STOREIND_L1.md and AT*.md, SizeSel of REG2FLOP."""

    BITS_128 = 0
    BITS_32 = 1
    BITS_16 = 2
    BITS_8 = 3


# fmt: off
SIZE = Choice(always=True, names=(
    Name("BITS_128", Size.BITS_128, ("LD_16B",), "four GPRs, 16 bytes"),
    Name("BITS_32", Size.BITS_32, ("LD_32bit",), "32 bits"),
    Name("BITS_16", Size.BITS_16, ("LD_16bit",), "16 bits"),
    Name("BITS_8", Size.BITS_8, ("LD_8bit",), "8 bits"),
))
INCREMENT = Choice(names=(
    Name("STAY", 0, ("INC_NONE",), "stays"), Name("BY_2", 1, ("INC_2B",), "grows by 2"),
    Name("BY_4", 2, ("INC_4B",), "grows by 4"), Name("BY_16", 3, ("INC_16B",), "grows by 16"),
))
INPUT_SOURCE = Choice(always=True, names=(
    Name("TILE_SIZE", Source.TILE_SIZE, (), "accumulated and last tile size of the packers"),
    Name("ALL_ZERO", Source.ALL_ZERO, (), "all-zero flags of the packers"),
    Name("HEADER0", Source.HEADER0, (), "tile header of packer 0"),
    Name("HEADER1", Source.HEADER1, (), "tile header of packer 1"),
    Name("HEADER2", Source.HEADER2, (), "tile header of packer 2"),
    Name("HEADER3", Source.HEADER3, (), "tile header of packer 3"),
    Name("HISTOGRAM0", Source.HISTOGRAM0, (), "low half of a packer's exponent histogram"),
    Name("HISTOGRAM1", Source.HISTOGRAM1, (), "high half of a packer's exponent histogram"),
    Name("CLEAR_SIZE", Source.CLEAR_SIZE, (), "all-zero flags; accumulated tile sizes are cleared"),
    Name("MAX_EXP", Source.MAX_EXP, (), "largest exponents"),
))
RESULT_SIZE = Choice(names=(
    Name("BITS_16", ResultSize.BITS_16, ("PAYLOAD_16BIT",)),
    Name("BITS_32", ResultSize.BITS_32, ("PAYLOAD_32BIT",)),
    Name("BITS_128", ResultSize.BITS_128, ("PAYLOAD_128BIT",)),
    Name("HEADER", ResultSize.HEADER, ("PAYLOAD_TILE_HEADER",)),
))
XYZW = Choice(always=True, names=tuple(Name(axis, value) for value, axis in enumerate("XYZW")))
ADC_SEL = Choice(always=True, names=(
    Name("UNP0", 0, (), "Unpacker 0"), Name("UNP1", 1, (), "Unpacker 1"),
    Name("PACK", 2, (), "the packers"),
))

SCALAR = Group(Unit.THCON, blocked_by=Block.B0 | Block.B5, gprs={
    "left_reg": READ, "right_reg": READ, "result_reg": WRITE, "addr_reg": READ, "data_reg": READ,
    "input_reg": READ, "in_out_reg": (READ, ANSWER), "result_half_reg": WRITE.half,
    "offset_half_reg": COUNT_ON,
}, operands={
    "left_reg":        Operand(GPR, "left operand"),
    "right_reg":       Operand(GPR, "right operand"),
    "right_imm6":      Operand(ALWAYS, "right operand, a constant below 64"),
    "result_reg":      Operand(GPR, "where the result goes to"),
    "addr_reg":        Operand(GPR, "address in L1 in units of 16 bytes"),
    "data_reg":        Operand(GPR, "what is written"),
    "in_out_reg":      Operand(GPR, "what is added, then the old value of the word"),
    "input_reg":       Operand(GPR, "where the value comes from"),
    "result_half_reg": Operand(HALF_GPR, "where the value goes to"),
    "offset_half_reg": Operand(HALF_GPR, "byte offset that is added to the address"),
    "offset_increment": Operand(INCREMENT, "what becomes of the offset afterwards"),
    "size":            Operand(SIZE, "how much is moved"),
    "new_value":       Operand(HEX, "the value to write"),
    "condition_mask":  Operand(masks.CONDITIONS_FLUSHDMA, "what to wait for; 0 means all four"),
    "ofs":             Operand(PLAIN, "which word of the 16 bytes"),
    "int_width":       Operand(ALWAYS, "width of the integer that wraps around, see the page"),
    "incr_log2":       Operand(PLAIN, "logarithm of what is added"),
    "no_incr":         Operand(FLAG, "do not add"),
    "mask":            Operand(HEX, "which of the eight halves are written"),
    "single_data_reg": Operand(FLAG, "one GPR in its place of the 16 bytes, zeros elsewhere"),
    "cmp_val":         Operand(ALWAYS, "value to wait for"),
    "set_val":         Operand(ALWAYS, "value to write then"),
    "addr_lo":         Operand(HEX, "word address: 0xFFB00000 + 4 * this"),
    "store_to_src_b":  Operand(FLAG, "SrcB instead of SrcA"),
    "input_half_reg":  Operand(PLAIN, "which 16 bits of the input"),
    "input_source":    Operand(INPUT_SOURCE, "what is read"),
    "which_packers":   Operand(HEX, "packers, as an index or a mask depending on the input"),
    "result_size":     Operand(RESULT_SIZE, "how much is written"),
    "thcon_cfg_index": Operand(ALWAYS, "word of THCON configuration"),
    "size_sel":        Operand(SIZE, "how much is written"),
    "override_thread": Operand(FLAG, "the counters of thread_sel, not of the issuing thread"),
    "shift8":          Operand(PLAIN, "shift the value right by this many bytes"),
    "thread_sel":      Operand(PLAIN, "the thread that has the counters"),
    "channel":         Operand(PLAIN, "channel 0 or 1"),
    "adc_sel":         Operand(ADC_SEL, "the thread that has the counters"),
    "cr":              Operand(FLAG, "the carriage return value instead of the counter"),
    "xyzw":            Operand(XYZW, "which dimension"),
})
# fmt: on
