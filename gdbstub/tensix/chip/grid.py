# SPDX-License-Identifier: Apache-2.0
"""`monitor chip`: what each tile does, as a grid, and where the harts are that a kernel has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS
from tensix_gdb.core.chip.places import Place, chip_of, on_noc
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.tensix.blocked.instructions import place
from tensix_gdb.gdbstub.tensix.blocked.polled_words import is_firmware
from tensix_gdb.gdbstub.tensix.blocked.polls import polling, standing_still
from tensix_gdb.gdbstub.tensix.chip.tiles import OneTile, Tiles
from tensix_gdb.gdbstub.tensix.monitor_row import no_more

MAX_LINES = 24
LEGEND = (
    "Each tile: B T0 T1 T2 NC. K in a kernel, f in firmware, - in what has no symbols, . in reset, "
    "p paused, w waits or polls, ! at a fault."
)
RESET, PAUSED, FAULT, WAITS, KERNEL, FIRMWARE, OTHER = ".p!wKf-"


def monitor_chip(tiles: Tiles, thread: int, words: list[str]) -> str:
    """Return the grid, the kernels by tiles, and the places of harts in kernels by tiles."""
    no_more(words, "chip")
    return "".join(f"{line}\n" for line in grid_lines(tiles))


def grid_lines(tiles: Tiles) -> Iterator[str]:
    """Yield the lines of `monitor chip`."""
    yield f"cycle {tiles.chip.cycle}, {len(tiles.all)} tiles. {LEGEND}"
    letters: dict[Place, str] = {}
    by_kernels: dict[str, list[str]] = {}
    places: dict[str, list[str]] = {}
    for tile in tiles.all:
        if text := kernels(tile):
            by_kernels.setdefault(text, []).append(tile.name)
        with standing_still(tile.machine):  # letters and sentences ask for the same polls
            letters[tile.place] = looked(tile, letters_of(tile))
            for hart, one in enumerate(letters[tile.place]):
                if one in (KERNEL, WAITS, FAULT):
                    where = f"{HART_NAMES[hart]} {doing(tile, hart)}"
                    places.setdefault(where, []).append(tile.name)
    for chip in sorted(set(map(chip_of, letters))):
        own = {place: text for place, text in letters.items() if chip_of(place) == chip}
        if chip >= 0:
            yield f"Chip c{chip}:"
        yield from _grid({on_noc(place): text for place, text in own.items()})
    yield from _shared("Kernels:", by_kernels)
    yield from _shared("Harts in kernels, or at a fault:", places)


def _grid(letters: Mapping[Place, str]) -> Iterator[str]:
    """Yield the tiles of one chip, row by row."""
    columns = sorted({x for x, _ in letters})
    yield "     " + " ".join(f"x={x:<4}" for x in columns)
    for y in sorted({y for _, y in letters}):
        cells = (f"{letters.get((x, y), ''):6}" for x in columns)
        yield f"y={y:<3}" + " ".join(cells).rstrip()


def _shared(title: str, by_text: dict[str, list[str]]) -> Iterator[str]:
    if not by_text:
        return
    yield title
    for text, names in list(by_text.items())[:MAX_LINES]:
        yield f"    {_listed(names)}: {text}"
    if len(by_text) > MAX_LINES:
        yield f"    and {len(by_text) - MAX_LINES} more"


def _listed(names: list[str]) -> str:
    shown = " ".join(names[:8])
    return f"{shown} and {len(names) - 8} more" if len(names) > 8 else shown


def letters_of(tile: OneTile) -> str:
    """Return the letters of all harts of a tile."""
    return "".join(letter(tile, hart) for hart in range(HARTS))


def looked(tile: OneTile, letters: str) -> str:
    """Return the letters with that of waiting for harts in a kernel that poll, too."""
    polls = {
        hart
        for hart, one in enumerate(letters)
        if one == KERNEL and polling(tile.machine, hart) is not None
    }
    return "".join(WAITS if hart in polls else one for hart, one in enumerate(letters))


def letter(tile: OneTile, hart: int) -> str:
    """Return the letter of what a hart does; a look for polls is `looked`, it takes long."""
    S = tile.machine.S
    if S.hart.in_reset[hart]:
        return RESET
    if S.stop.kind == StopKind.FAULT and S.stop.hart == hart:
        return FAULT
    if S.hart.paused[hart]:
        return PAUSED
    if S.hart.waits_for[hart]:
        return WAITS
    image = tile.machine.places.image(hart, tile.machine.read_pc(hart))
    if image is None:
        return OTHER
    return FIRMWARE if is_firmware(image) else KERNEL


def doing(tile: OneTile, hart: int) -> str:
    """Return what a hart does and where: `ready at reader.cpp:12`, `polls cb 0 for room, ...`."""
    found = polling(tile.machine, hart)
    if found is not None:
        return found.does
    where = place(tile.machine, hart, tile.machine.read_pc(hart))
    if letter(tile, hart) == FAULT:
        return f"stopped by a fault at {where}"
    return f"{tile.machine.hart_state(hart).partition(' at ')[0]} at {where}"


def kernels(tile: OneTile) -> str:
    """Return the kernels of a tile: `reader_x (NC), eltwise_y (T0 T1 T2)`."""
    harts: dict[str, list[str]] = {}
    for image in tile.machine.images:
        if image.hart is not None and not is_firmware(image):
            name = image.path.parents[2].name if len(image.path.parts) > 3 else image.path.name
            harts.setdefault(name, []).append(HART_NAMES[image.hart])
    return ", ".join(f"{name} ({' '.join(own)})" for name, own in harts.items())
