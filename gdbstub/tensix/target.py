# SPDX-License-Identifier: Apache-2.0
"""The tile as a target of the protocol: this folder is the only place where both are known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tensix_gdb.core.history import MachineHistory
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.protocol.target import Target
from tensix_gdb.gdbstub.tensix.capabilities.breakpoints import HartBreakpoints
from tensix_gdb.gdbstub.tensix.capabilities.execution import TileExecution
from tensix_gdb.gdbstub.tensix.capabilities.files import LoadedFiles
from tensix_gdb.gdbstub.tensix.capabilities.registers import HartRegisters
from tensix_gdb.gdbstub.tensix.capabilities.restart import TileRestart
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.capabilities.threads import TileThreads
from tensix_gdb.gdbstub.tensix.corefile.write import TileCoreFile
from tensix_gdb.gdbstub.tensix.documents.description import Documents
from tensix_gdb.gdbstub.tensix.documents.processes import ProcessDocuments, TileProcesses
from tensix_gdb.gdbstub.tensix.host.host import HostSide, plain_host
from tensix_gdb.gdbstub.tensix.memory import HartMemory
from tensix_gdb.gdbstub.tensix.monitor.monitor import HartMonitor


def tensix_target(
    machine: Machine,
    *,
    record: bool = False,
    history: MachineHistory | None = None,
    core_dir: str | None = None,
    host: HostSide | None = None,
    processes: bool = False,
    stop_at_end: bool = True,
    expected: Sequence[str] = (),
) -> Target:
    """Everything that the protocol can do with `machine`; `record` begins its history, unless
    it has one. Clients may write core files into `core_dir`, and nothing anywhere else. `host` is
    what programs have of one. With `processes` each hart is one to clients that know
    processes. Without `stop_at_end` a program that ends while others run is told of, and is no
    stop. `expected` are values of `--expect`, for `monitor wrong`."""
    breakpoints = HartBreakpoints(machine)
    kept = TileHistory(machine, breakpoints)
    kept.expected = tuple(expected)
    if history is not None:
        kept.adopt(history)
    elif record:
        kept.record(True)
    host = host or plain_host(machine)
    if host.calls is not None:
        host.calls.keep_history(kept)
    execution = TileExecution(
        machine, breakpoints, kept, host.calls, host.console, stop_at_end=stop_at_end
    )
    restart = TileRestart(machine)
    monitor = HartMonitor(machine, execution, restart, kept, core_dir, host)
    return Target(
        threads=TileThreads(machine),
        registers=HartRegisters(machine),
        memory=HartMemory(machine),
        execution=execution,
        breakpoints=breakpoints,
        xfer=(ProcessDocuments if processes else Documents)(machine, monitor=monitor),
        monitor=monitor,
        restart=restart,
        files=LoadedFiles(machine),
        reverse=kept,
        console=host.console,
        calls=host.calls,
        processes=TileProcesses(machine, monitor) if processes else None,
        core_file=TileCoreFile(machine),
        learn=[partial(machine.places.learn, image) for image in machine.images],
    )
