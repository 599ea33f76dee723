# SPDX-License-Identifier: Apache-2.0
"""Verdicts on reports of races in LLK's tests, by what they are about: ROWS."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tensix_gdb.core.explain.inlining import PLUMBING

REAL, PROMISE, GAP = "real", "promise", "gap"


@dataclass(frozen=True, slots=True)
class Row:
    """Reports of one kind. The patterns are regular expressions: the place, then `INSTRUCTION
    FILE:LINE FUNCTION` of the earlier and the later side."""

    place: str
    earlier: str
    later: str
    verdict: str
    what: str  # state and lines, for people
    why: str
    page: str
    check: str = ""  # of reports of this check

    def fits(self, place: str, earlier: str, later: str) -> bool:
        """True if a report is meant."""
        pairs = ((self.place, place), (self.earlier, earlier), (self.later, later))
        return all(re.search(pattern, text) for pattern, text in pairs)


_MASK = (
    "Mended: a load of the word is for the bits that its hart uses, on all ways from it. What is "
    "still in a0 or a1 where the function returns counts as used: no code says that it returns "
    "nothing."
)
_ISSUE_58 = "tt-isa-documentation#58"
_FLAG_LOADS = r"^lw .*(dest_acc_field_set|read_field)"
SFPU_CHECK = r"^lw .*_sfpu_(binary_|ternary_)?check_"

# fmt: off
ROWS = (
    Row(r"^gpr T\d (8|12|18)$", r"^SETDMAREG", r"^WRCFG", REAL,
        "GPR: SETDMAREG, then WRCFG, in `set_dst_write_addr`, `unpack_to_dest_tile_done`, inits of "
        "fast tilize and of the block reduce, `_llk_pack_fast_untilize_select_phase_`",
        "Blackhole does not order them without STALLWAIT(STALL_CFG, THCON): WRCFG may take the GPR "
        "from before. tt-metal#48585 adds the waits and is closed without a merge.", _ISSUE_58),
    Row(r"^gpr T\d 5[6-9]$", r"^RDCFG", r"^WRCFG .*uninit", PROMISE,
        "GPR: RDCFG in an init, then WRCFG in its uninit",
        "No page says when RDCFG has written its GPR at the latest, and the only wait between them "
        "is one for the unpackers. Whole tiles are unpacked between them.",
        "TensixCoprocessor/RDCFG.md"),
    Row(r"^gpr T\d 62$", r"tensix_sync_mop_drain", r"tensix_sync_mop_drain", REAL,
        "GPR: the counter of tensix_sync_mop_drain, of the arm that does not wait",
        "On purpose: the test counts how often the load is early without a wait. In the arm with "
        "tensix_sync nothing is reported: 4,095 times in 4,096 trials of each arm.",
        "BabyRISCV/ManualTTSync.md"),
    Row(r"Read_32b_data", r"fp32_dest_acc_cfg_occupancy|" + _FLAG_LOADS,
        r"fp32_dest_acc_cfg_occupancy", REAL,
        "word 18: RMWCIB of T1, and loads of T2 in fp32_dest_acc_cfg_occupancy",
        "On purpose: its replicas leave the wait out and count how often the load wins.",
        "TensixCoprocessor/RMWCIB.md"),
    Row(r"Read_32b_data", _FLAG_LOADS, r"^RMWCIB0 .*(fp32_dest_acc_release|mailbox_read_compl)",
        REAL, "word 18: the last loads of T0 and T2, then the RMWCIB with which T1 ends",
        "After its last message T1 restores the field and no message says that the loads are done. "
        "The last value may be wrong; the subject of the test is in order.",
        "BabyRISCV/MemoryOrdering.md"),
    Row(r"Fp32_enabled", r"^RMWCIB3 .*_llk_math_hw_configure_", SFPU_CHECK, REAL,
        "word 1: RMWCIB of T1, then T1's load in `_sfpu_check_`",
        "What T1 pushes between the two, about thirty words, fits into the FIFOs of its thread, "
        "which take 42: the assertion may read the field from before. After more words P28 is "
        "relied on.",
        "BabyRISCV/PushTensixInstruction.md"),
    Row(r"Fp32_enabled", r"^RMWCIB3 .*_llk_math_eltwise_unary_datacopy_", SFPU_CHECK, REAL,
        "word 1: RMWCIB of T1 in the datacopy of a broadcast row, then its load in "
        "`_sfpu_binary_check_`",
        "The datacopy clears Fp32_enabled and sets it again. Nothing makes the load wait for that, "
        "so the assertion may allow twice as many tiles as there are.",
        "BabyRISCV/ManualTTSync.md"),
    Row(r"word 1\)", r"RMWCIB|" + SFPU_CHECK, r"RMWCIB|" + SFPU_CHECK, GAP,
        "word 1: RMWCIB of other fields by T0, T1 and T2, and T1's load in `_sfpu_check_`",
        _MASK, "TensixCoprocessor/RMWCIB.md"),
    Row(r"word (64|65|72|86)\)", r"(RMWCIB\d|WRCFG) .*_llk_unpack_tilize_uninit_|RMWCIB\d .*"
        r"cfg_reg_rmw_tensix<6[45], 16", r"^sw .*configure_unpack_AB", REAL,
        "words 64, 65, 72, 86: what `_llk_unpack_tilize_uninit_` pushes, then stores of "
        "`configure_unpack_AB`",
        "A kernel that configures the unpacker again needs tensix_sync between the two: the stores "
        "may come before the instructions, and the values of these then stay.",
        "BabyRISCV/ManualTTSync.md"),
    Row(r"word 86\)", r"^sw .*configure_unpack_AB", r"^RDCFG .*fast_tilize", REAL,
        "word 86: the store of `configure_unpack_AB`, then RDCFG in the init of fast tilize",
        "Nothing but cycles is between them. The value that is kept for the uninit may be the one "
        "from before; STALLWAIT(STALL_CFG, TRISC_CFG) is missing.",
        "TensixCoprocessor/STALLWAIT.md"),
    Row(r"word 2[48]\)", r"^sw .*configure_pack",
        r"(RMWCIB1|WRCFG) .*_llk_pack_reduce_mask_config_", REAL,
        "words 24, 28: stores of `configure_pack`, then the masks of "
        "`_llk_pack_reduce_mask_config_`",
        "Its STALLWAIT is for the packer, and not for stores (TRISC_CFG): the store of a "
        "hw_configure directly before it may come after the masks, and undo them.",
        "TensixCoprocessor/STALLWAIT.md"),
    Row(r"word 7[6-9]\)", r"^UNPACR", r"^sw .*_llk_unpack_AB_face_compressed_mm_", PROMISE,
        "words 76 to 79: UNPACR, then the next address of its context in "
        "`_llk_unpack_AB_face_compressed_mm_`",
        "T0 pushes 48 words between the last UNPACR of a context and the store of its next "
        "address, so it has passed its gate. In order if it has taken the address by then, which "
        "no page says.", "TensixCoprocessor/UNPACR_Regular.md"),
    Row(r"word 72\)", r"^UNPACR", r"(RMWCIB1|WRCFG|sw) ", PROMISE,
        "word 72: UNPACR, then a write of Haloize_mode or Upsample_rate in the next init",
        "In order if UNPACR takes the field when it begins, which no page says (tt-metal#49201).",
        "TensixCoprocessor/UNPACR_Regular.md"),
    Row(r"^dst ", r"^(MOVA2D|ELW|MVMUL)", r"^SFPLOAD .*_reduce_max_col_subblock_4x2_", REAL,
        "Dst: what T1 writes to one half, and an SFPLOAD of T2 that moves a counter past the end "
        "of the other, in `_calculate_reduce_max_col_subblock_4x2_`",
        "The load is there for its address modifier, and reads the first row of the half that T1 "
        "fills. Harmless: nothing uses the value.", "TensixCoprocessor/SFPLOAD.md"),
    Row(r"^dst 10(08|1\d|2\d)$", r"^SFPLOADMACRO .*_calculate_reciprocal_fast_24b_5c_",
        r"^ZEROACC .*_llk_pack_dest_section_done_", REAL,
        "Dst: an SFPLOADMACRO of T1 from two rows before its first one, in "
        "`_calculate_reciprocal_fast_24b_5c_`, and ZEROACC of T2",
        "Its pipeline begins with the row before, which is the last one of Dst, in T2's half. "
        "Harmless: that macro stores nothing, and nothing uses the value.",
        "TensixCoprocessor/SFPLOADMACRO.md"),
    Row(r"^dst ", r"^ELWADD .*_llk_math_topk_xl_copy_", r"^UNPACR .*_llk_unpack_topk_xl_copy_",
        REAL, "Dst: ELWADD of the padding in `_llk_math_topk_xl_copy_`, then the tile by UNPACR",
        "T1 says that Dst is free, and pushes the ELWADD that write -infinity after that; T0 waits "
        "for the first alone. 48 cycles are between them. The padding may come over the tile.",
        "BabyRISCV/ManualTTSync.md"),
    Row(r"^dst ", r"^s[hw] ckernel_debug\.h", r"^(SFP\w+|MOVDBGA2D) ckernel_debug\.h", REAL,
        "Dst: stores of `dbg_copy_dest_tile`, then what `dbg_get_array_row` does with row 0",
        "tensix_sync between the two waits for pushed instructions, not for stores to Dst: a load "
        "of the last word would. Thousands of cycles are between them.",
        "BabyRISCV/MemoryOrdering.md"),
    Row(r"^src a \(", r"", r"^CLEARDVALID ckernel_debug\.h", REAL,
        "SrcA: the two CLEARDVALID of `dbg_get_array_row`",
        "A comment there says so: it leaves both banks to the unpackers, and does not restore who "
        "had them (tt-metal#55824).", "TensixCoprocessor/SrcASrcB.md", check="S4"),
    Row(r"^dst ", r"^ZEROACC .*_llk_pack_dest_section_done_", r"^SFP(LOAD|STORE|LOADMACRO)\b",
        PROMISE, "Dst: ZEROACC of T2 in `_llk_pack_dest_section_done_`, then the Vector Unit of T1",
        "T2 gives the semaphore back after ZEROACC without a wait for the Matrix Unit. Where tiles "
        "are unpacked to Dst, the Vector Unit is the first that T1 gives them to: in order if "
        "ZEROACC has ended by then, which no page says. The Matrix Unit takes one after the other.",
        "TensixCoprocessor/SEMPOST.md"),
    Row(r"^dst ", r"^UNPACR .*_llk_unpack_A_", r"^UNPACR .*_llk_unpack_A_", GAP,
        "Dst: a UNPACR to Dst, and itself",
        "Mended: an unpacker ends one instruction after the other, and its rows may be places that "
        "it has already.", "TensixCoprocessor/UNPACR.md"),
    Row(r"^dst ", r"^ZEROACC .*with_dest_reuse", r"^ZEROACC .*with_dest_reuse", GAP,
        "Dst: a ZEROACC of 16 rows, and itself",
        "Mended: its rows may be places that it has already.", "TensixCoprocessor/ZEROACC.md"),
    Row(r"^src [ab] \d", r"^UNPACR", r"^UNPACR", GAP,
        "SrcB: two UNPACR or UNPACR_NOP of one unpacker",
        "Mended: an unpacker ends one instruction after the other.",
        "TensixCoprocessor/UNPACR.md"),
    Row(r"^L1 ", r"^PACR", r"^PACR", GAP, "L1: two PACR to one tile",
        "Mended: PACR go through the packer one after the other.", "TensixCoprocessor/PACR.md"),
    Row(r"^L1 ", r"^sb .*stream\.h", r"^lbu .*stream\.h", GAP,
        "L1: a store of `memcpy_blocking`, then the load of the same byte",
        "Mended: a hit in the L0 data cache has what its own hart has stored.",
        "BabyRISCV/MemoryOrdering.md"),
    Row(r"^L1 ", r"^lbu .*stream\.h", r"^sb .*stream\.h", GAP,
        "L1: the consumer's loads in stream.h, then the producer's stores",
        "Mended: the producer polls an index in a line of its L0 data cache that the load of the "
        "other index has filled.", "BabyRISCV/MemoryOrdering.md"),
    Row(r"^L1 0x16affc", r"^sw ", r"^sw ", REAL,
        "L1: the epoch of LLK's profiler, which each T core sets to 0 in `reset`",
        "Nothing orders the stores of the three. Harmless: all of them store 0.",
        "BabyRISCV/MemoryOrdering.md"),
    Row(r"^sem 4", r"^sw ", r"^sw ", GAP,
        "S1: the semaphore with which T cores count who has come to LLK's barrier",
        "Mended: it is posted beyond its Max by stores of T cores, and only loads of them look at "
        "it: no SEMWAIT uses the Max, and the value stays below 15.",
        "TensixCoprocessor/SyncUnit.md", check="S1"),
    Row(r"^L1 0x1ff", r"brisc\.cpp| sw |^sw ", r"^(sw|lw) ", GAP,
        "L1: the words in which T cores say that they have ended, and B's accesses to them",
        "Mended: a store to SOFT_RESET_0 comes before what the cores that it lets go do.",
        "BabyRISCV/SoftReset.md"),
    Row(r"word 2\)", r"^sw .*boot\.h", r"", GAP,
        "word 2: B's store in boot.h, then RMWCIB and PACR of T cores' threads",
        "Mended: the same.", "BabyRISCV/SoftReset.md"),
)
# fmt: on


def side_of(side: dict[str, Any]) -> str:
    chain = side["chain"]
    steps = [step for step in chain if Path(step["file"]).name not in PLUMBING] or chain
    if not steps:
        return f"{side['instruction']} {side['pc']:#x}"
    step = steps[0]
    file = Path(step["file"]).name
    return f"{side['instruction']} {file}:{step['line']} {step['function']}"


def row_of(race: dict[str, Any], rows: Sequence[Row] = ROWS) -> Row | None:
    """The row that a report of a JSON file has."""
    sides, check = (side_of(race["earlier"]), side_of(race["later"])), race.get("check") or ""
    own = (row for row in rows if row.check == check)
    return next((row for row in own if row.fits(race["place"]["name"], *sides)), None)
