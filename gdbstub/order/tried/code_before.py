# SPDX-License-Identifier: Apache-2.0
"""Code before and after an access of a core, as far as it says what the core has heard of others:
loads that bring a message, values that nothing uses, a store that is read back."""

from __future__ import annotations

from tensix_gdb.core.assembly.rv32 import ABI_NAMES
from tensix_gdb.core.memory.devices import DEVICES
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.table import FORMS, Form
from tensix_gdb.gdbstub.order.tried.registers import Code

AT = {device.key: device.spans[0].start for device in DEVICES if device.spans}
PCBUF = AT["PCBUF"]
SEMAPHORES = 0x20  # from there on
PRIVATE = (2, 3, 4)  # sp, gp, tp
SIGNALS = (PCBUF, *range(AT["MAILBOX"], AT["MAILBOX"] + 0x10000, 0x10000))
FOLLOWED = 64  # instructions back to the constant of a base register
LOOKED_AT = 24  # instructions before a place
SOON = 8  # instructions after a store
ENDS = (Form.JAL, Form.JALR, Form.EBREAK, Form.ECALL, Form.MRET, Form.ILLEGAL, Form.FENCE)


def is_read_back(code: Code, pc: int) -> bool:
    """True if a load of the same address follows the store at `pc` soon, and its value is used."""
    store = decode(code.word(pc) or 0)
    if FORMS[store & 0xFF] is not Form.STORE:
        return False
    for at in range(pc + 4, pc + 4 * SOON, 4):
        word = code.word(at)
        d = decode(word or 0)
        if word is None or FORMS[d & 0xFF] in ENDS:
            return False
        if FORMS[d & 0xFF] is Form.LOAD and (d >> 16 & 0xFF, d >> 32) == _address(store):
            return _is_used(code, at, d >> 8 & 0xFF)
        if d >> 8 & 0xFF == _address(store)[0]:
            return False
    return False


def _is_used(code: Code, pc: int, number: int) -> bool:
    """True if one of the next instructions reads a register."""
    for at in range(pc + 4, pc + 4 * SOON, 4):
        d = decode(code.word(at) or 0)
        if number in (d >> 16 & 0xFF, d >> 24 & 0xFF):
            return True
        if d >> 8 & 0xFF == number:
            return False
    return False


def _address(d: int) -> tuple[int, int]:
    return d >> 16 & 0xFF, d >> 32


def unused_loads(code: Code, pc: int) -> list[int]:
    """Return the registers of loads before `pc` that nothing between has used, the nearest
    first."""
    found: list[int] = []
    settled: set[int] = set()
    for at in range(pc - 4, pc - 4 * LOOKED_AT - 1, -4):
        word = code.word(at)
        d = decode(word or 0)
        form, rd = FORMS[d & 0xFF], d >> 8 & 0xFF
        if word is None or form in ENDS:
            break
        is_signal = _may_signal(code, at, d >> 16 & 0xFF)
        if form is Form.LOAD and 0 < rd < len(ABI_NAMES) and rd not in settled and is_signal:
            found.append(rd)
        settled |= {rd, d >> 16 & 0xFF, d >> 24 & 0xFF}
    return found


def _may_signal(code: Code, pc: int, base: int) -> bool:
    """True if a load with this base register may tell a hart something: not from its stack or its
    variables, and not from an address that is known and none of these devices."""
    if base in PRIVATE:
        return False
    for at in range(pc - 4, pc - 4 * FOLLOWED - 1, -4):
        word = code.word(at)
        if word is None:
            break
        if word >> 7 & 0x1F == base and FORMS[decode(word) & 0xFF] is Form.LUI:
            return word & 0xFFFF0000 in SIGNALS
    return True


def hears(code: Code, pc: int) -> bool:
    """True if code before `pc` may have waited for another core: it loads a message or a
    semaphore, or a branch leads back to a load."""
    segment = code.segment(pc)
    if segment is None:
        return True
    at, first = code.function_of(pc)
    for place in range(first, at, 4):
        word = code.word(place)
        d = decode(word or 0)
        form = FORMS[d & 0xFF]
        if word is None:
            continue
        if form is Form.LOAD and _is_of_signal(code, place, d >> 16 & 0xFF, d >> 32):
            return True
        if form is Form.BRANCH and d >> 32 < 0 and _polls(code, place + (d >> 32), place):
            return True
    return False


def _is_of_signal(code: Code, pc: int, base: int, offset: int) -> bool:
    """True if a load may be of a mailbox or a semaphore: its address is not known, or is one."""
    for at in range(pc - 4, pc - 4 * FOLLOWED - 1, -4):
        word = code.word(at)
        if word is None:
            break
        if word >> 7 & 0x1F == base and FORMS[decode(word) & 0xFF] is Form.LUI:
            place = word & 0xFFFFF000
            is_sync = place == PCBUF and offset < SEMAPHORES
            return place & 0xFFFF0000 in SIGNALS and not is_sync
    return base not in PRIVATE


def _polls(code: Code, first: int, last: int) -> bool:
    """True if a short loop loads, and neither stores nor pushes: it waits."""
    forms = [FORMS[decode(code.word(at) or 0) & 0xFF] for at in range(first, last, 4)]
    is_short = 0 < len(forms) <= LOOKED_AT
    return is_short and Form.LOAD in forms and not {Form.STORE, Form.TTINSN} & set(forms)
