# SPDX-License-Identifier: Apache-2.0
"""Verdicts on state by which kernels of LLK disturb each other: ROWS.

`real` breaks the contract: no UNINIT restores what the operation has changed, and no INIT writes
what another one reads. `harmless` is read, and changes no result: why not. `test` is what the
source of a test does itself, and `contract` is state that LLK's rules give to the next
hw_configure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

REAL, HARMLESS, TEST, CONTRACT = "real", "harmless", "test", "contract"


@dataclass(frozen=True, slots=True)
class Row:
    """Hits of one kind. The patterns are regular expressions: the element, and `FUNCTION
    FILE:LINE` of what has left it; `results` says whether they change a result."""

    element: str
    writer: str
    results: bool | None
    verdict: str
    what: str
    why: str

    def fits(self, hit: dict[str, Any]) -> bool:
        """True if a hit is meant."""
        by = hit["left_by"] or {}
        writer = f"{by.get('function', '')} {by.get('line', '')}"
        return (
            re.search(self.element, hit["element"] or ", ".join(hit["kinds"])) is not None
            and re.search(self.writer, writer) is not None
            and self.results in (None, hit["verdict"] == "result")
        )


# fmt: off
ROWS: tuple[Row, ...] = (
    Row(r"^RWC ", r"", None, REAL, "RWCs of T1, by sdpa_weighted_reduce",
        "`_llk_math_fast_tilize_init_` resets no counter and `_llk_math_fast_tilize_block_` uses "
        "them: it clears Dst's only at its end, and SrcA's with the first SETRWC of its MOP. Other "
        "operations begin with a reset."),
    Row(r"Wstride", r"custom_mm_uninit_", None, REAL,
        "Wstride of the packer, by `_llk_pack_custom_mm_uninit_`",
        "It restores the stride of datums of two bytes; with 32-bit Dst the hw_configure has given "
        "twice as much. tt-metal#53130 has it in its review."),
    Row(r"Zstride", r"pack_init", None, REAL,
        "Zstride of the packer, by `_llk_pack_init_` for tilize",
        "It doubles the stride. There is no UNINIT, and an `_llk_pack_init_` without the source's "
        "format writes none (tt-metal#35020)."),
    Row(r"in_data_format", r"compressed_custom_mm", None, REAL,
        "the format of SrcA's tiles, by `_llk_unpack_AB_compressed_custom_mm_`",
        "It has the format of the last tile, and no UNINIT puts it back."),
    Row(r"Tile_x_dim", r"top32_rm_init", None, REAL,
        "Tile_x_dim of unpacker 0, by `_llk_unpack_A_top32_rm_init_`",
        "There is no UNINIT, and `_llk_unpack_A_init_` does not write it: a datacopy unpacks "
        "another size."),
    Row(r"Tileize_mode|Shift_amount|Tile_x_dim", r"_llk_unpack_tilize_init", None, TEST,
        "Tileize_mode, Shift_amount and Tile_x_dim, by tilize_transition_reconfig",
        "On purpose: its arm without the UNINIT. That of tilize restores all three."),
    Row(r"Pack_L1_Acc", r"", None, TEST, "Pack_L1_Acc, by pack_dest_bank",
        "The test switches accumulation in L1 on, and leaves it on."),
    Row(r"Haloize_mode", r"", None, REAL, "Haloize_mode, by INITs of unpackers",
        "tt-metal#50203: no UNINIT clears it. All other INITs of the suite write it; that of the "
        "fast tilize saves the word, writes 0, and its UNINIT puts back what it has found."),
    Row(r"MATH_Offset", r"", None, TEST, "the section of Dst that T1 uses",
        "Its reader is `dbg_get_array_row` in a test that selects no section: code for debugging. "
        "Other kernels select one before they use Dst."),
    Row(r"^Dst", r"", True, TEST,
        "rows of Dst that are not zero, by dest_copy, dbg_get_array_row_srca, pack_tiny_tile_block",
        "Products add to Dst, and rely on zeros: the packer clears a section when it is done "
        "(`_llk_pack_dest_section_done_`). These tests write Dst and end without that, or into the "
        "half that is not cleared (C7 in [llk-checks](llk-checks.md))."),
    Row(r"^Dst", r"", False, HARMLESS, "rows of Dst",
        "Rows beside those that count are moved or added to; no result has them."),
    Row(r"^semaphore 3", r"", None, TEST, "semaphore 3, by the suite's `barrier.h`",
        "A level that is flipped at each rendezvous; the results are times."),
    Row(r"DEST_ACCESS_CFG", r"", False, HARMLESS,
        "the remap of rows of Dst, by tilize and untilize",
        "No UNINIT, and its source says that it is benign for other operations: so in all runs."),
    Row(r"SrcA and SrcB", r"", False, HARMLESS, "data of SrcA and SrcB",
        "Whole banks are moved or multiplied, also rows that no unpacker has filled; no result has "
        "them."),
    Row(r"PRNG", r"", False, HARMLESS, "the PRNG of the Vector Unit",
        "Random by its purpose; these kernels do not seed it."),
)
# fmt: on


def row_of(hit: dict[str, Any]) -> Row | None:
    """Return the row of a hit; None if it has none."""
    return next((row for row in ROWS if row.fits(hit)), None)
