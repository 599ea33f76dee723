# SPDX-License-Identifier: Apache-2.0
"""The tile as a target of the protocol: this folder is the only place where both are known."""

from __future__ import annotations

from functools import partial

from tensix_gdb.core.history import History
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.machine import MemoryFault
from tensix_gdb.core.memory.map import REGION_NAMES, ROWS
from tensix_gdb.core.memory.map import Region as MapRegion
from tensix_gdb.gdbstub.target import Region, Target, TargetError
from tensix_gdb.gdbstub.tensix.capabilities.breakpoints import HartBreakpoints
from tensix_gdb.gdbstub.tensix.capabilities.execution import TileExecution
from tensix_gdb.gdbstub.tensix.capabilities.files import LoadedFiles
from tensix_gdb.gdbstub.tensix.capabilities.registers import HartRegisters
from tensix_gdb.gdbstub.tensix.capabilities.restart import TileRestart
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.capabilities.threads import TileThreads, hart_of
from tensix_gdb.gdbstub.tensix.corefile.write import TileCoreFile
from tensix_gdb.gdbstub.tensix.documents.description import Documents
from tensix_gdb.gdbstub.tensix.documents.processes import ProcessDocuments, TileProcesses
from tensix_gdb.gdbstub.tensix.host.host import HostSide, plain_host
from tensix_gdb.gdbstub.tensix.monitor.monitor import HartMonitor

END = 1 << 32


class HartMemory:
    """The `Memory` capability."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def read_memory(self, thread: int, addr: int, length: int) -> bytes:
        try:
            return self._machine.peek(hart_of(thread), addr, length)
        except MemoryFault as problem:
            raise TargetError(str(problem)) from None

    def write_memory(self, thread: int, addr: int, data: bytes) -> None:
        try:
            self._machine.poke(hart_of(thread), addr, data)
        except MemoryFault as problem:
            raise TargetError(str(problem)) from None

    def region(self, thread: int, addr: int) -> Region:
        hart = hart_of(thread)
        start = 0
        for row in (row for row in ROWS if hart in row.harts):
            if addr < row.start:
                return Region(start, row.start, "", REGION_NAMES[0])
            if addr < row.end:
                access = "rwx" if row.region == MapRegion.L1 else "rw"
                return Region(row.start, row.end, access, REGION_NAMES[row.region])
            start = row.end
        return Region(start, END, "", REGION_NAMES[0])


def tensix_target(
    machine: Machine,
    *,
    record: bool = False,
    history: History | None = None,
    core_dir: str | None = None,
    host: HostSide | None = None,
    processes: bool = False,
    stop_at_end: bool = True,
) -> Target:
    """Everything that the protocol can do with `machine`; `record` begins its history, unless
    it has one. Clients may write core files into `core_dir`, and nothing anywhere else. `host` is
    what programs have of one. With `processes` each hart is one to clients that know
    processes. Without `stop_at_end` a program that ends while others run is told of, and is no
    stop."""
    breakpoints = HartBreakpoints(machine)
    kept = TileHistory(machine, breakpoints)
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
