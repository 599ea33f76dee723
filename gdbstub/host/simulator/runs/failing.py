# SPDX-License-Identifier: Apache-2.0
"""The launch of kernels that fails, kept as a run that can be run again without its host.

    DIR/run-1.core   the tile, with its DRAM, before the go signal
    DIR/run-1.json   the go signal, the host's reads of L1 after it, and where it has
                     written runtime arguments

One run is kept of a program: that of a fault or a hang; else the first with a report; else the
last one, as a host may find a result wrong. capture.py writes all runs of a program that asks for
it (`--keep`); this keeps one without being asked, so a launch costs a copy of the tile.
"""

from __future__ import annotations

import enum
import logging
from contextlib import suppress
from pathlib import Path

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.state.areas import Arguments
from tensix_gdb.gdbstub.host.simulator.grid import TILE, Core
from tensix_gdb.gdbstub.host.simulator.messages import Message
from tensix_gdb.gdbstub.host.simulator.runs.beginning import core_before, host_part
from tensix_gdb.gdbstub.tensix.host.arguments import arguments_of

log = logging.getLogger(__name__)
CORE, JSON = "run-1.core", "run-1.json"
MOST_PAGES = 1 << 14  # of DRAM, each of 4 KiB, in a run that is kept


class Why(enum.IntEnum):
    """The reason why a run is kept; a higher one replaces a lower one."""

    NOT = 0
    LAST = 1
    REPORT = 2
    STUCK = 3


class FailingRun:
    """Keeps one run of a tile alone in `folder`; without one it does nothing."""

    def __init__(self, machine: Machine, folder: Path | None, core: Core = TILE) -> None:
        self._machine, self._folder, self._core = machine, folder, core
        self._is_due = False  # the next message is a go signal
        self._message: Message | None = None
        self._before = bytearray()
        self._pages: list[dict[int, bytes]] = []
        self._reads: dict[int, bytes] = {}
        self._arguments: list[Arguments] = []
        self._kept = Why.NOT

    @property
    def is_wanted(self) -> bool:
        """True if a run is to be kept."""
        return self._folder is not None

    @property
    def notes_launches(self) -> bool:
        """True if `on_launch` has to be called for each."""
        return self._folder is not None

    def on_launch(self) -> None:
        """Note that kernels are launched by the next message."""
        self._is_due = self._folder is not None

    def before_message(self, message: Message) -> None:
        """Keep the state before a go signal; call before it is carried out."""
        if not self._is_due:
            return
        self._is_due, self._message = False, message
        self._reads.clear()
        self._before = self._machine.record.snapshot(self._before or None)
        self._pages = [memory.snapshot() for memory in self._machine.outside.memories()]
        self._arguments = arguments_of(self._machine)

    def after_message(self, message: Message, answer: bytes | None) -> None:
        """Note what the host has read of the tile."""
        if answer is not None and self._message is not None and message.core == self._core:
            self._reads[message.addr] = answer

    def keep(self, why: Why) -> None:
        """Write the current run, if no other is as good. Where that fails nothing is kept."""
        if self._folder is None or self._message is None or why <= self._kept:
            return
        if sum(map(len, self._pages)) > MOST_PAGES:
            return
        content = core_before(
            self._machine, self._before, "before kernels are launched", self._pages
        )
        arguments = [[one.hart, one.first, one.end, one.is_common] for one in self._arguments]
        ended = why is not Why.STUCK
        part = host_part(self._message, self._reads, writes=[], ended=ended, arguments=arguments)
        try:
            (self._folder / CORE).write_bytes(content)
            (self._folder / JSON).write_text(part, encoding="ascii")
        except OSError as problem:
            log.info("%s: the run is not kept: %s", self._folder, problem.strerror)
            with suppress(OSError):
                (self._folder / CORE).unlink()
        else:
            self._kept = why
