# SPDX-License-Identifier: Apache-2.0
"""Why a report of a random program has no second outcome: the race is there, and cannot be seen.

A report claims that its two accesses may come in either order. To confirm one in a program with one
outcome, change the program such that the order shows, and leave what comes before the two as it is:

    SAME_VALUE   all bits that one of the two writes are inverted, or those that another one writes;
                 of two MVMUL, which may add in either order, one is a ZEROACC; of two SFPLOAD
                 of one row, one loads another row; of two PACR, one packs zeros; of two
                 STREAMWRCFG or LOADIND, one reads another place; what UNPACR finds at the two
                 addresses differs in all its datums
    NO_EFFECT    a field makes no difference to what is packed or unpacked: what PACR adds to is
                 not 0, and UNPACR has the mode that uses the field
    ALONE        cores that neither access belongs to, nor waits for, are left out: with them there
                 are too many executions to search
    OVERWRITTEN  what comes after both in their programs is left out, and other instructions that
                 write the word of configuration write the next one
    CONTENDED    another hart stores to GPRs meanwhile, so that RDCFG waits for their port; the
                 model keeps promise P4 where an instruction stands between the two, which the
                 promise does not say: search without promises finds the order
    NOT_HELD     an instruction of the Scalar Unit and a STALLWAIT for it stand before all pushes of
                 a T core, or before one of the two: they hold the gate for any time. Without them
                 an instruction comes to its gate in a fixed number of cycles, which no page
                 promises

If exhaustive search of the changed program finds several outcomes, the report is true, and the
changes say why it was not seen. No change adds a race: values order nothing, neither does what
comes after both accesses, and a gate may be held for any time. Without such a program the report is
unexplained.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.litmus.explore import explore
from tensix_gdb.core.litmus.program import BEGIN
from tensix_gdb.core.litmus.text import LitmusError
from tensix_gdb.core.litmus.tile import PROGRAM_BYTES, Tile
from tensix_gdb.core.race.findings import Access, Report
from tensix_gdb.core.schedule import Schedule
from tests.core.race.random_programs import Program

SAME_VALUE = "the same value"
NO_EFFECT = "the field makes no difference"
ALONE = "without the others"
OVERWRITTEN = "overwritten before the end"
NOT_HELD = "nothing holds the gate"
CONTENDED = "no other hart stores to GPRs"
UNEXPLAINED = "unexplained"
STATES = 20_000
HOLD = (
    "push LOADIND size=1, result_reg=12, addr_reg=8, offset_half_reg=18",
    "push STALLWAIT block=0x1ff, wait=C0",
)
WRITES_GPRS = ("sw 1, GPR[1]",) * 3
_STORED = re.compile(r"^sw (\w+),")
_SHIFTED = re.compile(r"CFGSHIFTMASK .*?(mask_width=\d+, )?cfg_index=190")
# Of the unpacker of litmus tests, with the other base address (core/litmus/data_path_setup.py).
OTHER_DATA = "init 0xe10 = 0x40404040, 0xf10 = 0x3f803f80"
FLIP = "alu_mode=2, mask_mode=1"  # of the bits that the mask has
WAITS = re.compile(r"\bwait\b|SEM|MAILBOX|PCBUF|ATGETM|\bb\w+z?\b .*, \w+$")
_PUSHED = re.compile(r"new_value=(\w+)")


def why_unseen(tile: Tile, program: Program, report: Report) -> str:
    """The class of a report in a program that has one outcome."""
    places = [_place(program, access) for access in (report.earlier, report.later)]
    for reason, changed in _changes(program, places):
        if _outcomes(tile, changed, strict=CONTENDED in reason) > 1:
            return reason
    return UNEXPLAINED


def _place(program: Program, access: Access) -> tuple[str, int]:
    """The core of an access, and the number of its statement."""
    begin = len(BEGIN) if len(program.cores) > 1 else 0
    return HART_NAMES[access.hart], (access.pc - access.hart * PROGRAM_BYTES) // 4 - begin


def _changes(program: Program, places: list[tuple[str, int]]) -> Iterator[tuple[str, Program]]:
    """Changed programs, first those with few changes, and why each was changed."""
    cut = _cut(program, places)
    of_one = [program, cut, _redirect(cut, places)]
    if (alone := _alone(of_one[-1], places)) is not None:
        of_one.append(alone)
    others = [
        (core, number)
        for core, text in cut.cores.items()
        for number in range(len(text))
        if (core, number) not in places
    ]
    holds: list[tuple[str, Callable[[Program], Program]]] = [("", lambda base: base)]
    holds += [(NOT_HELD, _hold), *((NOT_HELD, partial(_hold_at, place=at)) for at in places)]
    if any("RDCFG" in program.cores[core][number] for core, number in places):
        holds += [(CONTENDED, _contended)]
    for held, hold in holds:
        for number, base in enumerate(of_one):
            reasons = [OVERWRITTEN] * (number > 0) + [ALONE] * (number > 2) + [held] * bool(held)
            if reasons:
                yield ", ".join(reasons), hold(base)
            for place in (*places, *others) if number else places:
                if place[0] not in base.cores:
                    continue
                for why, changed in _inverted(base, place):
                    yield ", ".join([why, *reasons]), hold(changed)


def _contended(program: Program) -> Program:
    """With a hart more, which stores to GPRs of its own thread."""
    free = next((core for core in ("T2", "T1", "T0") if core not in program.cores), None)
    return program if free is None else program.with_core(free, list(WRITES_GPRS))


def _hold(program: Program) -> Program:
    """With a gate that may be held, of each T core."""
    for core, text in program.cores.items():
        if core in ("T0", "T1"):
            program = program.with_core(core, [*HOLD, *text])
    return program


def _hold_at(program: Program, place: tuple[str, int]) -> Program:
    """With a gate that may be held before one of the two."""
    core, number = place
    text = program.cores[core]
    if core not in ("T0", "T1") or not text[number].startswith("push"):
        return program
    return program.with_core(core, [*text[:number], *HOLD, *text[number:]])


def _alone(program: Program, places: list[tuple[str, int]]) -> Program | None:
    """Without cores that have neither access; None if there are none, or one is waited for."""
    cores = {core for core, _ in places}
    kept = {core: text for core, text in program.cores.items() if core in cores}
    waits = any(WAITS.search(line) for text in kept.values() for line in text)
    if waits or len(kept) == len(program.cores):
        return None
    gone = tuple(f"{core}:" for core in program.cores if core not in cores)
    heading = tuple(line for line in program.heading if not line.startswith(_inits(gone)))
    final = tuple(each for each in program.final if not each.startswith(gone))
    return replace(program, cores=kept, heading=heading, final=final)


def _inits(cores: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"init {core}" for core in cores)


def _cut(program: Program, places: list[tuple[str, int]]) -> Program:
    """Without what comes after both accesses; a check of the coprocessor stays whole."""
    for core in {core for core, _ in places}:
        last = max(number for other, number in places if other == core)
        text = list(program.cores[core][: last + 1])
        program = program.with_core(core, text)
    return program


def _redirect(program: Program, places: list[tuple[str, int]]) -> Program:
    """With all other instructions that write the word of configuration writing the next one."""
    for core, text in program.cores.items():
        changed = [
            line
            if (core, number) in places or not line.startswith("push") or "RDCFG" in line
            else line.replace("cfg_index=190", "cfg_index=191").replace("index4=190", "index4=191")
            for number, line in enumerate(text)
        ]
        program = program.with_core(core, changed)
    return program


def _inverted(program: Program, place: tuple[str, int]) -> Iterator[tuple[str, Program]]:
    """All ways to let a statement do something else."""
    if (changed := _invert(program, place)) is not None:
        yield SAME_VALUE, changed
    core, number = place
    text = list(program.cores[core])
    statement = text[number]
    added: tuple[str, ...] = ()
    why = SAME_VALUE
    if "PACR" in statement and "UNPACR" not in statement:
        text[number] = statement.replace("last=1", "zero_write=1, last=1")
    elif "STREAMWRCFG" in statement:
        text[number] = statement.replace("reg_index=0", "reg_index=297")
        added = ("init overlay.space[0,0] = 9",)
    elif "LOADIND" in statement:
        text[number] = statement.replace("addr_reg=8", "addr_reg=9")
    elif "index4=71" in statement:
        why, added = NO_EFFECT, ("init 0xf40 = 0x3f800000",)
    elif "UNPACR.Regular" in statement:
        yield why, replace(program, heading=(*program.heading, OTHER_DATA))
        why, added = NO_EFFECT, (OTHER_DATA,)
        text[number] = statement.replace("multi_context_mode=1", "multi_context_mode=0")
    else:
        return
    yield why, replace(program.with_core(core, text), heading=(*program.heading, *added))


def _invert(program: Program, place: tuple[str, int]) -> Program | None:
    """With the opposite of all bits that a statement writes; None if it does not say them."""
    core, number = place
    text = list(program.cores[core])
    statement = text[number]
    if (stored := _STORED.match(statement)) and not statement.endswith(("TTSYNC", "F")):
        value = ~int(stored[1], 0) & 0xFFFFFFFF
        text[number] = f"sw {value:#x},{statement[stored.end() :]}"
    elif pushed := _PUSHED.search(statement):
        bits = 0xFFFF if "SETDMAREG" in statement else 0xFF
        value = ~int(pushed[1], 0) & bits
        text[number] = (
            statement[: pushed.start()] + f"new_value={value}" + statement[pushed.end() :]
        )
    elif statement == "push MVMUL":
        text[number] = "push ZEROACC clear_mode=0, imm10=0"
    elif "SFPLOAD" in statement:
        text[number] = statement.replace("imm10=0", "imm10=16")
    elif shifted := _SHIFTED.search(statement):
        text[number] = f"push CFGSHIFTMASK {FLIP}, {shifted[1] or ''}cfg_index=190"
    elif "input_reg=1" in statement or "left_reg=1" in statement or "data_reg=1" in statement:
        return _invert_start(program, f"{core}:GPR[1]")
    elif "LOADIND" in statement:
        return _invert_start(program, "0xe80")
    else:
        return None
    return program.with_core(core, text)


def _invert_start(program: Program, place: str) -> Program:
    """With the opposite of all bits at the start in a place from which a statement writes."""
    heading = tuple(
        re.sub(
            rf"({re.escape(place)} = )(\w+)",
            lambda found: f"{found[1]}{~int(found[2], 0) & 0xFFFFFFFF:#x}",
            line,
        )
        for line in program.heading
    )
    return replace(program, heading=heading)


def _outcomes(tile: Tile, program: Program, *, strict: bool) -> int:
    """Return how many outcomes exhaustive search finds, up to two; 0 if that takes too long. With
    `strict` no promise is kept."""
    test = program.litmus()
    test.states = STATES
    try:
        prepared = tile.prepare(test, Schedule.EXHAUSTIVE, strict=strict)
        return len(explore(prepared, enough=2).outcomes)
    except LitmusError:
        return 0
