# SPDX-License-Identifier: Apache-2.0
"""The notation of a pause at one place: `--pause` and `monitor pause`.

T0@0x6010:79              before T0 issues the instruction at 0x6010 for the first time
T0@unpack.c:45#3:79       for the third time
gate.T1@0xB3C4#3:79       when the third instruction pushed from 0xB3C4 is at the gate of T1
late.T0@0x60a0#2:40       the second request of T0 from there is 40 cycles later at its region
T0@compute:random         there the schedule `random` may draw a pause, each time
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, T0, THREAD_NAMES, THREADS
from tensix_gdb.core.debug.breakpoints import ArmedError
from tensix_gdb.core.debug.named_pauses import MAX_CYCLES, NamedPause
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.ordering import pauses
from tensix_gdb.core.program.elf import Image
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.monitor.push_sites import LINE, ranges_of_line
from tensix_gdb.gdbstub.tensix.monitor_row import no_more
from tensix_gdb.gdbstub.usage import UsageError

_PAUSE = re.compile(r"(gate\.|late\.)?(\w+)@(.+?)(?:#(\w+))?:(\w+)", re.IGNORECASE)
MANY = 8  # addresses in a message
FORM = (
    "type HART@PLACE:CYCLES as in T0@0x6010:79, T0@unpack.c:45#3:79 for the third time, or "
    "gate.T1@0xB3C4:79 for what is pushed there when it is at the gate, late.T0@0x60a0:40 for the "
    "request of a load or store alone"
)


def add_pause(machine: Machine, text: str) -> NamedPause:
    """Name a pause of the tile; UsageError says in a sentence what is wrong with it."""
    pause = parse_pause(machine, text)
    try:
        machine.pauses.add(pause)
    except ArmedError as problem:
        raise UsageError(f"{text}: {problem}") from None
    return pause


OF_TILE = re.compile(r"(\d+-\d+)\.(.+)", re.DOTALL)


def add_pause_of(machines: Mapping[str, Machine], text: str) -> None:
    """Name a pause of the tile that it begins with, as in 1-2.T0@0x6010:79, or of all tiles."""
    tile, pause = check_tile_of(machines, text)
    for name, machine in machines.items():
        if tile in ("", name):
            add_pause(machine, pause)


def check_tile_of(names: Collection[str], text: str) -> tuple[str, str]:
    """Return the tile that a pause names, and the rest. UsageError if there is no such tile."""
    match = OF_TILE.fullmatch(text)
    if match is None:
        return "", text
    if match[1] not in names:
        first, *_, last = names
        raise UsageError(f"{text}: there is no tile {match[1]}: they are {first} to {last}")
    return match[1], match[2]


def parse_pause(machine: Machine, text: str) -> NamedPause:
    """Return what the text means on this tile, with the programs that it has."""
    match = _PAUSE.fullmatch(text)
    if match is None:
        raise UsageError(f"{text!r} is not a pause: {FORM}")
    kind, name, place, nth, cycles = match.groups()
    is_gate, is_request = ((kind or "").lower() == each for each in ("gate.", "late."))
    number = _party(text, name.upper(), is_gate=is_gate)
    hart = T0 + number if is_gate else number
    addr, size = _place(machine, hart, place, text, whole=is_gate)
    is_mark = cycles.lower() == "random"
    if nth is not None and not (nth.isdecimal() and 0 < int(nth) < 1 << 32):
        raise UsageError(f"{text}: {nth!r} is not how many times the place is reached, from 1 on")
    if not is_mark and not (cycles.isdecimal() and 0 < int(cycles) <= MAX_CYCLES):
        raise UsageError(
            f"{text}: {cycles!r} is not a number of cycles from 1 to {MAX_CYCLES:,}, nor `random`"
        )
    if is_mark and is_request:
        raise UsageError(f"{text}: a request is late by a number of cycles, not by `random`")
    times = int(nth) if nth else 0 if is_mark else 1
    length = 0 if is_mark else int(cycles)
    return NamedPause(is_gate, number, addr, size, times, length, is_request)


def _party(text: str, name: str, *, is_gate: bool) -> int:
    """Return the number of a hart or Tensix thread."""
    known = [f"T{thread}" for thread in range(THREADS)] if is_gate else list(HART_NAMES)
    if name not in known:
        what = "Tensix thread" if is_gate else "hart"
        raise UsageError(f"{text}: {name} is no {what}; type one of {', '.join(known)}")
    return known.index(name)


def _place(machine: Machine, hart: int, place: str, text: str, *, whole: bool) -> tuple[int, int]:
    """Return the address that a place has in the hart's program, and its bytes: an instruction, or
    the `whole` of a line or function."""
    try:
        addr = int(place, 0)
    except ValueError:
        ranges = _ranges(machine, hart, place, text)
        if not whole:
            ranges = sorted({(lo, lo + 4) for lo, _ in ranges})
        if len(ranges) > 1:
            shown = ", ".join(f"{lo:#010x}" for lo, _ in ranges[:MANY])
            more = ", ..." if len(ranges) > MANY else ""
            raise UsageError(
                f"{text}: {place} has code at several addresses; type one of {shown}{more}"
            ) from None
        ((lo, hi),) = ranges
        return lo, hi - lo
    if not 0 <= addr < 1 << 32 or addr % 4:
        raise UsageError(
            f"{text}: no instruction can be at {place}; addresses of instructions have 32 bits and "
            "are multiples of 4"
        )
    return addr, 4


def _ranges(machine: Machine, hart: int, place: str, text: str) -> list[tuple[int, int]]:
    """Return where a line or function is, in the hart's program."""
    images = [image for image in machine.images if image.hart in (hart, None)]
    line = LINE.fullmatch(place)
    found: list[tuple[int, int]] = []
    for image in images:
        if line is not None:
            found += ranges_of_line(image, line[1], int(line[2]))
        else:
            found += _symbol(image, place)
    if not found:
        what = "code for" if line is not None else "symbol"
        raise UsageError(f"{text}: the program of {HART_NAMES[hart]} has no {what} {place}; {FORM}")
    return sorted(set(found))


def _symbol(image: Image, name: str) -> list[tuple[int, int]]:
    addr = image.symbol(name)
    if addr is None:
        return []
    symbol = image.symbols.get(name)
    return [(addr, addr + max(symbol.size if symbol is not None else 0, 4))]


def describe(machine: Machine) -> str:
    """Return a line for each pause that is named: how often its place was reached."""
    lines = []
    for number, (pause, seen, is_over) in enumerate(machine.pauses, 1):
        hart = T0 + pause.number if pause.at_gate else pause.number
        times = f"reached {seen} time{'s' * (seen != 1)}"
        state = f"{times}, and paused" if is_over else times
        lines.append(f"{number:3}  {pause}  {machine.places.at(hart, pause.addr)}: {state}\n")
    return "".join(lines)


def monitor_pause(machine: Machine, thread: int, words: list[str]) -> str:
    """List the pauses that are named, add one, or with `none` forget them."""
    if words:
        text = words.pop(0)
        no_more(words, "pause")
        if text == "none":
            machine.pauses.clear()
        else:
            try:
                add_pause(machine, text)
            except UsageError as problem:
                raise TargetError(str(problem)) from None
    lines = describe(machine) or f"No pause is named: {FORM}.\n"
    return "".join(_now(machine)) + lines


def _now(machine: Machine) -> Iterator[str]:
    """Yield what is paused in this cycle, and how many pauses there were."""
    S = machine.S
    names = (*HART_NAMES, *THREAD_NAMES)
    said = [pauses.sentence(S, hart) for hart in range(HARTS)]
    said += [pauses.thread_sentence(S, thread) for thread in range(THREADS)]
    for name, sentence in zip(names, said, strict=True):
        if sentence:
            yield f"{name} is {sentence}.\n"
    if S.pause.count:
        yield f"Pauses so far: {S.pause.count}.\n"
