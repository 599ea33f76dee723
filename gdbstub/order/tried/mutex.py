# SPDX-License-Identifier: Apache-2.0
"""A mutex around the load, change and store with which two T cores each change a word of
configuration (S8, and races of such accesses): a signal orders one change before another one, and
what keeps them apart each time is a mutex (tt-llk#1671).

    before the load     ATGETM, tensix_sync(): the core continues when its thread has the mutex
    after the store     STALLWAIT until the store is processed (C10), ATRELM
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tensix_gdb.core.arch.blackhole import T0, T2
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.race.findings import Access, Report, State
from tensix_gdb.core.race.remedies import waits
from tensix_gdb.core.race.remedies.remedy import Beside, Remedy, RemedyKind
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.table import FORMS, Form
from tensix_gdb.core.tensix.table import opcode
from tensix_gdb.gdbstub.order.tried.code_before import ENDS
from tensix_gdb.gdbstub.order.tried.detour import CodeAt
from tensix_gdb.gdbstub.order.tried.registers import Code
from tensix_gdb.gdbstub.order.tried.words import (
    Here,
    Insertion,
    Part,
    stallwait_word,
    tensix_sync,
)

ATGETM, ATRELM = opcode("ATGETM"), opcode("ATRELM")
NUMBER = 0  # LLK's mutex::REG_RMW
LOOKED_AT = 24  # instructions before or after an access
RELEASE = Block.B1  # STALL_SYNC, which holds ATRELM
WORDS = (
    "a mutex: TTI_ATGETM and tensix_sync() before the load, TTI_STALLWAIT(p_stall::STALL_SYNC, "
    "p_stall::TRISC_CFG) and TTI_ATRELM after the store, in each core,"
)


@dataclass(frozen=True, slots=True)
class Mutex(Remedy):
    """The changes, each a core with its first load and its last access."""

    changes: tuple[tuple[int, int, int], ...] = ()


def mutexes(
    report: Report,
    reports: Sequence[Report],
    code_at: CodeAt,
    arch: Arch,
    *,
    whole: bool = False,
) -> Iterator[Mutex]:
    """Yield a mutex if both sides are parts of such a change of two T cores; with `whole` if one of
    them is, and the other one stores the word without a load before. It goes around all accesses
    to the word that are in `reports`."""
    sides = report.earlier, report.later
    if report.place.state is not State.CONFIG or report.check not in ("", "S8"):
        return
    if sides[0].hart == sides[1].hart or not all(map(_is_of_core, sides)):
        return
    changing = sum(_change(each, code_at) is not None for each in sides)
    if changing != (1 if whole else 2):
        return
    word = (report.place.unit, report.place.index)
    changes: dict[tuple[int, int, int], None] = {}
    for one in reports:
        place = one.place
        if place.state is State.CONFIG and (place.unit, place.index) == word:
            found = (_section(each, code_at) for each in (one.earlier, one.later))
            changes |= dict.fromkeys(each for each in found if each is not None)
    yield Mutex(RemedyKind.SYNC, "around both", macro="TTI_ATGETM", words=WORDS, arch=arch,
                changes=tuple(changes))  # fmt: skip


def inserted(remedy: Mutex, code_at: CodeAt) -> Iterator[Insertion]:
    """Yield what takes the mutex and what gives it back, of each core."""
    for hart, first, last in remedy.changes:
        for pc, beside in ((first, Beside.BEFORE), (last, Beside.AFTER)):
            code = code_at(hart, pc, "")
            assert code is not None  # the change was found in it
            here = Here(code, hart, pc)
            put = here.pushed(beside, hart - T0, pushed(remedy, beside))
            if beside is Beside.BEFORE:
                sync = tensix_sync(here, beside)
                put = replace(put, words=(*put.words, *sync.words))
            yield replace(put, part=Part.TAKE if beside is Beside.BEFORE else Part.GIVE)


def pushed(remedy: Mutex, beside: Beside) -> list[int]:
    """Return the instructions of the thread before the load, or after the store."""
    if beside is Beside.BEFORE:
        return [ATGETM << 24 | NUMBER]
    conditions = waits.TRISC_CFG
    if remedy.arch is Arch.WORMHOLE:
        conditions = waits.of_wormhole(conditions)
    return [stallwait_word(RELEASE, conditions), ATRELM << 24 | NUMBER]


def _is_of_core(access: Access) -> bool:
    is_inside = not access.outside and not access.is_request
    return is_inside and access.thread is None and T0 <= access.hart <= T2


def _section(access: Access, code_at: CodeAt) -> tuple[int, int, int] | None:
    """Return a change, or a store or a load by itself."""
    if not _is_of_core(access):
        return None
    return _change(access, code_at) or (access.hart, access.pc, access.pc)


def _change(access: Access, code_at: CodeAt) -> tuple[int, int, int] | None:
    """Return the core, its load before a store of the same word, and that store or the load that
    reads it back; None if the access is no part of such a change."""
    code = code_at(access.hart, access.pc, "")
    form, address = _at(code, access.pc)
    if code is None or form not in (Form.LOAD, Form.STORE):
        return None
    before = _others(code, access.pc, -4, address)
    after = _others(code, access.pc, 4, address)
    places = [*reversed(before), (access.pc, form), *after]
    forms = [one for _, one in places]
    if Form.STORE not in forms or forms[0] is not Form.LOAD:
        return None
    return access.hart, places[0][0], places[-1][0]


def _others(code: Code, pc: int, step: int, address: tuple[int, int]) -> list[tuple[int, Form]]:
    """Return the loads and stores of the same word in straight code beside an access, the nearest
    first."""
    found: list[tuple[int, Form]] = []
    for at in range(pc + step, pc + step * (LOOKED_AT + 1), step):
        form, own = _at(code, at)
        if form is None or form in ENDS or form is Form.BRANCH:
            break
        is_same = own == address
        if form in (Form.LOAD, Form.STORE) and is_same:
            found.append((at, form))
        d = decode(code.word(at) or 0)
        if form is not Form.STORE and d >> 8 & 0xFF == address[0]:
            break  # the base register is another one there
    return found


def _at(code: Code | None, pc: int) -> tuple[Form | None, tuple[int, int]]:
    """Return the form of an instruction, and the base register and offset of its address."""
    word = code.word(pc) if code is not None else None
    if word is None:
        return None, (0, 0)
    d = decode(word)
    return FORMS[d & 0xFF], (d >> 16 & 0xFF, d >> 32)
