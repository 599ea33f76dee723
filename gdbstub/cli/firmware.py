# SPDX-License-Identifier: Apache-2.0
"""`--firmware`: boot it, launch kernels, and describe the states it goes through."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS
from tensix_gdb.core.firmware.host import MAX_CYCLES, SYNC_ORDER, Host, State
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.gdbstub.cli.build import launch
from tensix_gdb.gdbstub.signals import end_signal
from tensix_gdb.gdbstub.tensix.blocked.spinning import CYCLES, LastCycles
from tensix_gdb.gdbstub.tensix.blocked.why import describe_stop
from tensix_gdb.gdbstub.usage import UsageError


class Boot:
    """A firmware that is started; `rows` describes its states so far."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.rows: list[str] = []
        self.last = LastCycles(host.machine)

    def initialise(self, cycles: int = MAX_CYCLES) -> Stop | None:
        """Run until the firmware says that it is initialised; return a stop before that."""
        return self._run("initialised", cycles)

    def run_kernels(self, kernels: Sequence[tuple[int, str]], cycles: int) -> Stop | None:
        """Launch kernels and run until the firmware says that they are done."""
        self.host.machine.kernel_begins()
        launch(self.host, kernels)
        names = ", ".join(HART_NAMES[hart] for hart, _ in kernels)
        self.rows.append(f"launched kernels on {names}")
        return self._run("kernels done", cycles)

    def _run(self, done: str, cycles: int) -> Stop | None:
        machine = self.host.machine
        begin = int(machine.S.tile.cycle)
        states, stop = self._states(cycles)
        self.rows += list(map(self._row, states))
        if stop is not None:
            return stop
        if self.host.is_done():
            counts = ", ".join(
                f"{HART_NAMES[hart]} {machine.S.hart.retired[hart]}" for hart in range(HARTS)
            )
            took = machine.S.tile.cycle - begin
            self.rows.append(f"{done} after {took} cycles; instructions: {counts}")
        return None

    def _states(self, cycles: int) -> tuple[list[State], Stop | None]:
        """Run until it is done, or for so many cycles, of which the last are looked at."""
        self.last = LastCycles(self.host.machine)
        states, stop = self.host.run_until_done(max(cycles - CYCLES, 0))
        if stop is not None or self.host.is_done() or self.host.is_interrupted():
            return states, stop
        more, stop = self.host.run_until_done(min(cycles, CYCLES), self.last.note)
        return [*states, *more[1:]], stop

    def _row(self, state: State) -> str:
        busy = [
            HART_NAMES[hart] for i, hart in enumerate(SYNC_ORDER) if state.sync >> (8 * i) & 0xFF
        ]
        waits = f"waiting for {', '.join(busy)}" if busy else "no hart to wait for"
        signal = self._signal(state.signal)
        return f"cycle {state.cycle:7}  subordinate_sync {state.sync:#010x} ({waits}), {signal}"

    def _signal(self, value: int) -> str:
        for name in ("RUN_MSG_INIT", "RUN_MSG_GO", "RUN_MSG_DONE"):
            if self.host.firmware.signal(name) == value:
                return f"go signal {value:#04x} ({name})"
        return f"go signal {value:#04x}"


def run_firmware(
    host: Host,
    kernels: Sequence[tuple[int, str]],
    cycles: int,
    is_interrupted: Callable[[], bool] = lambda: False,
) -> tuple[list[str], int]:
    """Boot and launch; return what to print, and the exit status."""
    host.is_interrupted = is_interrupted
    boot = Boot(host)
    stop = boot.initialise(cycles)
    if stop is None and kernels and host.is_done():
        stop = boot.run_kernels(kernels, cycles)
    machine = host.machine
    after = f"after {machine.S.tile.cycle} cycles"
    if stop is not None:
        said = f"{stop.text} {after}"
        if stop.kind is StopKind.STANDSTILL:
            said = describe_stop(machine, stop).text
        return [*boot.rows, said], 0 if stop.kind is StopKind.BREAK else 1
    if is_interrupted() and not host.is_done():
        return [*boot.rows, f"interrupted {after}: {where(machine)}"], end_signal.status
    if host.is_done():
        return [*boot.rows, "success: the firmware waits for a launch message"], 0
    return [*boot.rows, f"still running {after}: {where(machine)}{boot.last.text()}"], 1


def where(machine: Machine) -> str:
    """Describe where the issuing harts are."""
    return "; ".join(
        f"{HART_NAMES[hart]} at {machine.places.at(hart, machine.read_pc(hart))}"
        for hart in range(HARTS)
        if machine.S.hart.issuing[hart]
    )


def prepare(host: Host, kernels: Sequence[tuple[int, str]]) -> str:
    """Initialise the firmware for a debugger, with the kernels (if any) about to start.

    UsageError if the firmware does not get so far.
    """
    boot = Boot(host)
    stop = boot.initialise()
    if stop is not None:
        raise UsageError(f"the firmware did not boot: {stop.text}")
    if not host.is_done():
        raise UsageError(f"the firmware did not boot in {MAX_CYCLES} cycles: {where(host.machine)}")
    if kernels:
        launch(host, kernels)
        boot.rows.append("the go signal for the kernels is given; `continue` runs them")
    boot.rows.append("`monitor reset` goes back to before the boot")
    return "\n".join(boot.rows)
