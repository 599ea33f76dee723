# SPDX-License-Identifier: Apache-2.0
"""The host of a tile that clients have: what is shown to them, and what answers programs."""

from __future__ import annotations

from contextlib import ExitStack

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.firmware.host import Host
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.semihosting.console import OUT
from tensix_gdb.gdbstub.cli.options.host import HostOptions
from tensix_gdb.gdbstub.tensix.capabilities.host_calls import ClientConsole, TileCalls
from tensix_gdb.gdbstub.tensix.host.device_print import TilePrints, start_prints
from tensix_gdb.gdbstub.tensix.host.semihosting import serve_calls
from tensix_gdb.gdbstub.usage import GDB


@dataclass(frozen=True, slots=True)
class HostSide:
    """The parts of a host."""

    console: ClientConsole
    prints: TilePrints
    calls: TileCalls | None = None


def plain_host(machine: Machine) -> HostSide:
    """Return a host that answers nothing, and reads prints when it is told where."""
    console = ClientConsole()
    return HostSide(console, _prints_to(console, machine, None))


def _prints_to(console: ClientConsole, machine: Machine, host: Host | None) -> TilePrints:
    prints = TilePrints(machine, host, lambda text: console.write(OUT, text.encode("utf-8")))
    console.before_stop = prints.flush
    return prints


def host_side(
    machine: Machine, firmware: Host | None, options: HostOptions, stack: ExitStack
) -> HostSide:
    """Give the host that the options want; `stack` ends it."""
    console = ClientConsole()
    prints = start_prints(_prints_to(console, machine, firmware), options.dprint)
    calls = serve_calls(machine, options, console)
    if calls is None:
        return HostSide(console, prints)
    stack.callback(calls.close)
    answered = TileCalls(machine, calls, console, by_gdb=options.semihosting == GDB)
    return HostSide(console, prints, answered)
