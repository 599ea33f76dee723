# SPDX-License-Identifier: Apache-2.0
"""Configuration Unit (ConfigurationUnit.md): reads and writes of the backend configuration.

Indexes are in words of the bank that the thread's CFG_STATE_ID selects; SETC16 alone writes
ThreadConfig, of the issuing thread.
"""

from core.isa.config_words import CONFIG, THREAD_CONFIG
from core.isa.masks import Block
from core.isa.operand import ALWAYS, FLAG, GPR, HEX, Choice, Name
from core.isa.schema import Bits, Unused
from core.tensix.instruction import BH, Arch, Group, Operand, Unit, tensix

# fmt: off
ALU_MODE = Choice(always=True, names=(
    Name("OR",    0, meaning="old | scratch"),  Name("AND",   1, meaning="old & scratch"),
    Name("XOR",   2, meaning="old ^ scratch"),  Name("ADD",   3, meaning="old + scratch"),
    Name("ORN",   4, meaning="old | ~scratch"), Name("ANDN",  5, meaning="old & ~scratch"),
    Name("XNOR",  6, meaning="old ^ ~scratch"), Name("SUB",   7, meaning="old - scratch"),
))
SCRATCH = Choice(always=True, names=(
    Name("SEC0", 0, meaning="SCRATCH_SEC0"), Name("SEC1", 1, meaning="SCRATCH_SEC1"),
    Name("SEC2", 2, meaning="SCRATCH_SEC2"), Name("THREAD", 3, meaning="the thread's own"),
))

CONFIGURATION = Group(Unit.CONFIG, blocked_by=Block.B7, operands={
    "cfg_index":     Operand(CONFIG, "word of configuration"),
    "index4":        Operand(CONFIG, "word of configuration"),
    "is_128_bit":    Operand(FLAG, "copy four GPRs to four words, both aligned to four"),
    "input_reg":     Operand(GPR, "where the value comes from"),
    "result_reg":    Operand(GPR, "where the value goes to"),
    "new_value":     Operand(HEX, "the value to write"),
    "mask":          Operand(HEX, "bits of the byte that are written"),
    "mask_mode":     Operand(FLAG, "1: do not clear the masked bits of the old value first"),
    "alu_mode":      Operand(ALU_MODE, "how old value and scratch are combined"),
    "mask_width":    Operand(ALWAYS, "bits of the mask, minus one"),
    "rotate_amt":    Operand(ALWAYS, "how far mask and scratch are rotated right"),
    "scratch_index": Operand(SCRATCH, "which scratch register"),
    "reg_index":     Operand(ALWAYS, "register of the stream"),
    "stream_select": Operand(ALWAYS, "which STREAM_ID_SYNC register names the stream"),
})

CONFIGURATION.instruction(
    "WRCFG", tensix(0xB0, Unused(2), "input_reg" / Bits(6), "is_128_bit" / Bits(1), Unused(4),
                    "cfg_index" / Bits(11)),
    llk="GprAddress@16 wr128b@15 CfgReg@0", ttsync=8, latency="2", page=BH + "WRCFG.md",
    summary="Copy one GPR or four to configuration; the next instruction must not use them yet.")
CONFIGURATION.instruction(
    "RDCFG", tensix(0xB1, Unused(2), "result_reg" / Bits(6), Unused(5), "cfg_index" / Bits(11)),
    llk="GprAddress@16 CfgReg@0", ttsync=9, latency="2+", page=BH + "RDCFG.md",
    summary="Copy a word of configuration to a GPR, which has it some cycles later.")
CONFIGURATION.instruction(
    "SETC16", tensix(0xB2, "cfg_index" / Bits(8), "new_value" / Bits(16)),
    llk="setc16_reg@16 setc16_value@0", latency="1", page=BH + "SETC16.md",
    operands={"cfg_index": Operand(THREAD_CONFIG, "word of this thread's ThreadConfig")},
    summary="Write a word of this thread's ThreadConfig.")
for _byte in range(4):
    CONFIGURATION.instruction(
        f"RMWCIB{_byte}",
        tensix(0xB3 + _byte, "mask" / Bits(8), "new_value" / Bits(8), "index4" / Bits(8)),
        llk="Mask@16 Data@8 CfgRegAddr@0", latency="1", page=BH + "RMWCIB.md",
        summary=f"Write the masked bits of byte {_byte} of a word of configuration.")
CONFIGURATION.instruction(
    "STREAMWRCFG", tensix(0xB7, Unused(1), "stream_select" / Bits(2), "reg_index" / Bits(10),
                          "cfg_index" / Bits(11)),
    arch=Arch.BLACKHOLE, llk="stream_id_sel@21 StreamRegAddr@11 CfgReg@0",
    ttsync=4, latency="5+", page=BH + "STREAMWRCFG.md",
    summary="Copy a register of a NoC overlay stream to configuration.")
CONFIGURATION.instruction(
    "CFGSHIFTMASK", tensix(0xB8, "mask_mode" / Bits(1), "alu_mode" / Bits(3),
                           "mask_width" / Bits(5), "rotate_amt" / Bits(5),
                           "scratch_index" / Bits(2), "cfg_index" / Bits(8)),
    arch=Arch.BLACKHOLE,
    llk="disable_mask_on_old_val@23 operation@20 mask_width@15 right_cshift_amt@10 "
        "scratch_sel@8 CfgReg@0",
    ttsync=4, latency="2", page=BH + "CFGSHIFTMASK.md",
    summary="Combine masked and rotated bits of a scratch register with a word of configuration.")
# fmt: on
