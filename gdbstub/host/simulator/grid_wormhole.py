# SPDX-License-Identifier: Apache-2.0
"""The description of a Wormhole chip that the driver reads (WormholeB0 NoC/Coordinates.md).

Ten columns and twelve rows, of which the Tensix tiles are emulated that are asked for, and DRAM:
the three tiles of a group lead to the same two channels. tt-metal takes each channel for a bank of
its own, a "view" of the group, and goes to it by a port of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tensix_gdb.core.arch.chips import WORMHOLE
from tensix_gdb.core.arch.wormhole import L1_BYTES
from tensix_gdb.core.noc.coordinates import COLUMNS_OF, ROWS
from tensix_gdb.core.noc.coordinates import WORMHOLE_DRAM as DRAM
from tensix_gdb.core.noc.coordinates import WORMHOLE_PCIE as PCIE
from tensix_gdb.core.noc.dram_data import DRAM_END

COLUMNS = COLUMNS_OF[WORMHOLE]
TILE = (1, 1)
ARC = (0, 10)
CHANNELS = 2  # of a group (DRAMTile/README.md)
DRAM_BYTES = DRAM_END[WORMHOLE] // CHANNELS  # that a view shows
ETH_L1_BYTES = 256 << 10
# Of each channel of a group, the ports of Ethernet and of worker cores on both NoCs, as tt-metal
# has them for this chip (soc_descriptors/wormhole_b0_80_arch.yaml).
PORTS = (
    ((0, 2), (0, 1)),
    ((1, 0), (1, 2)),
    ((0, 1), (0, 2)),
    ((2, 0), (2, 1)),
    ((1, 2), (1, 0)),
    ((1, 0), (1, 2)),
)


def _names(cores: Iterable[tuple[int, int]]) -> str:
    return "[ " + ", ".join(f"{x}-{y}" for x, y in cores) + " ]"


def _views() -> str:
    return "".join(
        f"  - {{ channel: {group}, eth_endpoint: [ {eth}, {eth} ], "
        f"worker_endpoint: [ {worker}, {worker} ], address_offset: {DRAM_BYTES * channel} }}\n"
        for group, channels in enumerate(PORTS)
        for channel, (eth, worker) in enumerate(channels)
    )


def soc_descriptor(
    tiles: Sequence[tuple[int, int]] = (TILE,), ethernet: Sequence[tuple[int, int]] = ()
) -> str:
    """Make the text of soc_descriptor.yaml (tt-umd, SocArchDescriptor) for these tiles."""
    known = {*tiles, *ethernet, ARC, PCIE, *(core for cores in DRAM for core in cores)}
    others = tuple((x, y) for y in range(ROWS) for x in range(COLUMNS) if (x, y) not in known)
    dram = "".join(f"  - {_names(cores)}\n" for cores in DRAM)
    return (
        "arch_name: WORMHOLE_B0\n"
        f"grid: {{ x_size: {COLUMNS}, y_size: {ROWS} }}\n"
        f"arc: {_names((ARC,))}\n"
        f"pcie: {_names((PCIE,))}\n"
        f"dram:\n{dram}"
        f"dram_views:\n{_views()}"
        f"dram_view_size: {DRAM_BYTES}\n"
        f"dram_bank_size: {DRAM_END[WORMHOLE]}\n"
        f"eth: {_names(ethernet)}\n"
        f"functional_workers: {_names(tiles)}\n"
        "harvested_workers: []\n"
        f"router_only: {_names(others)}\n"
        f"worker_l1_size: {L1_BYTES}\n"
        f"eth_l1_size: {ETH_L1_BYTES}\n"
        "features:\n"
        "  noc: { translation_id_enabled: True }\n"
        "  unpacker: { version: 2, inline_srca_trans_without_srca_trans_instr: True }\n"
        "  math: { dst_size_alignment: 32768 }\n"
        "  packer: { version: 2 }\n"
        "  overlay: { version: 2 }\n"
    )
