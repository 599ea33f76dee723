# SPDX-License-Identifier: Apache-2.0
"""`monitor ignore`: hits of a breakpoint that no client is told of, counted where they happen.

GDB's own `ignore` is told of every hit and resumes by itself, some thousand times a second.
"""

from __future__ import annotations

from tensix_gdb.core.debug.breakpoints import ArmedError
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of

MOST = 1 << 40


def ignore(machine: Machine, thread: int, words: list[str]) -> str:
    """Return the command with its arguments; the text to show."""
    gate = words[1:2] == ["gate"]
    if not 1 <= len(words) <= 2 + gate or not words[0].isdecimal() or int(words[0]) > MOST:
        raise TargetError(
            "type `monitor ignore 1000` for the breakpoint at the pc, `monitor ignore 1000 "
            "FUNCTION|ADDRESS` for another one, or `monitor ignore 1000 gate 2` for gate "
            "breakpoint 2"
        )
    if gate:
        return _ignore_at_gate(machine, int(words[0]), words[2:])
    addr = address(machine, thread, words[1]) if len(words) == 2 else pc_of(machine, thread)
    try:
        machine.armed.ignore(addr, int(words[0]))
    except ArmedError as problem:
        raise TargetError(str(problem)) from None
    place = machine.places.at(hart_of(thread), addr)
    return f"The next {words[0]} hits of breakpoints at {place} are ignored.\n"


def _ignore_at_gate(machine: Machine, hits: int, words: list[str]) -> str:
    """`gate N`, or `gate` alone where there is one only."""
    known = list(machine.gates.breaks)
    number = int(words[0]) if words and words[0].isdecimal() else -1
    if not words and len(known) == 1:
        number = known[0]
    if number not in known:
        raise TargetError("name a gate breakpoint that `monitor break` lists")
    machine.gates.ignore(number, hits)
    text = machine.gates.breaks[number].text
    return f"The next {hits} hits of gate breakpoint {number} ({text}) are ignored.\n"


def pc_of(machine: Machine, thread: int) -> int:
    """Return where the thread's hart is."""
    return machine.read_pc(hart_of(thread))


def address(machine: Machine, thread: int, word: str) -> int:
    """Return an address, or a symbol: of the thread's own ELF before another's."""
    digits = word.removeprefix("*")
    if digits[:1].isdecimal():
        try:
            return int(digits, 0)
        except ValueError:
            raise TargetError(f"{word} is no address; type one such as 0x6010") from None
    hart = hart_of(thread)
    for image in sorted(machine.images, key=lambda image: image.hart != hart):
        symbol = image.symbol(word)
        if symbol is not None:
            return symbol
    raise TargetError(f"there is no symbol {word} in what is loaded; `monitor status` lists it")
