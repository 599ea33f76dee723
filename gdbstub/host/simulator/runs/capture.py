# SPDX-License-Identifier: Apache-2.0
"""The beginning of each run of a kernel, to run the kernel again without its host: `--keep DIR`.

    DIR/run-1.core   the tile before the access after which the first T core has left reset
    DIR/run-1.json   that access; the host's reads during the run, address and last answer; and
                     its writes, cycle and address; the cycle of the end

The core file is an ordinary one: `tensix-gdb serve --core` resumes from it. The access is a write
to L1 as a rule; a program that writes the same bytes there replaces the host.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.host.simulator.grid import TILE, Core
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message
from tensix_gdb.gdbstub.host.simulator.runs.log import T_CORES

log = logging.getLogger(__name__)


class RunCapture:
    """Writes into `folder`; without one it does nothing. Accesses to `core` are noted."""

    def __init__(self, machine: Machine, folder: Path | None, core: Core = TILE) -> None:
        self._machine, self._folder, self._core = machine, folder, core
        self._before = bytearray()
        self._message: Message | None = None
        self._reads: dict[int, bytes] = {}
        self._writes: list[tuple[int, int]] = []
        self._number = 0
        self._running = False

    @property
    def is_wanted(self) -> bool:
        """True if runs are to be kept."""
        return self._folder is not None

    def before_message(self, message: Message) -> None:
        """Keep the state before an access of the host; call before it is carried out."""
        if self._folder is None or self._running:
            return
        self._message = message
        self._before = self._machine.record.snapshot(self._before or None)

    def after_message(self, message: Message, answer: bytes | None) -> None:
        """Note an access that was carried out; a read has an `answer`."""
        if not self._running or message.core != self._core:
            return
        if answer is not None:
            self._reads[message.addr] = answer
        elif message.command is Command.WRITE:
            self._writes.append((int(self._machine.S.tile.cycle), message.addr))

    def on_reset_change(self, before: int, now: int) -> None:
        """Begin or end a run; call when SOFT_RESET_0 has changed."""
        if self._folder is None:
            return
        if not self._running and now & T_CORES != T_CORES and self._message is not None:
            self._running = True
            self._number += 1
            self._write_core(self._folder / f"run-{self._number}.core")
        elif self._running and now & T_CORES == T_CORES:
            self.end()

    def end(self) -> None:
        """End the current run, if there is one."""
        if not self._running or self._folder is None or self._message is None:
            return
        from tensix_gdb.gdbstub.host.simulator.runs.beginning import host_part

        cycle = int(self._machine.S.tile.cycle)
        part = host_part(self._message, self._reads, writes=self._writes, cycle=cycle)
        path = self._folder / f"run-{self._number}.json"
        self._keep(path, part.encode("ascii"))
        self._reads.clear()
        self._writes.clear()
        self._running = False

    def _write_core(self, path: Path) -> None:
        from tensix_gdb.gdbstub.host.simulator.runs.beginning import core_before

        content = core_before(self._machine, self._before, "before T0, T1 and T2 leave reset")
        self._keep(path, content)

    def _keep(self, path: Path, content: bytes) -> None:
        """Write a file; where that fails no more runs are kept, and the host continues."""
        try:
            path.write_bytes(content)
        except OSError as problem:
            log.warning("--keep: no more runs, %s cannot be written: %s", path, problem.strerror)
            with suppress(OSError):
                path.unlink()
            self._folder = None
