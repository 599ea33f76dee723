# SPDX-License-Identifier: Apache-2.0
"""Configuration Unit (ConfigurationUnit.md): reads and writes of the backend configuration.

Indexes are in words of the bank that the thread's CFG_STATE_ID selects; SETC16 alone writes
ThreadConfig, of the issuing thread. The others go through a pipeline of their own (pipeline.py);
what they do is done there.
"""

from collections.abc import Callable

from tensix_gdb.core.arch.chips import CONFIG_WORDS, THREAD_CONFIG_WORDS
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.faults.reports import report
from tensix_gdb.core.isa import opcodes
from tensix_gdb.core.isa.config_words import CONFIG, THREAD_CONFIG, config_fields
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.isa.operand import ALWAYS, FLAG, GPR, HEX, Choice, Name
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix import gpr_use
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.config.pipeline import (
    ACCESS,
    GPR_READ,
    MASK_MODE,
    NEW,
    PREPARE,
    Op,
    ShiftMode,
    drops_read,
    enter,
)
from tensix_gdb.core.tensix.config.words import SET_THREAD_CONFIG
from tensix_gdb.core.tensix.config_use import ConfigUse, MaskedByte, Rotated, Stage
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.gate.head import fault_at_gate, word_at_gate
from tensix_gdb.core.tensix.instruction import BH, Arch, F, Group, Operand, Unit, tensix
from tensix_gdb.core.tensix.unpacker import context as unpack_context

# fmt: off
ALU_MODE = Choice(always=True, names=(
    Name("OR", ShiftMode.OR, meaning="old | scratch"),
    Name("AND", ShiftMode.AND, meaning="old & scratch"),
    Name("XOR", ShiftMode.XOR, meaning="old ^ scratch"),
    Name("ADD", ShiftMode.ADD, meaning="old + scratch"),
    Name("ORN", ShiftMode.ORN, meaning="old | ~scratch"),
    Name("ANDN", ShiftMode.ANDN, meaning="old & ~scratch"),
    Name("XNOR", ShiftMode.XNOR, meaning="old ^ ~scratch"),
    Name("SUB", ShiftMode.SUB, meaning="old - scratch"),
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
# fmt: on

_FIELDS = config_fields(Arch.BLACKHOLE)
STATE_ID_WORD = _FIELDS["CFG_STATE_ID_StateID"].word
SCRATCH_WORD = _FIELDS["SCRATCH_SEC0_val"].word
STREAM_WORD = _FIELDS["STREAM_ID_SYNC_SEC0_BankSel"].word


def bank_of(S: View, thread: int) -> int:
    """Return the bank of Config that the thread uses."""
    return S.config.thread[thread, STATE_ID_WORD] & 1


def stream_of(S: View, thread: int, select: int) -> int:
    """Return the overlay stream that STREAM_ID_SYNC names."""
    return S.config.thread[thread, STREAM_WORD + select] & 63


@CONFIGURATION.instruction(
    "WRCFG", tensix(opcodes.WRCFG, Unused(2), "input_reg" / Bits(6), "is_128_bit" / Bits(1),
                    Unused(4), "cfg_index" / Bits(11)),
    llk="GprAddress@16 wr128b@15 CfgReg@0", ttsync=8, latency="2", page=BH + "WRCFG.md",
    gprs={"input_reg": gpr_use.READ.four_if("is_128_bit")},
    config=ConfigUse("cfg_index", Stage.PIPE, four_if="is_128_bit"),
    summary="Copy one GPR or four to configuration; the next instruction must not use them yet.",
)  # fmt: skip
def wrcfg(S: View, thread: int, input_reg: int, is_128_bit: int, cfg_index: int) -> int:
    """WRCFG.md"""
    if cfg_index >= CONFIG_WORDS[S.tile.chip]:
        return fault_at_gate(S, thread, Fault.TENSIX_CONFIG_INDEX)
    kind = Op.WRITE_4 if is_128_bit else Op.WRITE_1
    return enter(S, GPR_READ, kind, thread, bank_of(S, thread), cfg_index, input_reg)


@CONFIGURATION.instruction(
    "RDCFG", tensix(0xB1, Unused(2), "result_reg" / Bits(6), Unused(5), "cfg_index" / Bits(11)),
    llk="GprAddress@16 CfgReg@0", ttsync=9, latency="2+", page=BH + "RDCFG.md",
    gprs={"result_reg": gpr_use.LATE},
    config=ConfigUse("cfg_index", Stage.PIPE, reads=True, writes=False),
    summary="Copy a word of configuration to a GPR, which has it some cycles later.",
)  # fmt: skip
def rdcfg(S: View, thread: int, result_reg: int, cfg_index: int) -> int:
    """RDCFG.md"""
    if cfg_index >= CONFIG_WORDS[S.tile.chip]:
        return fault_at_gate(S, thread, Fault.TENSIX_CONFIG_INDEX)
    return READ[S.tile.chip](S, thread, cfg_index, result_reg)


def read_blackhole(S: View, thread: int, index: int, reg: int) -> int:
    """It enters the pipeline, which has room for it."""
    return enter(S, ACCESS, Op.READ, thread, bank_of(S, thread), index, reg)


def read_wormhole(S: View, thread: int, index: int, reg: int) -> int:
    """The same, unless another thread has issued one in this cycle: this one does nothing then."""
    if drops_read(S):
        hart = S.fifo.hart[thread, C, S.fifo.head[thread, C]]
        pc = S.fifo.pc[thread, C, S.fifo.head[thread, C]]
        report(S, Fault.RDCFG_DROPPED, hart, pc, word_at_gate(S, thread), thread << 32 | pc)
        return 0
    read_blackhole(S, thread, index, reg)
    if S.schedule.kind != Schedule.SC:
        S.config_pipe.data[ACCESS, 1] = NEW
    return 0


READ = (read_blackhole, read_wormhole)


@CONFIGURATION.instruction(
    "SETC16", tensix(opcodes.SETC16, "cfg_index" / Bits(8), "new_value" / Bits(16)),
    llk="setc16_reg@16 setc16_value@0", latency="1", page=BH + "SETC16.md",
    operands={"cfg_index": Operand(THREAD_CONFIG, "word of this thread's ThreadConfig")},
    config=ConfigUse("cfg_index", Stage.GATE),
    summary="Write a word of this thread's ThreadConfig.",
)  # fmt: skip
def setc16(S: View, thread: int, cfg_index: int, new_value: int) -> int:
    """SETC16.md"""
    if cfg_index >= THREAD_CONFIG_WORDS[S.tile.chip]:
        return fault_at_gate(S, thread, Fault.TENSIX_CONFIG_INDEX)
    if SET_THREAD_CONFIG[S.tile.chip](S, thread, cfg_index, new_value):
        unpack_context.misc_written(S, bank_of(S, thread), thread)
    return 0


def _rmwcib(byte: int) -> Callable[[F], F]:
    return CONFIGURATION.instruction(
        f"RMWCIB{byte}",
        tensix(opcodes.RMWCIB0 + byte, "mask" / Bits(8), "new_value" / Bits(8), "index4" / Bits(8)),
        llk="Mask@16 Data@8 CfgRegAddr@0", latency="1", page=BH + "RMWCIB.md",
        config=ConfigUse("index4", Stage.PIPE, reads=True, bits=MaskedByte("mask", byte)),
        summary=f"Write the masked bits of byte {byte} of a word of configuration.",
    )  # fmt: skip


def rmwcib(S: View, thread: int, mask: int, new_value: int, index4: int, byte: int) -> int:
    """RMWCIB.md"""
    if index4 >= CONFIG_WORDS[S.tile.chip]:
        return fault_at_gate(S, thread, Fault.TENSIX_CONFIG_INDEX)
    enter(S, ACCESS, Op.MODIFY, thread, bank_of(S, thread), index4, 0)
    S.config_pipe.data[ACCESS, 0] = mask << (8 * byte)
    S.config_pipe.data[ACCESS, 1] = new_value << (8 * byte)
    return 0


@_rmwcib(0)
def rmwcib0(S: View, thread: int, mask: int, new_value: int, index4: int) -> int:
    """Byte 0."""
    return rmwcib(S, thread, mask, new_value, index4, 0)


@_rmwcib(1)
def rmwcib1(S: View, thread: int, mask: int, new_value: int, index4: int) -> int:
    """Byte 1."""
    return rmwcib(S, thread, mask, new_value, index4, 1)


@_rmwcib(2)
def rmwcib2(S: View, thread: int, mask: int, new_value: int, index4: int) -> int:
    """Byte 2."""
    return rmwcib(S, thread, mask, new_value, index4, 2)


@_rmwcib(3)
def rmwcib3(S: View, thread: int, mask: int, new_value: int, index4: int) -> int:
    """Byte 3."""
    return rmwcib(S, thread, mask, new_value, index4, 3)


@CONFIGURATION.instruction(
    "STREAMWRCFG", tensix(0xB7, Unused(1), "stream_select" / Bits(2), "reg_index" / Bits(10),
                          "cfg_index" / Bits(11)),
    arch=Arch.BLACKHOLE, llk="stream_id_sel@21 StreamRegAddr@11 CfgReg@0",
    ttsync=4, latency="5+", page=BH + "STREAMWRCFG.md",
    config=ConfigUse("cfg_index", Stage.LATE),
    reads=(uses.STREAMS,),
    summary="Copy a register of a NoC overlay stream to configuration.",
)  # fmt: skip
def streamwrcfg(S: View, thread: int, stream_select: int, reg_index: int, cfg_index: int) -> int:
    """STREAMWRCFG.md"""
    if cfg_index >= CONFIG_WORDS[S.tile.chip]:
        return fault_at_gate(S, thread, Fault.TENSIX_CONFIG_INDEX)
    register = stream_of(S, thread, stream_select) << 10 | reg_index
    return enter(S, PREPARE, Op.STREAM, thread, bank_of(S, thread), cfg_index, register)


@CONFIGURATION.instruction(
    "CFGSHIFTMASK", tensix(opcodes.CFGSHIFTMASK, "mask_mode" / Bits(1), "alu_mode" / Bits(3),
                           "mask_width" / Bits(5), "rotate_amt" / Bits(5),
                           "scratch_index" / Bits(2), "cfg_index" / Bits(8)),
    arch=Arch.BLACKHOLE,
    llk="disable_mask_on_old_val@23 operation@20 mask_width@15 right_cshift_amt@10 "
        "scratch_sel@8 CfgReg@0",
    ttsync=4, latency="2", page=BH + "CFGSHIFTMASK.md",
    config=ConfigUse("cfg_index", Stage.PIPE, reads=True, scratch="scratch_index",
                     bits=Rotated("mask_width", "rotate_amt")),
    summary="Combine masked and rotated bits of a scratch register with a word of configuration.",
)  # fmt: skip
def cfgshiftmask(
    S: View,
    thread: int,
    mask_mode: int,
    alu_mode: int,
    mask_width: int,
    rotate_amt: int,
    scratch_index: int,
    cfg_index: int,
) -> int:
    """CFGSHIFTMASK.md"""
    if cfg_index >= CONFIG_WORDS[S.tile.chip]:
        return fault_at_gate(S, thread, Fault.TENSIX_CONFIG_INDEX)
    bank = bank_of(S, thread)
    modes = alu_mode | (MASK_MODE if mask_mode else 0)
    enter(S, ACCESS, Op.SHIFT, thread, bank, cfg_index, modes)
    S.config_pipe.data[ACCESS, 0] = mask_width
    S.config_pipe.data[ACCESS, 1] = rotate_amt
    S.config_pipe.data[ACCESS, 2] = SCRATCH_WORD + (scratch_index if scratch_index < 3 else thread)
    return enter(S, GPR_READ, Op.SHIFTED, thread, bank, cfg_index, 0)
