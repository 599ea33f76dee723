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
        "context 1 it takes the next one, which nothing sets up. Harmless: the UNPACR is there "
        "for a defect of the hardware (TEN-3868) and hands no SrcA over."),
    Row("U1", r"INT8_math_enabled|ALU_FORMAT_SPEC",
        r"^MOV[AB]2D .*_llk_math_fast_tilize_block_", REAL,
        "words 0, 1 of bank 1: formats of the ALU, where fast tilize moves SrcA and SrcB to Dst",
        "`_llk_math_fast_tilize_init_` sets CFG_STATE_ID_StateID to 1, of which a comment there "
        "says that it is not known why. hw_configure has written bank 0, and T1 then reads the "
        "formats of bank 1."),
    Row("K1", r"word (60|74)\)", r"_llk_unpack_tilize_init_", REAL,
        "words 60, 74: what `_llk_unpack_tilize_init_` sets, without its uninit",
        "On purpose in tilize_transition_reconfig: the arm that leaves the uninit out."),
)
# fmt: on
ROWS_OF = {"blackhole": ROWS, "wormhole": (*WORMHOLE, *ROWS)}
