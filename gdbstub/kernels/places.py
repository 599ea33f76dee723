# SPDX-License-Identifier: Apache-2.0
"""The place of each hart's program, and the files that every program is linked with."""

from __future__ import annotations

from pathlib import Path

from tensix_gdb.core.arch.blackhole import HART_NAMES, LOCAL_BASE
from tensix_gdb.core.arch.wormhole import LOCAL_BYTES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch

FOLDER = Path(__file__).resolve().parent
# Start-up code, the linker script and tile.h.
PROGRAMS = FOLDER.parent / "demo" / "programs"


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a hart's program: code at the hart's reset pc, stack at the end of local RAM."""

    text: int
    text_bytes: int
    stack_top: int


PLACES = {
    "B": Place(0x00000, 0x6000, 0xFFB02000),
    "T0": Place(0x06000, 0x4000, 0xFFB01000),
    "T1": Place(0x0A000, 0x4000, 0xFFB01000),
    "T2": Place(0x0E000, 0x4000, 0xFFB01000),
    "NC": Place(0x12000, 0xE000, 0xFFB02000),
}
SHARED_START = 0x20000


def symbols(hart: str, arch: Arch = Arch.BLACKHOLE) -> dict[str, int]:
    """Return the symbols that the linker script needs for a hart. On Wormhole local RAMs are
    smaller."""
    place, top = PLACES[hart], PLACES[hart].stack_top
    if arch is Arch.WORMHOLE:
        top = LOCAL_BASE + LOCAL_BYTES[HART_NAMES.index(hart)]
    return {
        "__text_start": place.text,
        "__text_bytes": place.text_bytes,
        "__stack_top": top,
        "__shared_start": SHARED_START,
    }
