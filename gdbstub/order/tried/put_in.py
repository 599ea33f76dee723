# SPDX-License-Identifier: Apache-2.0
"""A remedy as what is put into the code, by its kind."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.race.findings import Access, Report
from tensix_gdb.core.race.remedies.remedy import Beside, Remedy, RemedyKind, Spot
from tensix_gdb.gdbstub.order.tried import left, mutex, restore, whole_word, words
from tensix_gdb.gdbstub.order.tried.candidates import USES
from tensix_gdb.gdbstub.order.tried.detour import CodeAt
from tensix_gdb.gdbstub.order.tried.registers import Code
from tensix_gdb.gdbstub.order.tried.words import CannotTry, Here, Insertion, Part

UNUSED = "S5"
HOST = "the host"


class Programs(Protocol):
    """The programs into which a remedy goes."""

    def code_at(self, hart: int, pc: int, tile: str = "") -> Code | None: ...

    def program(self, hart: int) -> Code | None: ...


def insertions_of(remedy: Remedy, report: Report, programs: Programs) -> list[Insertion]:
    """Return what puts a remedy in. CannotTry with a sentence."""
    code_at = programs.code_at
    if isinstance(remedy, left.PutBack):
        return [left.inserted(remedy, programs.program(T0 + remedy.thread))]
    if isinstance(remedy, mutex.Mutex):
        return list(mutex.inserted(remedy, code_at))
    if isinstance(remedy, whole_word.InPlace):
        return [whole_word.inserted(remedy, report, code_at)]
    match remedy.kind:
        case RemedyKind.STALLWAIT:
            word = words.stallwait_word(remedy.block, remedy.conditions)
            return [_pushed(_first(remedy), [word], code_at)]
        case RemedyKind.NOP:
            return [_pushed(_first(remedy), [words.TENSIX_NOP], code_at)]
        case RemedyKind.SEMWAIT if len(remedy.spots) == 1 and remedy.semaphore is not None:
            spot = _first(remedy)
            if spot.thread is None:
                here = _here(spot.hart, spot.pc, code_at)
                return [words.await_post(here, spot.beside, remedy.semaphore, takes=False)]
            word = words.semwait_word(remedy.block, remedy.semaphore, remedy.conditions)
            return [_pushed(_first(remedy), [word], code_at)]
        case RemedyKind.SEMWAIT if len(remedy.spots) == 2 and remedy.semaphore is not None:
            return _signal(remedy, remedy.semaphore, report, code_at)
        case RemedyKind.SYNC:
            spot = _first(remedy)
            return [words.tensix_sync(_here(spot.hart, spot.pc, code_at), spot.beside)]
        case RemedyKind.READ_BACK if remedy.words == USES:
            spot = _first(remedy)
            return [words.use_loads(_here(spot.hart, spot.pc, code_at))]
        case RemedyKind.READ_BACK:
            return [words.read_back(_of_access(_side(remedy, report), code_at))]
        case RemedyKind.BARRIER:
            return [words.barrier(_of_access(_request(remedy, report), code_at))]
        case RemedyKind.RESTORE:
            return [restore.inserted(_of_writer(report, code_at), remedy, report)]
        case RemedyKind.FENCE:
            spot = _first(remedy)
            return [words.fence(_here(spot.hart, spot.pc, code_at), spot.beside)]
    raise CannotTry("it is no instruction or call at one place")


def _side(remedy: Remedy, report: Report) -> Access:
    """Return the access that is waited for by its value: the one after which the remedy goes, else
    the earlier one. Of a load that no instruction uses the earlier side is what relies on it."""
    if report.check == UNUSED:
        return report.later
    after = [spot.pc for spot in remedy.spots if spot.beside is Beside.AFTER]
    return report.later if after == [report.later.pc] else report.earlier


def _request(remedy: Remedy, report: Report) -> Access:
    """Return the request that is waited for: where the remedy goes, or that of another tile."""
    at = [spot.pc for spot in remedy.spots[:1]]
    found = [one for one in (report.earlier, report.later) if one.is_request]
    there = [one for one in found if [one.pc] == at] or [one for one in found if one.outside]
    if not there:
        raise CannotTry("the request that it waits for is not known")
    return there[0]


def _first(remedy: Remedy) -> Spot:
    if not remedy.spots:
        raise CannotTry("its place is not in a program of this tile")
    return remedy.spots[0]


def _here(hart: int, pc: int, code_at: CodeAt, tile: str = "") -> Here:
    code = code_at(hart, pc, tile)
    if code is None or code.word(pc) is None:
        raise CannotTry(f"the program at {pc:#x} is not known")
    return Here(code, hart, pc, tile)


def _of_access(access: Access, code_at: CodeAt) -> Here:
    if access.outside == HOST or access.thread is not None or not access.pc:
        raise CannotTry("the access is none of a core")
    return _here(access.hart, access.pc, code_at, access.outside)


def _of_writer(report: Report, code_at: CodeAt) -> Here:
    if not report.later.pc:
        raise CannotTry("the instruction that has changed it is not known")
    return _here(report.later.hart, report.later.pc, code_at)


def _pushed(spot: Spot, pushed: list[int], code_at: CodeAt) -> Insertion:
    if spot.thread is None:
        raise CannotTry("the place is no instruction of a Tensix thread")
    return _here(spot.hart, spot.pc, code_at).pushed(spot.beside, spot.thread, pushed)


def _signal(remedy: Remedy, semaphore: int, report: Report, code_at: CodeAt) -> list[Insertion]:
    """Return a semaphore from the earlier agent to the later one: a post, then a wait."""
    post, wait = remedy.spots
    made: list[Insertion] = []
    if post.thread is not None:
        pushed = [words.post_word(semaphore)]
        if remedy.conditions:
            pushed.insert(0, words.stallwait_word(Block.B1, remedy.conditions))
        made.append(replace(_pushed(post, pushed, code_at), part=Part.POST))
    else:
        here = _here(post.hart, post.pc, code_at)
        side = report.earlier if post.pc == report.earlier.pc else report.later
        made.append(replace(words.read_back(_of_access(side, code_at)), part=Part.USE))
        made.append(replace(words.post(here, Beside.AFTER, semaphore), part=Part.POST))
    if wait.thread is not None:
        block = int(remedy.block | Block.B1)
        pushed = [words.semwait_word(block, semaphore), words.get_word(semaphore)]
        made.append(replace(_pushed(wait, pushed, code_at), part=Part.WAIT))
    else:
        here = _here(wait.hart, wait.pc, code_at)
        awaited = words.await_post(here, Beside.BEFORE, semaphore)
        made.append(replace(awaited, part=Part.WAIT))
    return made
