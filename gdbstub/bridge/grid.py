# SPDX-License-Identifier: Apache-2.0
"""The kinds of cores on a Blackhole chip, and the description of the chip that the driver reads.

NoC/Coordinates.md: coordinates of NoC 0, 17 columns and 12 rows. The emulator has one Tensix tile;
the description has no other, so that a program that asks for the first one gets it.
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.noc.coordinates import COLUMNS, DRAM, PCIE, ROWS, TILE_X, TILE_Y
from tensix_gdb.core.noc.outside import DRAM_BYTES

TILE = (TILE_X, TILE_Y)
CHANNEL = {core: number for number, cores in enumerate(DRAM) for core in cores}
ARC = (8, 0)
# The port of a channel that the driver uses, for eth and worker cores alike.
ENDPOINTS = ((2, 1), (0, 1), (0, 1), (0, 1), (2, 1), (2, 1), (2, 1), (2, 1))
ETH_L1_BYTES = 512 << 10


def _name(core: tuple[int, int]) -> str:
    return f"{core[0]}-{core[1]}"


def _names(cores: tuple[tuple[int, int], ...]) -> str:
    return "[ " + ", ".join(map(_name, cores)) + " ]"


def _others() -> tuple[tuple[int, int], ...]:
    """List the cores that the driver may not use: routers, Ethernet, tiles without emulation."""
    known = {TILE, ARC, *PCIE, *CHANNEL}
    every = ((x, y) for y in range(ROWS) for x in range(COLUMNS))
    return tuple(core for core in every if core not in known)


def soc_descriptor() -> str:
    """Make the text of soc_descriptor.yaml (tt-umd, SocArchDescriptor)."""
    views = "".join(
        f"  - {{ channel: {channel}, eth_endpoint: {list(ports)}, "
        f"worker_endpoint: {list(ports)}, address_offset: 0 }}\n"
        for channel, ports in enumerate(ENDPOINTS)
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
        "eth: []\n"
        f"functional_workers: {_names((TILE,))}\n"
        "harvested_workers: []\n"
        f"router_only: {_names(_others())}\n"
        f"worker_l1_size: {L1_BYTES}\n"
        f"eth_l1_size: {ETH_L1_BYTES}\n"
        "features:\n"
        "  noc: { translation_id_enabled: True }\n"
        "  unpacker: { version: 2, inline_srca_trans_without_srca_trans_instr: True }\n"
        "  math: { dst_size_alignment: 32768 }\n"
        "  packer: { version: 2 }\n"
        "  overlay: { version: 2 }\n"
    )
