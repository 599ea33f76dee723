# SPDX-License-Identifier: Apache-2.0
"""Replay Expander (REPLAY.md): 32 instructions recorded once and issued many times.

It follows the MOP Expander; REPLAY itself never reaches the wait gate.
"""

from tensix_gdb.core.isa import opcodes
from tensix_gdb.core.isa.operand import ALWAYS, FLAG
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.instruction import WH, Catch, Group, Operand, Status, Unit, tensix

# fmt: off
REPLAY = Group(Unit.REPLAY, gate=Catch.NEVER, ttsync=14, operands={
    "index": Operand(ALWAYS, "first entry of the replay buffer, modulo 32"),
    "count": Operand(ALWAYS, "number of instructions, up to 32; 0: 32"),
    "exec":  Operand(FLAG, "while recording, also execute"),
    "load":  Operand(FLAG, "1: record the instructions that follow; 0: issue recorded ones"),
})

REPLAY.instruction(
    "REPLAY", tensix(opcodes.REPLAY, Unused(5), "index" / Bits(5), Unused(4), "count" / Bits(6),
                     Unused(2), "exec" / Bits(1), "load" / Bits(1)),
    llk="start_idx@14 len@4 execute_while_loading@1 load_mode@0", page=WH + "REPLAY.md",
    status=Status.IMPLEMENTED,  # in replay_expander.py
    reads=(uses.REPLAY_BUFFER.unless_set("load"),), writes=(uses.REPLAY_BUFFER.if_set("load"),),
    summary="Record the next instructions in the replay buffer, or issue recorded ones.")
# fmt: on
