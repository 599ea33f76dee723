# SPDX-License-Identifier: Apache-2.0
"""A run to its end, whatever that is: what to say of it, and the exit status."""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.riscv.semihosting import is_call
from tensix_gdb.core.semihosting.calls import exits
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.gdbstub.cli.firmware import where
from tensix_gdb.gdbstub.cli.terminal.keyboard import Keyboard
from tensix_gdb.gdbstub.signals import end_signal
from tensix_gdb.gdbstub.tensix.blocked.spinning import CYCLES, LastCycles
from tensix_gdb.gdbstub.tensix.blocked.why import deadlock_text
from tensix_gdb.gdbstub.tensix.output.progress import Progress

REACHED, NOT_REACHED = 0, 1
# Cycles between two checks of the keyboard and the compiler: milliseconds on each engine.
SLICE = {"compiled": 1 << 20, "reference": 1 << 9}
PER_LOOK = 2000  # cycles between two looks of a host


def run_to_end(
    machine: Machine,
    most: int,
    keyboard: Keyboard,
    until: str | None,
    tell: Progress,
    is_over: Callable[[], bool] | None = None,
) -> tuple[list[str], int]:
    """Run; return what to print, and the exit status. `is_over`: what a host looks at, to know that
    its kernels have ended."""
    slice_ = SLICE[machine.engine.kind] if is_over is None else PER_LOOK
    said: list[str] = []
    last = LastCycles(machine)
    whole = max(most - CYCLES, 0) if last.can_be_run else most
    while not keyboard.interrupted and machine.S.tile.cycle < most:
        machine.engine.poll()
        left = whole - machine.S.tile.cycle
        stop = machine.run(min(slice_, left)) if left > 0 else last.run(most)
        if is_over is not None and is_over():
            return [*said, f"its host has seen its end {after(machine)}"], REACHED
        if stop is None:
            tell(machine.S.tile.cycle, where(machine))
            continue
        match stop.kind:
            case StopKind.EBREAK if is_call(machine.S, stop.pc):
                return [*said, stop.text], NOT_REACHED
            case StopKind.EBREAK | StopKind.ECALL:
                said.append(_paused(machine, stop))
            case StopKind.CALL:
                continue  # interrupted while it waits for input
            case StopKind.EXIT:
                return [*said, *_ended(machine, after(machine))], _status(stop.code, until)
            case StopKind.BREAK:
                return [*said, f"{stop.text} {after(machine)}"], REACHED
            case StopKind.ALL_PAUSED if until is None:
                ending = f"all harts have paused {after(machine)}"
                return [*said, *_ended(machine), ending], REACHED
            case StopKind.ALL_PAUSED:
                ending = f"all harts have paused {after(machine)}, none has reached {until}"
                return [*said, ending], NOT_REACHED
            case StopKind.STANDSTILL:
                return [*said, deadlock_text(machine)], NOT_REACHED
            case _:
                return [*said, f"{stop.text} {after(machine)}"], NOT_REACHED
    if keyboard.interrupted:
        return [*said, f"interrupted {after(machine)}: {where(machine)}"], end_signal.status
    ending = f"still running {after(machine)}: {where(machine)}{last.text()}"
    return [*said, ending], NOT_REACHED


def _ended(machine: Machine, when: str = "") -> list[str]:
    """Describe the programs that have ended themselves."""
    return [
        f"{HART_NAMES[hart]} has ended with status {status} {when}".rstrip()
        for hart, status in exits(machine.S)
    ]


def _status(status: int, until: str | None) -> int:
    """Return the program's exit status, as far as a process can have it."""
    if until is not None and status == 0:
        return NOT_REACHED
    return status & 0xFF or (NOT_REACHED if status else REACHED)


def _paused(machine: Machine, stop: Stop) -> str:
    what = "ebreak" if stop.kind is StopKind.EBREAK else "ecall"
    count = machine.S.hart.retired[stop.hart]
    place = machine.places.at(stop.hart, stop.pc)
    return f"{HART_NAMES[stop.hart]} paused at {what}, {place}, after {count} instructions"


def after(machine: Machine) -> str:
    """Return in which cycle the run has ended."""
    return f"after {machine.S.tile.cycle} cycles"
