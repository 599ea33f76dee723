# SPDX-License-Identifier: Apache-2.0
"""Commands of TDMA-RISC (core/tensix/mover/commands.py), and what is known of copies.

A command is an interval from the store that has enqueued it to its end on the line COMMANDS, in the
order of the queue; a copy that it starts ends on the line MOVER. Parameters are read when the
store is processed, the base of a compact command when the command is.

Two things say that a copy is over: STALLWAIT C9, of copies that are known to have begun, and a load
of STATUS, of commands that are known to be enqueued. C9 looks at the mover alone: a command
may still be queued.
"""

from tensix_gdb.core.arch.blackhole import NC, T0, SoftReset
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.race import units
from tensix_gdb.core.race.clocks import copy, reach
from tensix_gdb.core.race.fields import (
    COMMANDED,
    COMMANDS_KEPT,
    MOVES_KEPT,
    TDMA_CELLS,
)
from tensix_gdb.core.race.lines import COMMANDS, MOVER, STORE, Region, of_hart
from tensix_gdb.core.race.shadow import READ, WRITE, access
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.mover import commands
from tensix_gdb.core.tensix.mover.commands import COMPACT, WRITE_64, Command
from tensix_gdb.core.tensix.mover.unit import L1_TO_L0, L1_TO_L1

COLD = True  # little time of LLVM for it (core/engine/README.md)

PARAMETERS, COMMAND, STATUS, BASE = 0, 4, 5, 11  # words of TDMA-RISC


def mask_of(hart: int, word: int) -> int:
    """Return the mask of a request on the cell of a word: XMOV_L1_BASE_ADDR is one for each
    core."""
    if word == BASE:
        return 1 << (T0 if hart == NC else hart)
    return 15


def enqueued(S: View, hart: int, clock: int, site: int) -> int:
    """A store to COMMAND_ADDR was processed."""
    at = S.tdma.queued - 1
    if at < 0 or S.tile_control.soft_reset & SoftReset.TDMA_RISC:
        return 0
    number = S.race.number[clock]
    line = of_hart(hart, Region.TDMA, STORE)
    i = S.race.commands & (COMMANDS_KEPT - 1)
    word = S.tdma.command[at]
    if not word & COMPACT:
        for k in range(4):
            S.race.parameter[i, k] = S.tdma.parameter[at, k]
            access(S, TDMA_CELLS + PARAMETERS + k, 15, READ, clock, line, number, site)
    copy(S, COMMANDED + i, clock)
    reach(S, COMMANDED + i, line, number)
    S.race.command[i] = word
    S.race.command_hart[i] = hart
    S.race.command_site[i] = site
    S.race.command_store[i] = number
    S.race.commands += 1
    return 0


def note_processed(S: View) -> int:
    """Note in each cycle before the gates commands that were processed since the last one."""
    while S.race.ended + S.tdma.queued < S.race.commands:
        ended(S, S.race.ended & (COMMANDS_KEPT - 1), S.race.ended + 1)
        S.race.ended += 1
    return 0


def ended(S: View, i: int, number: int) -> int:
    """A command was processed: check what it touches."""
    clock = COMMANDED + i
    word = S.race.command[i]
    site = S.race.command_site[i]
    S.race.promises = 0
    reach(S, clock, COMMANDS, number)
    reach(S, clock, MOVER, S.race.waited_for)
    match word & 0xFF:
        case Command.MOVE:
            move(S, i, number, clock, word, site)
        case Command.WAIT_IDLE:
            S.race.waited_for = S.race.moves
        case Command.WRITE_L1:
            size = 8 if word & WRITE_64 else 4
            units.span(S, S.race.parameter[i, 0], size, WRITE, clock, COMMANDS, number, site)
    return 0


def move(S: View, i: int, number: int, clock: int, word: int, site: int) -> int:
    """Process a command for the mover; in reset it takes none."""
    if S.tile_control.soft_reset & SoftReset.MOVER:
        return 0
    hart = S.race.command_hart[i]
    src = S.race.parameter[i, 0]
    dst = S.race.parameter[i, 1]
    size = S.race.parameter[i, 2] & 0xFFFF
    mode = S.race.parameter[i, 3] & 3
    if word & COMPACT:
        access(S, TDMA_CELLS + BASE, mask_of(hart, BASE), READ, clock, COMMANDS, number, site)
        src = commands.base_of(S, hart) + ((word >> 8) & 0xFF)
        dst = (word >> 16) & 0xFF
        size = (word >> 24) & 0x3F
        mode = L1_TO_L1 if (word >> 30) & 1 else L1_TO_L0
    src = (src << 4) & MASK32
    dst = (dst << 4) & MASK32
    return units.moves(S, clock, site, src, dst, 16 * size, mode, COMMANDS, number)


def status(S: View, clock: int) -> int:
    """A request is about to load STATUS: which commands and copies that shows to be over."""
    note_processed(S)
    S.race.carries[clock] = 1
    number = S.race.commands
    oldest = max(number - COMMANDS_KEPT, 0)
    while number > oldest:
        i = (number - 1) & (COMMANDS_KEPT - 1)
        line = of_hart(S.race.command_hart[i], Region.TDMA, STORE)
        if S.race.clock[clock, line] >= S.race.command_store[i]:
            reach(S, clock, COMMANDS, min(number, S.race.ended))
            oldest = number
        number -= 1
    return after_copies(S, clock, clock, S.race.moves - S.busy.mover)


def after_copies(S: View, clock: int, knows: int, most: int) -> int:
    """Come after those of the first `most` copies that the clock `knows` says to have begun."""
    for back in range(MOVES_KEPT):
        number = most - back
        if number <= 0 or number <= S.race.moves - MOVES_KEPT:
            return 0
        i = number & (MOVES_KEPT - 1)
        if S.race.clock[knows, S.race.move_line[i]] >= S.race.move_at[i]:
            return reach(S, clock, MOVER, number)
    return 0
