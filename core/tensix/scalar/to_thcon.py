# SPDX-License-Identifier: Apache-2.0
"""REG2FLOP to THCON configuration (REG2FLOP_Configuration.md), which Wormhole has.

GPRs are read when the instruction passes the gate. It stays in the Scalar Unit until it has the
port that writes the THCON configuration, and writes then.
"""

from tensix_gdb.core.arch.wormhole import GLOBAL_WORD, THCON_WORD
from tensix_gdb.core.devices.wormhole.config_words import set_config
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config import pipeline as config_pipe
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.instruction import Arch
from tensix_gdb.core.tensix.scalar.control import reg2flop_to_configuration
from tensix_gdb.core.tensix.scalar.pipeline import TO_THCON, hold_unit, is_due, release

COLD = True  # little time of LLVM for it (core/engine/README.md)

CYCLES = 2  # "usually two"
WORDS_4 = 0  # of SizeSel; anything else is one word
SECOND_BANK = 0x80  # of `reg`, above the index, which has seven bits


@reg2flop_to_configuration(Arch.WORMHOLE)
def reg2flop_configuration_wormhole(
    S: View, thread: int, size_sel: int, thcon_cfg_index: int, input_reg: int
) -> int:
    """REG2FLOP_Configuration.md"""
    if thcon_cfg_index >= GLOBAL_WORD - THCON_WORD:
        return fault_at_gate(S, thread, Fault.TENSIX_CONFIG_INDEX)
    four = size_sel == WORDS_4
    first = input_reg & 0x3C if four else input_reg
    S.thcon.value = 4 if four else 1
    for i in range(S.thcon.value):
        S.thcon.source[i] = S.gpr.word[thread * 64 + first + i]
    index = thcon_cfg_index & 0x7C if four else thcon_cfg_index
    S.thcon.reg = index | (SECOND_BANK if bank_of(S, thread) else 0)
    return hold_unit(S, thread, TO_THCON, CYCLES)


def store_to_thcon(S: View) -> int:
    """The Scalar Unit has such an instruction: write, if time and port allow; 1 if they do."""
    if not is_due(S) or config_pipe.writes_thcon(S):
        return 0
    bank = 1 if S.thcon.reg & SECOND_BANK else 0
    first = THCON_WORD + (S.thcon.reg & (SECOND_BANK - 1))
    for i in range(S.thcon.value):
        set_config(S, bank, first + i, S.thcon.source[i])
    for i in range(4):
        S.thcon.source[i] = 0
    return release(S)
