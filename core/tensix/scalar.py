# SPDX-License-Identifier: Apache-2.0
"""Scalar Unit (ThCon; ScalarUnit.md): arithmetic on GPRs, loads, stores and atomics.

One instruction of all threads executes at a time, and its thread passes no further instruction
through the wait gate until it is done. Results of loads come later still.
"""

from core.isa import masks
from core.isa.masks import Block
from core.isa.operand import ALWAYS, FLAG, GPR, HALF_GPR, HEX, PLAIN, Choice, Name
from core.isa.schema import Bits, Encoding, Fixed, Part, Unused
from core.tensix.instruction import WH, YAML, Group, Operand, Status, Unit, tensix

# fmt: off
SIZE = Choice(always=True, names=(
    Name("BITS_128", 0, ("LD_16B",), "four GPRs, 16 bytes"),
    Name("BITS_32", 1, ("LD_32bit",), "32 bits"),
    Name("BITS_16", 2, ("LD_16bit",), "16 bits"),
    Name("BITS_8", 3, ("LD_8bit",), "8 bits"),
))
INCREMENT = Choice(names=(
    Name("STAY", 0, ("INC_NONE",), "stays"), Name("BY_2", 1, ("INC_2B",), "grows by 2"),
    Name("BY_4", 2, ("INC_4B",), "grows by 4"), Name("BY_16", 3, ("INC_16B",), "grows by 16"),
))
BITWOP_MODE = Choice(always=True, prefix="BITWOPDMAREG_MODE_", names=(
    Name("AND", 0, (), "left & right"), Name("OR", 1, (), "left | right"),
    Name("XOR", 2, (), "left ^ right"),
))
SHIFT_MODE = Choice(always=True, prefix="SHIFTDMAREG_MODE_", names=(
    Name("LEFT", 0, (), "left << right"), Name("RIGHT", 1, (), "left >> right, zeros coming in"),
))
CMP_MODE = Choice(always=True, prefix="CMPDMAREG_MODE_", names=(
    Name("GT", 0, (), "left > right"), Name("LT", 1, (), "left < right"),
    Name("EQ", 2, (), "left == right"),
))
INPUT_SOURCE = Choice(always=True, names=(
    Name("TILE_SIZE",   0, (), "accumulated and last tile size of the packers"),
    Name("ALL_ZERO",    1, (), "all-zero flags of the packers"),
    Name("HEADER0",     2, (), "tile header of packer 0"),
    Name("HEADER1",     3, (), "tile header of packer 1"),
    Name("HEADER2",     4, (), "tile header of packer 2"),
    Name("HEADER3",     5, (), "tile header of packer 3"),
    Name("HISTOGRAM0",  6, (), "low half of a packer's exponent histogram"),
    Name("HISTOGRAM1",  7, (), "high half of a packer's exponent histogram"),
    Name("CLEAR_SIZE",  8, (), "all-zero flags; accumulated tile sizes are cleared"),
    Name("MAX_EXP",     9, (), "largest exponents"),
))
RESULT_SIZE = Choice(names=(
    Name("BITS_16", 0, ("PAYLOAD_16BIT",)), Name("BITS_32", 1, ("PAYLOAD_32BIT",)),
    Name("BITS_128", 2, ("PAYLOAD_128BIT",)), Name("HEADER", 3, ("PAYLOAD_TILE_HEADER",)),
))
XYZW = Choice(always=True, names=tuple(Name(axis, value) for value, axis in enumerate("XYZW")))
ADC_SEL = Choice(always=True, names=(
    Name("UNP0", 0, (), "Unpacker 0"), Name("UNP1", 1, (), "Unpacker 1"),
    Name("PACK", 2, (), "the packers"),
))

SCALAR = Group(Unit.THCON, blocked_by=Block.B0 | Block.B5, operands={
    "left_reg":        Operand(GPR, "left operand"),
    "right_reg":       Operand(GPR, "right operand"),
    "right_imm6":      Operand(ALWAYS, "right operand, a constant below 64"),
    "right_imm5":      Operand(ALWAYS, "right operand, a constant below 32"),
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
    "thread_sel":      Operand(PLAIN, "whose counters"),
    "channel":         Operand(PLAIN, "channel 0 or 1"),
    "adc_sel":         Operand(ADC_SEL, "whose counters"),
    "cr":              Operand(FLAG, "the carriage return value instead of the counter"),
    "xyzw":            Operand(XYZW, "which dimension"),
})

_ALU = "OpBisConst@23 ResultRegIndex@12 OpBRegIndex@6 OpARegIndex@0"
_ALU_MODE = "OpBisConst@23 OpSel@18 ResultRegIndex@12 OpBRegIndex@6 OpARegIndex@0"
_RIGHT_REG = "right_reg" / Bits(6)
_RIGHT_IMM6 = "right_imm6" / Bits(6)
_MODE = "mode" / Bits(3)


def _alu(opcode: int, constant: int, mode: Part, *right: Part) -> Encoding:
    """The ALU group: constant flag, mode, result, right and left operand."""
    return tensix(opcode, Fixed(constant, 1), Unused(2), mode, "result_reg" / Bits(6), *right,
                  "left_reg" / Bits(6))


for _name, _opcode, _text in (("ADD", 0x58, "Sum of two GPRs, or of a GPR and a constant."),
                              ("SUB", 0x59, "Left minus right: two GPRs, or a GPR and a constant."),
                              ("MUL", 0x5A, "Product of the low halves of two operands.")):
    for _form, _flag, _right in (("Reg", 0, _RIGHT_REG), ("Imm", 1, _RIGHT_IMM6)):
        SCALAR.instruction(
            f"{_name}DMAREG.{_form}", _alu(_opcode, _flag, Unused(3), _right),
            llk=_ALU, ttsync=0, latency="3-4" if _form == "Reg" else "3",
            page=f"{WH}{_name}DMAREG.md", summary=_text)

# SHIFTDMAREG.md has a constant of five bits where the assembler table has six: bit 11 is unused.
for _name, _opcode, _kind, _right, _text in (
    ("BITWOP", 0x5B, BITWOP_MODE, (_RIGHT_IMM6,), "AND, OR or XOR of two operands."),
    ("SHIFT", 0x5C, SHIFT_MODE, (Unused(1), "right_imm5" / Bits(5)), "Shift left or right."),
    ("CMP", 0x5D, CMP_MODE, (_RIGHT_IMM6,), "Compare unsigned numbers; the result is 0 or 1."),
):
    for _form, _flag, _parts in (("Reg", 0, (_RIGHT_REG,)), ("Imm", 1, _right)):
        SCALAR.instruction(
            f"{_name}DMAREG.{_form}", _alu(_opcode, _flag, _MODE, *_parts),
            llk=_ALU_MODE, ttsync=0, latency="3-4" if _form == "Reg" else "3",
            operands={"mode": Operand(_kind, "the operation")},
            page=f"{WH}{_name}DMAREG.md", summary=_text)

_SETDMAREG = "Payload_SigSelSize@22 Payload_SigSel@8 SetSignalsMode@7 RegIndex16b@0"
SCALAR.instruction(
    "SETDMAREG.Immediate", tensix(0x45, "new_value" / Bits(16), Fixed(0, 1),
                                  "result_half_reg" / Bits(7)),
    llk=_SETDMAREG, ttsync=0, latency="1", page=WH + "SETDMAREG_Immediate.md",
    summary="Write a constant to one half of a GPR.")
SCALAR.instruction(
    "SETDMAREG.Special", tensix(0x45, "result_size" / Bits(2), Unused(3), "which_packers" / Bits(4),
                                "input_source" / Bits(4), "input_half_reg" / Bits(3), Fixed(1, 1),
                                "result_half_reg" / Bits(7)),
    llk=_SETDMAREG, ttsync=0, latency="1", page=WH + "SETDMAREG_Special.md",
    summary="Write something that the packers know to GPRs.")
SCALAR.instruction(
    "FLUSHDMA", tensix(0x46, Unused(20), "condition_mask" / Bits(4)),
    llk="FlushSpec@0", ttsync=7, latency="2+", page=WH + "FLUSHDMA.md",
    summary="Occupy the Scalar Unit, which holds whoever wants it, until conditions are met.")

_REG2FLOP = "SizeSel@22 TargetSel@20 ByteOffset@18 ContextId_2@16 FlopIndex@6 RegIndex@0"
# BackendConfiguration.md of Blackhole names no REG2FLOP: there this form cannot be relied on.
SCALAR.instruction(
    "REG2FLOP.Configuration", tensix(0x48, "size_sel" / Bits(2), Fixed(0, 2), Unused(7),
                                     "thcon_cfg_index" / Bits(7), "input_reg" / Bits(6)),
    llk=_REG2FLOP, ttsync=2, latency="2+", page=WH + "REG2FLOP_Configuration.md",
    summary="Copy from GPRs to THCON configuration.")
SCALAR.instruction(
    "REG2FLOP.ADC", tensix(0x48, "size_sel" / Bits(2), Fixed(1, 1), "override_thread" / Bits(1),
                           "shift8" / Bits(2), "thread_sel" / Bits(2), Unused(4),
                           "channel" / Bits(1), "adc_sel" / Bits(2), "cr" / Bits(1),
                           "xyzw" / Bits(2), "input_reg" / Bits(6)),
    llk=_REG2FLOP, ttsync=2, latency="2+", page=WH + "REG2FLOP_ADC.md",
    summary="Copy from a GPR to an address counter.")

_OFFSET = ("offset_half_reg" / Bits(7), "offset_increment" / Bits(2))
_STOREIND = ("MemHierSel@23 SizeSel@22 RegSizeSel@21 OffsetIndex@14 AutoIncSpec@12 DataRegIndex@6 "
             "AddrRegIndex@0")
SCALAR.instruction(
    "LOADIND", tensix(0x49, "size" / Bits(2), Unused(1), *_OFFSET, "result_reg" / Bits(6),
                      "addr_reg" / Bits(6)),
    llk="SizeSel@22 OffsetIndex@14 AutoIncSpec@12 DataRegIndex@6 AddrRegIndex@0",
    ttsync=3, latency="3+", page=WH + "LOADIND.md",
    summary="Load from L1 to GPRs, which have the data some cycles later.")
SCALAR.instruction(
    "STOREIND.L1", tensix(0x66, Fixed(1, 1), "size" / Bits(2), *_OFFSET, "data_reg" / Bits(6),
                          "addr_reg" / Bits(6)),
    llk=_STOREIND, ttsync=3, latency="3+", page=WH + "STOREIND_L1.md",
    summary="Store from GPRs to L1.")
SCALAR.instruction(
    "STOREIND.MMIO", tensix(0x66, Fixed(1, 2), Unused(1), *_OFFSET, "data_reg" / Bits(6),
                            "addr_reg" / Bits(6)),
    llk=_STOREIND, ttsync=3, latency="3+", page=WH + "STOREIND_MMIO.md",
    operands={"addr_reg": Operand(GPR, "address in MMIO, see the page")},
    summary="Store a GPR to the tile's MMIO addresses.")
SCALAR.instruction(
    "STOREIND.Src", tensix(0x66, Fixed(0, 2), "store_to_src_b" / Bits(1), *_OFFSET,
                           "data_reg" / Bits(6), "addr_reg" / Bits(6)),
    llk=_STOREIND, ttsync=3, latency="3+", page=WH + "STOREIND_Src.md",
    operands={"addr_reg": Operand(GPR, "row and column, see the page")},
    summary="Store four BF16 datums from a pair of GPRs to SrcA or SrcB.")

SCALAR.instruction(
    "ATINCGET", tensix(0x61, Unused(5), "int_width" / Bits(5), "ofs" / Bits(2),
                       "in_out_reg" / Bits(6), "addr_reg" / Bits(6)),
    llk="MemHierSel@23 WrapVal@14 Sel32b@12 DataRegIndex@6 AddrRegIndex@0",
    ttsync=1, latency="3+", page=WH + "ATINCGET.md",
    summary="Add to a word of L1 atomically; the GPR has the old value some cycles later.")
SCALAR.instruction(
    "ATINCGETPTR", tensix(0x62, Unused(1), "no_incr" / Bits(1), "incr_log2" / Bits(4),
                          "int_width" / Bits(4), "ofs" / Bits(2), "result_reg" / Bits(6),
                          "addr_reg" / Bits(6)),
    llk="MemHierSel@23 NoIncr@22 IncrVal@18 WrapVal@14 Sel32b@12 DataRegIndex@6 AddrRegIndex@0",
    ttsync=1, latency="15+", page=WH + "ATINCGETPTR.md",
    summary="Advance a FIFO's read or write pointer in L1, waiting while empty or full.")
SCALAR.instruction(
    "ATSWAP", tensix(0x63, Unused(1), "single_data_reg" / Bits(1), "mask" / Bits(8), Unused(2),
                     "data_reg" / Bits(6), "addr_reg" / Bits(6)),
    llk="MemHierSel@23 SwapMask@14 DataRegIndex@6 AddrRegIndex@0",
    ttsync=1, latency="3+", page=WH + "ATSWAP.md",
    summary="Write chosen halves of 16 bytes of L1 atomically; nothing comes back.")
SCALAR.instruction(
    "ATCAS", tensix(0x64, Unused(2), "set_val" / Bits(4), "cmp_val" / Bits(4), "ofs" / Bits(2),
                    Unused(6), "addr_reg" / Bits(6)),
    llk="MemHierSel@23 SwapVal@18 CmpVal@14 Sel32b@12 DataRegIndex@6 AddrRegIndex@0",
    ttsync=1, latency="15+", page=WH + "ATCAS.md",
    summary="Wait until a word of L1 has one value and set it to another, atomically.")
SCALAR.instruction(
    "STOREREG", tensix(0x67, "data_reg" / Bits(6), "addr_lo" / Bits(18)),
    llk="TdmaDataRegIndex@18 RegAddr@0", ttsync=5, latency="3+", page=WH + "STOREREG.md",
    summary="Store a GPR to the tile's MMIO addresses.")
SCALAR.instruction(
    "LOADREG", tensix(0x68, "result_reg" / Bits(6), "addr_lo" / Bits(18)),
    llk="TdmaDataRegIndex@18 RegAddr@0", ttsync=6, latency="3+", page=WH + "LOADREG.md",
    summary="Load from the tile's MMIO addresses to a GPR, which has the data some cycles later.")
SCALAR.instruction(
    "DMANOP", tensix(0x60, Unused(24)), llk="", latency="1", page=WH + "DMANOP.md",
    summary="Occupy the Scalar Unit for one cycle.")
# STALLWAIT.md has it held by B0 alone; the assembler table files it under ThCon.
SCALAR.instruction(
    "RSTDMA", tensix(0x44, Unused(24)), llk="", blocked_by=Block.B0, page=YAML,
    status=Status.UNDOCUMENTED,
    summary="Reset of the TDMA engine, on no page.")
# fmt: on
