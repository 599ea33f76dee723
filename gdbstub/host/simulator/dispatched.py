# SPDX-License-Identifier: Apache-2.0
"""Kernels that a dispatcher on the chip starts, by requests to other tiles: recognised before they
execute anything, and debuggers are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tensix_gdb.core.chip.notice import Notices
from tensix_gdb.gdbstub.host.simulator.grid import Core
from tensix_gdb.gdbstub.host.simulator.watched import Watched
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile


class Dispatched:
    """Of all tiles of a chip. The run of the chip ends where such a signal arrives; call
    `recognise_kernels` before it continues."""

    def __init__(
        self, notices: Notices, watched: Mapping[Core, Watched], shared: SharedTile
    ) -> None:
        self._notices, self._watched, self._shared = notices, watched, shared
        self._launched: list[Core] = []
        self._steps: tuple[Watched, Iterator[None]] | None = None
        for one in watched.values():
            one.launches.found_firmware = notices.watch

    def recognise_kernels(self) -> bool:
        """Recognise what was started. True if debuggers have been told of some, which they have to
        read before the chip continues: call it again then."""
        while True:
            self._launched += self._notices.take_tiles()
            if self._steps is None:
                if not self._launched:
                    return False
                one = self._watched[self._launched.pop(0)]
                self._steps = one, one.launches.after_request()
            one, steps = self._steps
            for _ in steps:
                if self._shared.libraries_changed(one.first_thread):
                    return True
            self._steps = None
