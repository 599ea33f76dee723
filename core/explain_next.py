# SPDX-License-Identifier: Apache-2.0
"""What to try next at a fault, where the place of it tells more than the fault itself.

Faults have a sentence of their own for that (core/faults.py); here are those for a program that was
linked for another hart, a stack that is too small, and words that were never instructions.
"""

from __future__ import annotations

from core.arch.blackhole import HART_NAMES, LOCAL_BASE, LOCAL_BYTES, THREAD_NAMES
from core.faults import Fault
from core.layout import View
from core.tensix.fifo import VIA_MOP, VIA_REPLAY, C

SP = 2
BELOW_LOCAL = 0x10000  # bytes; what is nearer to local RAM than this may be a stack that has grown
_UNMAPPED = (Fault.LOAD_UNMAPPED, Fault.STORE_UNMAPPED)


def next_by_place(S: View, hart: int, code: int, a: int, b: int, *, is_code: bool) -> str:
    """A sentence without its end, or nothing. `is_code` tells whether a program has code where the
    instruction of the fault was pushed."""
    if code in _UNMAPPED:
        return _unmapped(S, hart, a & 0xFFFFFFFF)
    if code == Fault.TENSIX_ILLEGAL:
        return _no_instruction(S, b >> 32, is_code)
    return ""


def _unmapped(S: View, hart: int, addr: int) -> str:
    end = LOCAL_BASE + LOCAL_BYTES[hart]
    if end <= addr < LOCAL_BASE + max(LOCAL_BYTES):
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
