# SPDX-License-Identifier: Apache-2.0
"""The one door to tt-exalens: what a snapshot reads of a tile of a card.

Whatever tt-exalens raises is a `CannotRead` here, so that one core that cannot be halted leaves the
rest of the tile readable.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Protocol

from tensix_gdb.gdbstub.usage import UsageError

NAMES = ("brisc", "trisc0", "trisc1", "trisc2", "ncrisc")  # in the order of our harts
INSTALL = "tt-exalens is not installed: `pip install tt-exalens` (Linux on x86-64)"


class CannotRead(Exception):
    """The card does not give it; the message is its reason."""


class Card(Protocol):
    """A tile of a card."""

    name: str

    def read(self, addr: int, size: int) -> bytes:
        """Return bytes that the NoC reaches."""

    def write(self, addr: int, value: int) -> None:
        """Write a word that the NoC reaches: registers that select what others show."""

    def can_halt(self, hart: int) -> bool:
        """True if the debug interface reaches the core."""

    def is_halted(self, hart: int) -> bool:
        """True if the debug interface has halted the core."""

    def halted(self, hart: int) -> contextlib.AbstractContextManager[None]:
        """Halt a core that runs, and let it run afterwards."""

    def x(self, hart: int, number: int) -> int:
        """Return a register of a halted core; 32 is the pc."""

    def word(self, hart: int, addr: int) -> int:
        """Return a word as a load of a halted core has it."""


class ExalensCard:
    """A card, or a simulator, by tt-exalens."""

    def __init__(
        self, location: str, device: int, simulator: str | None, context: Any = None
    ) -> None:
        """`context` is that of a session of tt-exalens, where there is one."""
        try:
            from ttexalens import tt_exalens_init, tt_exalens_lib
            from ttexalens.coordinate import OnChipCoordinate
        except ImportError:
            raise UsageError(INSTALL) from None
        try:
            if context is None:
                context = tt_exalens_init.init_ttexalens(simulation_directory=simulator)
            place = OnChipCoordinate.create(location, device=context.devices[device])
            self._block: Any = context.devices[device].get_block(place)
        except Exception as problem:  # it has no exceptions of its own for all of this
            raise UsageError(f"tt-exalens: {_said(problem)}") from None
        if self._block.block_type != "functional_workers":
            raise UsageError(f"{location} is no Tensix tile: {self._block.block_type}")
        self._lib, self._location, self._device = tt_exalens_lib, location, device
        self.name = f"device {device}, tile {location}"

    def _debug(self, hart: int) -> Any:
        return self._block.get_risc_debug(NAMES[hart])

    def read(self, addr: int, size: int) -> bytes:
        with _read():
            data = self._lib.read_from_device(
                self._location, addr, self._device, size, safe_mode=False
            )
            return bytes(data)

    def write(self, addr: int, value: int) -> None:
        with _read():
            self._lib.write_words_to_device(
                self._location, addr, value, self._device, safe_mode=False
            )

    def can_halt(self, hart: int) -> bool:
        with _read():
            return bool(self._debug(hart).can_debug())

    def is_halted(self, hart: int) -> bool:
        with _read():
            debug = self._debug(hart)
            return bool(debug.can_debug() and debug.is_halted())

    @contextlib.contextmanager
    def halted(self, hart: int) -> Iterator[None]:
        with _read():
            debug = self._debug(hart)
            if not debug.can_debug():
                raise CannotRead("the debug interface does not reach it")
            hardware = debug.debug_hardware
            was_halted = hardware.is_halted()
            if not was_halted:
                try:
                    hardware.halt()
                except Exception:  # a core that was only slow has halted by now
                    if not hardware.is_halted():
                        raise
            asserts = debug.enable_asserts, hardware.enable_asserts
            try:
                # It is halted: to look anew at each register and word takes two thirds of the time.
                debug.enable_asserts = hardware.enable_asserts = False
                yield
            finally:
                debug.enable_asserts, hardware.enable_asserts = asserts
                if not was_halted:
                    hardware.cont()

    def x(self, hart: int, number: int) -> int:
        with _read():
            return int(self._debug(hart).read_gpr(number))

    def word(self, hart: int, addr: int) -> int:
        with _read():
            return int(self._debug(hart).debug_hardware.read_memory(addr))


@contextlib.contextmanager
def _read() -> Iterator[None]:
    try:
        yield
    except CannotRead:
        raise
    except Exception as problem:
        raise CannotRead(_said(problem)) from None


def _said(problem: Exception) -> str:
    return (str(problem) or type(problem).__name__).splitlines()[0]
