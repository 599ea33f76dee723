# SPDX-License-Identifier: Apache-2.0
"""`--dprint` and `monitor dprint`: tt-metal's debug prints, where a user can see them."""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.device_print.buffer import DEFAULT_BYTES, DISABLED, Buffer
from tensix_gdb.core.device_print.prints import Prints
from tensix_gdb.core.firmware.host import Host
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.monitor_row import Command, no_more
from tensix_gdb.gdbstub.usage import UsageError

HOW = "type the address of its DevicePrintBuffer as in 0x15000, or 0x15000,0x4000 with its size"


def buffer_at(text: str) -> Buffer | None:
    """Return the buffer that `ADDR` or `ADDR,SIZE` names; None when there cannot be one."""
    addr, _, size = text.partition(",")
    try:
        buffer = Buffer(int(addr, 0), int(size, 0) if size else DEFAULT_BYTES)
    except ValueError:
        return None
    return buffer if buffer.addr >= 0 and buffer.fits() else None


class TilePrints:
    """The prints of one tile, on or off; `show` gets whole lines."""

    def __init__(self, machine: Machine, host: Host | None, show: Callable[[str], None]) -> None:
        self._machine, self._show = machine, show
        self._buffer = None if host is None else host.print_buffer
        self._prints: Prints | None = None

    def start(self, text: str = "") -> Buffer | None:
        """Read the prints from now on, in the buffer that is named or known; None without one."""
        buffer = buffer_at(text) if text else self._buffer
        if buffer is None:
            return None
        self.stop()
        self._buffer = buffer
        self._prints = self._machine.host.observer = Prints(self._machine, buffer, self._show)
        self._prints.begin_reading()
        return buffer

    def stop(self) -> None:
        """Stop reading, and tell kernels."""
        if self._prints is not None and self._buffer is not None:
            self._buffer.say(self._machine, DISABLED)
        self._prints = self._machine.host.observer = None

    def flush(self) -> None:
        """Show what there is, also of lines that have not ended."""
        if self._prints is not None:
            self._prints.show()

    def command(self) -> Command:
        """Return the row of the table of `monitor` commands."""

        def dprint(thread: int, words: list[str]) -> str:
            no_more(words[1:], "dprint")
            word = words[0] if words else ""
            if word == "off":
                self.stop()
            elif word and self.start("" if word == "on" else word) is None:
                raise TargetError(
                    f"no buffer of debug prints is known: {HOW}"
                    if word == "on"
                    else f"{word} is no buffer of debug prints in L1: {HOW}"
                )
            if self._prints is None or self._buffer is None:
                return "Debug prints are not read.\n"
            return (
                f"Debug prints are read from {self._buffer.addr:#x}, {self._buffer.size} bytes.\n"
            )

        about = "show what kernels print by DPRINT"
        return Command("dprint", "[on|off|ADDR[,SIZE]]", about, dprint, True)


def start_prints(prints: TilePrints, wanted: str | None) -> TilePrints:
    """Read them if `--dprint` wants it; UsageError when it does not say where the buffer is."""
    if wanted is not None and prints.start(wanted) is None:
        raise UsageError(
            f"--dprint {wanted}: no buffer of debug prints in L1; {HOW}"
            if wanted
            else f"--dprint: without --firmware nothing says where the buffer is; {HOW}"
        )
    return prints
