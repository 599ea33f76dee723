# SPDX-License-Identifier: Apache-2.0
"""The rows of `monitor` commands, and how those about the coprocessor name its threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, THREAD_NAMES, THREADS
from tensix_gdb.core.assembly.tensix_text import show_on
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.explain.made import made_text
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.places.place import NotAPlace, Place, text
from tensix_gdb.core.places.state import largest, write
from tensix_gdb.core.places.words import parse
from tensix_gdb.core.tensix.frontend.fifo import VIA_DEBUG_BUS, VIA_MOP, VIA_REPLAY
from tensix_gdb.gdbstub.protocol.target import TargetError

FIRST_TENSIX_THREAD = 6  # GDB threads 6 to 8 are the Tensix threads
NAMES = THREAD_NAMES
LARGEST_DECIMAL = 9999  # larger ones are read in hexadecimal
_VIA = ((VIA_MOP, "a MOP"), (VIA_REPLAY, "REPLAY"), (VIA_DEBUG_BUS, "the debug bus"))


@dataclass(frozen=True, slots=True)
class Command:
    """One row of the table of commands."""

    name: str
    arguments: str
    help: str
    run: Callable[[int, list[str]], str]
    changes: bool = False  # refused while the tile runs for another client


def selected(thread: int) -> int | None:
    """Return the Tensix thread that goes with a GDB thread: its own, or that of its T core."""
    if FIRST_TENSIX_THREAD <= thread < FIRST_TENSIX_THREAD + THREADS:
        return thread - FIRST_TENSIX_THREAD
    number = thread - 1 - T0
    return number if 0 <= number < THREADS else None


def named(word: str) -> int | None:
    """Return the Tensix thread that a word names: `T1`, `1`, or 7 as GDB counts."""
    text = word.upper().removeprefix("TENSIX").removeprefix("T")
    if not text.isdecimal():
        return None
    number = int(text)
    if number < THREADS:
        return number
    return selected(number) if number >= FIRST_TENSIX_THREAD and text == word else None


def chosen(thread: int, words: list[str], command: str) -> list[int]:
    """Return the threads that a command is about: those that it names, else the selected one, else
    all.

    What it understands is taken out of `words`.
    """
    if words:
        if words[0] == "all":
            del words[0]
            return list(range(THREADS))
        number = named(words[0])
        if number is None:
            raise TargetError(
                f"{words[0]!r} is no Tensix thread: type `monitor {command} T0` (or T1, T2, all)"
            )
        del words[0]
        return [number]
    number = selected(thread)
    return list(range(THREADS)) if number is None else [number]


def place_in(words: Sequence[str], hart: int | None = None) -> Place:
    """Return the place that words name; `hart` goes with the selected thread. TargetError with
    what to type."""
    try:
        return parse(words, hart)
    except NotAPlace as problem:
        raise TargetError(str(problem)) from None


def assign(machine: Machine, place: Place, value: str) -> None:
    """Write the value that was typed. TargetError with what to type."""
    try:
        number = number_of(value, f"value of {text(place)}", largest(machine, place))
        write(machine, place, number)
    except NotAPlace as problem:
        raise TargetError(str(problem)) from None


def no_more(words: list[str], command: str) -> None:
    """Refuse what is left of a command."""
    if words:
        raise TargetError(
            f"`monitor {command}` does not know {words[0]!r}; `monitor help {command}` has the form"
        )


def number_of(text: str, what: str, most: int) -> int:
    """Return a number from 0 to `most`, in C's notation."""
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value <= most:
        last = f"{most:#x}" if most > LARGEST_DECIMAL else str(most)
        raise TargetError(f"{text!r} is no {what}: type a number from 0 to {last}")
    return value


def instruction(
    machine: Machine, thread: int, word: int, hart: int, pc: int, cycle: int, via: int
) -> str:
    """Return an instruction of a Tensix thread under way, with where it came from."""
    ways = " and ".join(name for bit, name in _VIA if via & bit)
    expanded = f", by way of {ways}" if ways else ""
    place = f"{HART_NAMES[hart]} at {machine.places.at(hart, pc)}"
    made = made_text(machine.S, machine.places, thread, int(hart), word, int(via))
    text = show_on(word, machine.S.tile.chip)
    return f"{text}  pushed by {place} in cycle {cycle}{expanded}{made}"


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Columns, the last one as long as it likes."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        + "\n"
        for row in rows
    )
