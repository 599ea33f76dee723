# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb run`: run to the end without a debugger and say how it ended."""

from __future__ import annotations

import argparse

from core.arch.blackhole import HART_NAMES, HARTS
from core.machine import Machine
from core.stop import Stop, StopKind
from gdbstub.tensix.build import build_machine
from gdbstub.usage import UsageError

SLICE = 1 << 22  # cycles between two looks at the keyboard


def run(arguments: argparse.Namespace) -> int:
    """0 when all harts have paused or `--until` was reached, 1 otherwise."""
    machine = build_machine(arguments.elf, arguments.engine, arguments.schedule)
    try:
        if arguments.until is not None:
            for hart, addr in _places(machine, arguments.until):
                machine.add_break(addr, hart)
        text, status = _run(machine, arguments.max_cycles)
    finally:
        machine.close()
    print(text)
    return status


def _places(machine: Machine, until: str) -> list[tuple[int, int]]:
    """What `--until` means: an address on every hart, or a symbol where a file has it."""
    try:
        addr = int(until, 0)
    except ValueError:
        pass
    else:
        if not 0 <= addr < 1 << 32:
            raise UsageError(f"--until {until}: not an address of 32 bits")
        return [(hart, addr) for hart in range(HARTS)]
    found: list[tuple[int, int]] = []
    for image in machine.images:
        place = image.symbol(until)
        if image.hart is not None and place is not None:
            found.append((image.hart, place))
    if not found:
        files = ", ".join(str(image.path) for image in machine.images)
        raise UsageError(f"--until {until}: no such symbol in {files}")
    return found


def _run(machine: Machine, most: int) -> tuple[str, int]:
    paused: list[str] = []
    while machine.S.tile.cycle < most:
        machine.engine.poll()
        stop = machine.run(min(SLICE, most - machine.S.tile.cycle))
        if stop is None:
            continue
        if stop.kind in (StopKind.EBREAK, StopKind.ECALL):
            paused.append(_paused(machine, stop))
            continue
        if stop.kind is StopKind.ALL_PAUSED:
            return "\n".join((*paused, f"all harts have paused {_after(machine)}")), 0
        if stop.kind is StopKind.BREAK:
            return "\n".join((*paused, f"{stop.text} {_after(machine)}")), 0
        return "\n".join((*paused, f"{stop.text} {_after(machine)}")), 1
    where = "; ".join(
        f"{HART_NAMES[hart]} at {machine.places.at(hart, machine.read_pc(hart))}"
        for hart in range(HARTS)
        if machine.S.hart.issuing[hart]
    )
    return "\n".join((*paused, f"still running {_after(machine)}: {where}")), 1


def _paused(machine: Machine, stop: Stop) -> str:
    what = "ebreak" if stop.kind is StopKind.EBREAK else "ecall"
    count = machine.S.hart.retired[stop.hart]
    place = machine.places.at(stop.hart, stop.pc)
    return f"{HART_NAMES[stop.hart]} paused at {what}, {place}, after {count} instructions"


def _after(machine: Machine) -> str:
    return f"after {machine.S.tile.cycle} cycles"
