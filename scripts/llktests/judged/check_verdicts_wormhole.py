# SPDX-License-Identifier: Apache-2.0
"""Verdicts on findings of `--check` in LLK's tests on a Wormhole tile that Blackhole's do not have:
its LLK is other code, and words of configuration have other numbers."""

from __future__ import annotations

from scripts.llktests.judged.check_verdicts import REAL, ROWS, Row

# fmt: off
WORMHOLE = (
    Row("U1", r"THCON_SEC0_REG3_Base_cntx2_address", r"^UNPACR .*unpack_to_dest_tile_done", REAL,
        "word 66: the address of context 2, by the UNPACR of `unpack_to_dest_tile_done`",
        "It names the context of the tile, to which the page adds CfgContextOffset: of a tile in "
        "context 1 it takes the next one, which nothing sets up. Harmless: the UNPACR is there for "
        "a defect of the hardware (TEN-3868) and hands no SrcA over."),
)
# fmt: on
ROWS_OF = {"blackhole": ROWS, "wormhole": (*WORMHOLE, *ROWS)}
