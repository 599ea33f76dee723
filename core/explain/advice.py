# SPDX-License-Identifier: Apache-2.0
"""Advice on a fault, where its place tells more than the fault itself.

Faults have a sentence of their own for that (core/faults/codes.py); here are those for a program
that was built for another hart or chip, a stack that is too small, words that were never
instructions, and the bank of the configuration that was never written.
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, LOCAL_BASE, THREAD_NAMES
from tensix_gdb.core.arch.chips import LOCAL_BYTES, WORMHOLE
from tensix_gdb.core.devices.backend_config import WORDS
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.decode import NUMBERS, decode
from tensix_gdb.core.riscv.table import AS_EXECUTED, FIRST, ROWS
from tensix_gdb.core.stop import AT_GATE, IN_UNPACKER
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.frontend.fifo import VIA_MOP, VIA_REPLAY, C

SP = 2
FFLAGS, FRM = 0x001, 0x002  # CSRs
BELOW_LOCAL = 0x10000  # bytes; what is nearer to local RAM than this may be a stack that has grown
_BY_CONFIGURATION = ("UNPACK", "PACR")  # what begins so is what the configuration has said
_BUILD = (
    "build it for Wormhole (`tensix-gdb build --arch wormhole`), or start with --arch blackhole"
)
_UNMAPPED = (Fault.LOAD_UNMAPPED, Fault.STORE_UNMAPPED)


def next_by_place(S: View, hart: int, code: int, a: int, b: int, *, is_code: bool) -> str:
    """Return a sentence without its end, or nothing. `is_code` tells whether a program has code
    where the instruction of the fault was pushed."""
    if code == Fault.ILLEGAL_INSTRUCTION and S.tile.chip:
        return _of_blackhole(a & 0xFFFFFFFF)
    if code in _UNMAPPED:
        return _unmapped(S, hart, a & 0xFFFFFFFF)
    if code == Fault.UNKNOWN_CSR and a in (FFLAGS, FRM):
        return (
            "read fcsr, which has its bits; no instruction sets the exception flags there, and the "
            "rounding mode is ignored"
        )
    if code == Fault.TENSIX_ILLEGAL:
        return _no_instruction(S, b >> 32, is_code)
    if S.stop.stream & (AT_GATE | IN_UNPACKER) and Fault(code).name.startswith(_BY_CONFIGURATION):
        return _empty_bank(S, b >> 32 & 3)
    return ""


def _of_blackhole(word: int) -> str:
    """A word that is an instruction of Blackhole's harts alone."""
    op = decode(word) & 0xFF
    if op < FIRST or AS_EXECUTED[WORMHOLE * NUMBERS + op] == op:
        return ""
    return f"it is Blackhole's {ROWS[op - FIRST].name}: {_BUILD}"


def _empty_bank(S: View, thread: int) -> str:
    """A thread that uses a bank of the configuration that was never written."""
    bank = bank_of(S, thread)
    words = S.config.word
    used, other = (any(words[number, i] for i in range(WORDS)) for number in (bank, 1 - bank))
    if used or not other:
        return ""
    return (
        f"{THREAD_NAMES[thread]} has chosen bank {bank} of the configuration (CFG_STATE_ID), in "
        f"which every word is 0; bank {1 - bank} has been written"
    )


def _unmapped(S: View, hart: int, addr: int) -> str:
    of_chip = LOCAL_BYTES[S.tile.chip * HARTS :][:HARTS]
    end = LOCAL_BASE + of_chip[hart]
    on_blackhole = LOCAL_BASE + LOCAL_BYTES[hart]
    if end <= addr < on_blackhole:
        return (
            f"was the program linked for Blackhole? The local RAM of {HART_NAMES[hart]} ends at "
            f"{on_blackhole:#010x} there, and at {end:#010x} here: {_BUILD}"
        )
    if end <= addr < LOCAL_BASE + max(of_chip):
        return (
            f"was the program linked for B or NC? The local RAM of {HART_NAMES[hart]} ends at "
            f"{end:#010x}, theirs is larger"
        )
    if LOCAL_BASE - BELOW_LOCAL <= S.hart.x[hart, SP] & 0xFFFFFFFF < LOCAL_BASE and (
        LOCAL_BASE - BELOW_LOCAL <= addr < LOCAL_BASE
    ):
        return (
            f"the stack has grown out of local RAM, which begins at {LOCAL_BASE:#010x}; look at "
            "`backtrace` for what takes so much of it"
        )
    return ""


def _no_instruction(S: View, thread: int, is_code: bool) -> str:
    name = THREAD_NAMES[thread].partition(" ")[0]
    via = S.fifo.via[thread, C, S.fifo.head[thread, C]]
    if via & VIA_REPLAY:
        return f"look at `monitor replay {name}`: REPLAY plays what was never recorded there"
    if via & VIA_MOP:
        return f"look at `monitor mop {name}`: MOP takes its instructions from there"
    if not is_code:
        return (
            "no program has code there, so the pc has gone astray: look at `info registers ra sp`: "
            "a wrong return address or function pointer?"
        )
    return ""
