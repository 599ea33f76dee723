# SPDX-License-Identifier: Apache-2.0
"""The Scalar Unit's other instructions: constants, counters, waiting."""

from collections.abc import Callable

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.isa.schema import Bits, Fixed, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.config_use import ConfigUse, Stage
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.gpr_use import READ, WRITE
from tensix_gdb.core.tensix.instruction import WH, YAML, Arch, F, Status, tensix
from tensix_gdb.core.tensix.packer.metadata import Source
from tensix_gdb.core.tensix.regfiles import adc
from tensix_gdb.core.tensix.scalar.from_packers import IS_KNOWN, to_gprs
from tensix_gdb.core.tensix.scalar.pipeline import COUNTER, FLUSHING, enter_with_gprs, hold_unit
from tensix_gdb.core.tensix.scalar.unit import SCALAR, Size

# fmt: off
_SETDMAREG = "Payload_SigSelSize@22 Payload_SigSel@8 SetSignalsMode@7 RegIndex16b@0"
_REG2FLOP = "SizeSel@22 TargetSel@20 ByteOffset@18 ContextId_2@16 FlopIndex@6 RegIndex@0"
# fmt: on


@SCALAR.instruction(
    "SETDMAREG.Immediate", tensix(0x45, "new_value" / Bits(16), Fixed(0, 1),
                                  "result_half_reg" / Bits(7)),
    llk=_SETDMAREG, ttsync=0, latency="1", page=WH + "SETDMAREG_Immediate.md",
    summary="Write a constant to one half of a GPR.",
)  # fmt: skip
def setdmareg_immediate(S: View, thread: int, new_value: int, result_half_reg: int) -> int:
    """SETDMAREG_Immediate.md"""
    enter_with_gprs(S, thread, result_half_reg >> 1)
    S.gpr.half[thread * 128 + result_half_reg] = new_value
    return 0


@SCALAR.instruction(
    "SETDMAREG.Special", tensix(0x45, "result_size" / Bits(2), Unused(3), "which_packers" / Bits(4),
                                "input_source" / Bits(4), "input_half_reg" / Bits(3), Fixed(1, 1),
                                "result_half_reg" / Bits(7)),
    llk=_SETDMAREG, ttsync=0, latency="1", page=WH + "SETDMAREG_Special.md",
    gprs={"result_half_reg": WRITE.result("result_size")},
    reads=(uses.PACKERS,), writes=(uses.PACKERS.when("input_source", Source.CLEAR_SIZE),),
    summary="Write something that the packers know to GPRs.",
)  # fmt: skip
def setdmareg_special(
    S: View,
    thread: int,
    result_size: int,
    which_packers: int,
    input_source: int,
    input_half_reg: int,
    result_half_reg: int,
) -> int:
    """SETDMAREG_Special.md; what belongs to packers 1 to 3 does not exist on Blackhole."""
    if not IS_KNOWN[S.tile.chip](input_source, which_packers):
        return fault_at_gate(S, thread, Fault.TENSIX_MODE)
    enter_with_gprs(S, thread, result_half_reg >> 1)
    return to_gprs(
        S, thread, result_size, which_packers, input_source, input_half_reg, result_half_reg
    )


@SCALAR.instruction(
    "FLUSHDMA", tensix(0x46, Unused(20), "condition_mask" / Bits(4)),
    llk="FlushSpec@0", ttsync=7, latency="2+", page=WH + "FLUSHDMA.md",
    summary="Occupy the Scalar Unit until conditions are met; every other user of it waits.",
)  # fmt: skip
def flushdma(S: View, thread: int, condition_mask: int) -> int:
    """FLUSHDMA.md"""
    S.thcon.value = condition_mask if condition_mask else 0xF
    return hold_unit(S, thread, FLUSHING, 2)


def reg2flop_to_configuration(arch: Arch) -> Callable[[F], F]:
    """Return the row of a chip; that of Wormhole is in to_thcon.py."""
    return SCALAR.instruction(
        "REG2FLOP.Configuration", tensix(0x48, "size_sel" / Bits(2), Fixed(0, 2), Unused(7),
                                         "thcon_cfg_index" / Bits(7), "input_reg" / Bits(6)),
        arch=arch, llk=_REG2FLOP, ttsync=2, latency="2+", page=WH + "REG2FLOP_Configuration.md",
        gprs={"input_reg": READ.four_unless("size_sel")},
        config=ConfigUse("thcon_cfg_index", Stage.SCALAR, four_unless="size_sel"),
        summary="Copy from GPRs to THCON configuration.",
    )  # fmt: skip


@reg2flop_to_configuration(Arch.BLACKHOLE)
def reg2flop_configuration(
    S: View, thread: int, size_sel: int, thcon_cfg_index: int, input_reg: int
) -> int:
    """BackendConfiguration.md of Blackhole names no REG2FLOP: it cannot be relied on there."""
    return fault_at_gate(S, thread, Fault.TENSIX_REG2FLOP)


@SCALAR.instruction(
    "REG2FLOP.ADC", tensix(0x48, "size_sel" / Bits(2), Fixed(1, 1), "override_thread" / Bits(1),
                           "shift8" / Bits(2), "thread_sel" / Bits(2), Unused(4),
                           "channel" / Bits(1), "adc_sel" / Bits(2), "cr" / Bits(1),
                           "xyzw" / Bits(2), "input_reg" / Bits(6)),
    llk=_REG2FLOP, ttsync=2, latency="2+", page=WH + "REG2FLOP_ADC.md",
    writes=(uses.ADDRESS_COUNTERS.of_thread("thread_sel"),),
    summary="Copy from a GPR to an address counter.",
)  # fmt: skip
def reg2flop_adc(
    S: View, thread: int, size_sel: int, override_thread: int, shift8: int, thread_sel: int,
    channel: int, adc_sel: int, cr: int, xyzw: int, input_reg: int,
) -> int:  # fmt: skip
    """REG2FLOP_ADC.md: sizes and shifts without a meaning are 0; a thread that does not exist is
    ignored."""
    value = S.gpr.word[thread * 64 + input_reg]
    match size_sel:
        case Size.BITS_32:
            value = 0 if shift8 else value
        case Size.BITS_16:
            value = 0 if shift8 & 1 else (value >> (8 * shift8)) & 0xFFFF
        case Size.BITS_8:
            value = (value >> (8 * shift8)) & 0xFF
        case _:
            value = 0
    S.thcon.reg = adc.place(thread_sel if override_thread else thread, adc_sel, channel, cr, xyzw)
    S.thcon.value = value
    return hold_unit(S, thread, COUNTER, 2)


@SCALAR.instruction(
    "DMANOP", tensix(0x60, Unused(24)), llk="", latency="1", page=WH + "DMANOP.md",
    summary="Occupy the Scalar Unit for one cycle.",
)  # fmt: skip
def dmanop(S: View, thread: int) -> int:
    """DMANOP.md"""
    return 0


# STALLWAIT.md has it held by B0 alone; the assembler table files it under ThCon.
SCALAR.instruction(
    "RSTDMA", tensix(0x44, Unused(24)), llk="", blocked_by=Block.B0, page=YAML,
    status=Status.UNDOCUMENTED,
    summary="Reset of the TDMA engine, on no page.",
)  # fmt: skip
