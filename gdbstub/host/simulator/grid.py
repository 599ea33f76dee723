# SPDX-License-Identifier: Apache-2.0
"""The kinds of cores on a Blackhole chip, and the description of the chip that the driver reads.

NoC/Coordinates.md: coordinates of NoC 0, 17 columns and 12 rows. The description has the Tensix
tiles that are emulated and no others, so that a program that asks for the first one gets it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.arch.chips import BLACKHOLE
from tensix_gdb.core.chip.links import CHANNELS, TRANSLATED_X, TRANSLATED_Y, links_of
from tensix_gdb.core.chip.places import (
    ETHERNET,
    TENSIX_PLACES,
    Place,
    beside,
    chip_of,
    of_chip,
    on_noc,
    place_of,
)
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.noc.coordinates import (
    COLUMNS,
    COLUMNS_OF,
    DRAM,
    FIRST_TENSIX_ROW,
    PCIE,
    ROWS,
    TILE_X,
    TILE_Y,
    TRANSLATED_DRAM,
    TRANSLATED_DRAM_X,
    WORMHOLE_DRAM,
)
from tensix_gdb.core.noc.dram_data import DRAM_BYTES
from tensix_gdb.gdbstub.host.simulator import grid_wormhole
from tensix_gdb.gdbstub.usage import UsageError

Core = tuple[int, int]  # x and y of NoC 0, with the chip (core/chip/places.py)
TILE = (TILE_X, TILE_Y)
# Columns and rows of Tensix tiles, in the order in which a grid takes them.
TENSIX_X = (*range(1, 7), *range(10, COLUMNS - 1), 7, 16)
TENSIX_Y = tuple(range(FIRST_TENSIX_ROW, ROWS))
CHANNEL = {core: number for number, cores in enumerate(DRAM) for core in cores}
# By chip: the memory that each core of DRAM leads to. On Wormhole it is that of a group of three.
CHANNELS_OF = (
    CHANNEL,
    {core: number for number, cores in enumerate(WORMHOLE_DRAM) for core in cores},
)
ARC = (8, 0)
ARC_OF = (ARC, grid_wormhole.ARC)  # by chip, as all that ends with _OF
TENSIX_OF = (
    (TENSIX_X, TENSIX_Y),
    tuple(tuple(sorted({place[axis] for place in TENSIX_PLACES[1]})) for axis in range(2)),
)
# Columns and rows that tt-metal leaves for kernels when its dispatcher runs on tiles: on Blackhole
# it takes tiles of the last column, on Wormhole those of the last row.
MOST_OF = ((len(TENSIX_X) - 1, len(TENSIX_Y)), (8, 9))
# The port of a channel that the driver uses on each NoC, for eth and worker cores alike.
ENDPOINTS = ((2, 1), (0, 1), (0, 1), (0, 1), (2, 1), (2, 1), (2, 1), (2, 1))
# Ports next to which are four different rows of tiles, from the first one on.
NEAR_ENDPOINTS = ((1, 0), (2, 0), (1, 0), (0, 1), (1, 0), (2, 0), (1, 0), (0, 1))
ETH_L1_BYTES = 512 << 10


def of_noc_0(core: Core, kind: int = 0) -> Core:
    """Return the coordinates of NoC 0 of a core of which the host has translated ones (NoC/
    Coordinates.md). On Blackhole those of Tensix tiles are the same, and rows 0 and 1 keep their
    own. `kind` is Blackhole or Wormhole (core/arch/chips.py)."""
    x, y = on_noc(core)
    if kind:
        from tensix_gdb.core.noc.translation import untranslated  # which loads half of the tile

        return beside(_of_several(untranslated(x, y), core, kind), core)
    if x in (TRANSLATED_DRAM_X, TRANSLATED_DRAM_X + 1) and ROWS <= y < 2 * ROWS:
        place = TRANSLATED_DRAM[ROWS * (x - TRANSLATED_DRAM_X) + y - ROWS]
        return beside((place & 63, place >> 6), core)
    if y == TRANSLATED_Y and 0 <= x - TRANSLATED_X < len(CHANNELS) and chip_of(core) >= 0:
        return beside(ETHERNET[BLACKHOLE][CHANNELS[x - TRANSLATED_X]], core)
    return core


def _of_several(core: Core, near: Core, kind: int) -> Place:
    """Return the place of a core on NoC 0, that of its Ethernet tile if chips have cables."""
    x, y = core
    is_there = chip_of(near) >= 0 and x < COLUMNS_OF[kind] and y < ROWS
    return place_of(kind, 0, x | y << 6) if is_there else core


def _names(cores: Sequence[Core]) -> str:
    return "[ " + ", ".join(f"{x}-{y}" for x, y in cores) + " ]"


def places_of(text: str, arch: Arch = Arch.BLACKHOLE) -> tuple[Core, ...]:
    """Return the tiles of a grid `WxH`, row by row from the first Tensix tile. UsageError for no
    grid of the chip."""
    columns, rows = TENSIX_OF[arch.chip]
    found = re.fullmatch(r"(\d{1,3})x(\d{1,3})", text)
    width, height = map(int, found.groups()) if found else (0, 0)
    if not (0 < width <= len(columns) and 0 < height <= len(rows)):
        most = whole(arch)
        raise UsageError(f"--tiles {text}: name columns and rows of tiles, from 1x1 to {most}")
    # A rectangle of the driver's is one of the chip, without other tiles in it.
    return tuple((x, y) for y in rows[:height] for x in sorted(columns[:width]))


def whole(arch: Arch) -> str:
    """Return the grid `WxH` of the whole chip."""
    columns, rows = TENSIX_OF[arch.chip]
    return f"{len(columns)}x{len(rows)}"


def places_on(text: str, chips: int, arch: Arch = Arch.BLACKHOLE) -> tuple[Core, ...]:
    """Return the tiles of a grid `WxH` on each of so many chips, chip by chip. UsageError for no
    grid of the chip, and for more chips of Wormhole than have cables."""
    places = places_of(text, arch)
    if chips == 1:
        return places
    if arch is Arch.WORMHOLE and not links_of(chips, arch.chip):
        raise UsageError(f"--chips {chips}: of Wormhole there are one chip and two")
    return tuple(of_chip(place, chip) for chip in range(chips) for place in places)


def variables_of(text: str, arch: Arch = Arch.BLACKHOLE) -> dict[str, str]:
    """Return the variables with which tt-metal takes a grid `WxH` of tiles for its chip, the host
    dispatching: none for the whole chip."""
    if text == whole(arch):
        return {}
    # The last column and row. It keeps the last ones of a whole chip for its dispatcher.
    most_x, most_y = MOST_OF[arch.chip]
    width, height = map(int, text.split("x"))
    last = f"{min(width, most_x) - 1},{min(height, most_y) - 1}"
    return {
        "TT_METAL_SLOW_DISPATCH_MODE": "1",
        "TT_METAL_CORE_GRID_OVERRIDE_TODEPRECATE": last,
    }


def _others(tiles: Sequence[Core]) -> tuple[Core, ...]:
    """List the cores that the driver may not use: routers, Ethernet, tiles without emulation."""
    known = {*tiles, ARC, *PCIE, *CHANNEL}
    every = ((x, y) for y in range(ROWS) for x in range(COLUMNS))
    return tuple(core for core in every if core not in known)


def endpoints(tiles: Sequence[Core]) -> tuple[tuple[int, int], ...]:
    """Return the port of each channel on NoC 0 and NoC 1.

    ttnn reads shards in DRAM by the tile to the right of a channel's port, and refuses a chip that
    has no such tile. A grid of fewer rows gets other ports than a card, if it has these tiles.
    """
    near = {DRAM[channel][ports[0]] for channel, ports in enumerate(NEAR_ENDPOINTS)}
    card = {DRAM[channel][ports[0]] for channel, ports in enumerate(ENDPOINTS)}
    if _tiles_beside(card) <= set(tiles) or not _tiles_beside(near) <= set(tiles):
        return ENDPOINTS
    return NEAR_ENDPOINTS


def _tiles_beside(ports: Iterable[Core]) -> set[Core]:
    """Return the tiles to the right of ports, in the nearest row that has Tensix tiles."""
    return {(x + 1, max(y, FIRST_TENSIX_ROW)) for x, y in ports}


def soc_descriptor(tiles: Sequence[Core] = (TILE,), ethernet: Sequence[Core] = ()) -> str:
    """Make the text of soc_descriptor.yaml (tt-umd, SocArchDescriptor) for these tiles."""
    views = "".join(
        f"  - {{ channel: {channel}, eth_endpoint: {list(ports)}, "
        f"worker_endpoint: {list(ports)}, address_offset: 0 }}\n"
        for channel, ports in enumerate(endpoints(tiles))
    )
    dram = "".join(f"  - {_names(cores)}\n" for cores in DRAM)
    return (
        "arch_name: BLACKHOLE\n"
        f"grid: {{ x_size: {COLUMNS}, y_size: {ROWS} }}\n"
        f"arc: {_names((ARC,))}\n"
        f"pcie: {_names(PCIE)}\n"
        f"dram:\n{dram}"
        f"dram_views:\n{views}"
        f"dram_view_size: {DRAM_BYTES}\n"
        f"dram_bank_size: {DRAM_BYTES}\n"
        f"eth: {_names(ethernet)}\n"
        f"functional_workers: {_names(tiles)}\n"
        "harvested_workers: []\n"
        f"router_only: {_names(_others((*tiles, *ethernet)))}\n"
        f"worker_l1_size: {L1_BYTES}\n"
        f"eth_l1_size: {ETH_L1_BYTES}\n"
        "features:\n"
        "  noc: { translation_id_enabled: True }\n"
        "  unpacker: { version: 2, inline_srca_trans_without_srca_trans_instr: True }\n"
        "  math: { dst_size_alignment: 32768 }\n"
        "  packer: { version: 2 }\n"
        "  overlay: { version: 2 }\n"
    )
