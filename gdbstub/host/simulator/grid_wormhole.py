# SPDX-License-Identifier: Apache-2.0
"""The description of a Wormhole chip that the driver reads (WormholeB0 NoC/Coordinates.md).

Ten columns and twelve rows, of which one Tensix tile is emulated, the first one, and DRAM: the
three tiles of a group lead to the same memory.
"""

from __future__ import annotations

from tensix_gdb.core.arch.chips import WORMHOLE
from tensix_gdb.core.arch.wormhole import L1_BYTES
from tensix_gdb.core.noc.coordinates import COLUMNS_OF, ROWS
from tensix_gdb.core.noc.coordinates import WORMHOLE_DRAM as DRAM
from tensix_gdb.core.noc.coordinates import WORMHOLE_PCIE as PCIE

COLUMNS = COLUMNS_OF[WORMHOLE]
TILE = (1, 1)
ARC = (0, 10)
DRAM_BYTES = 1 << 30  # that a view shows
ETH_L1_BYTES = 256 << 10


def _names(cores: tuple[tuple[int, int], ...]) -> str:
    return "[ " + ", ".join(f"{x}-{y}" for x, y in cores) + " ]"


def soc_descriptor() -> str:
    """Make the text of soc_descriptor.yaml (tt-umd, SocArchDescriptor)."""
    known = {TILE, ARC, PCIE, *(core for cores in DRAM for core in cores)}
    others = tuple((x, y) for y in range(ROWS) for x in range(COLUMNS) if (x, y) not in known)
    views = "".join(
        f"  - {{ channel: {channel}, eth_endpoint: [ 0, 0 ], worker_endpoint: [ 0, 0 ], "
        "address_offset: 0 }\n"
        for channel in range(len(DRAM))
    )
    dram = "".join(f"  - {_names(cores)}\n" for cores in DRAM)
    return (
        "arch_name: WORMHOLE_B0\n"
        f"grid: {{ x_size: {COLUMNS}, y_size: {ROWS} }}\n"
        f"arc: {_names((ARC,))}\n"
        f"pcie: {_names((PCIE,))}\n"
        f"dram:\n{dram}"
        f"dram_views:\n{views}"
        f"dram_view_size: {DRAM_BYTES}\n"
        f"dram_bank_size: {DRAM_BYTES}\n"
        "eth: []\n"
        f"functional_workers: {_names((TILE,))}\n"
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
