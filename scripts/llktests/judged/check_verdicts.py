# SPDX-License-Identifier: Apache-2.0
"""Verdicts on findings of `--check` in LLK's tests, by what they are about: ROWS.

`real` is state that a kernel leaves, or reads, as the report says. `contract` is so by LLK's rules:
each next init or hw_configure writes it. `gap` is something that the check does not know.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scripts.llktests.judged.race_verdicts import side_of

REAL, CONTRACT, GAP = "real", "contract", "gap"


@dataclass(frozen=True, slots=True)
class Row:
    """Findings of one kind. The patterns are regular expressions: the place, and `INSTRUCTION
    FILE:LINE FUNCTION` of the instruction and, where that says more, of the one before."""

    check: str
    place: str
    later: str
    verdict: str
    what: str
    why: str
    earlier: str = ""

    def fits(self, check: str, place: str, earlier: str, later: str) -> bool:
        """True if a finding is meant."""
        return (
            re.fullmatch(self.check, check) is not None
            and re.search(self.place, place) is not None
            and re.search(self.earlier, earlier) is not None
            and re.search(self.later, later) is not None
        )


# fmt: off
ROWS: tuple[Row, ...] = (
    Row("U1", r"INT8_math_enabled|ALU_FORMAT_SPEC", r"^MOVDBGA2D", REAL,
        "word 1: formats of the ALU, where `dbg_get_array_row` moves SrcA to Dst",
        "Its test has no hw_configure, and compares no datum of SrcA: only that Dst is restored."),
    Row("U1", r"^lreg ", r"^SFPSWAP .*init_reduce_max_min", GAP,
        "LReg[4], LReg[5]: SFPSWAP in `init_reduce_max_min`",
        "Mended: its VD is a template of SFPLOADMACRO, so it is kept and not executed."),
    Row("U1", r"^mop T\d 0", r"^MOP", GAP, "MopCfg[0]: MOP of template 0",
        "Mended: that template has no word 0."),
    Row("U1", r"L1 0x20000", r"copy_runtimes_from_L1|memcpy_blocking|^lbu 0x", REAL,
        "L1 0x20000: the parameters of a test, as each T core copies them",
        "In sdpa_reinits and profiler_stress nothing has written them: there are zeros."),
    Row("U1", r"L1 0x", r"^UNPACR .*_llk_unpack_AB_matmul_", REAL,
        "L1: tiles of tilize_polluter_matmul, of the arm that does not restore",
        "On purpose: without the uninit the matmul unpacks by the polluter's strides, from places "
        "where no tile is."),
    Row("U2", r"^lreg 12", r"^SFPAND .*(isclose|sfpi_)", REAL,
        "LReg[12], the mask of `calculate_sfpu_isclose`",
        "`isclose_init` writes it. The suite does not call it, as a comment says that isclose "
        "needs none: the mask is what the kernel before has left."),
    Row("U2", r"Zero_Flag_disabled_dst", r"topk_xl", REAL,
        "word 2: Zero_Flag_disabled_dst in topk_xl",
        "No init of it writes the field: rows that ZEROACC has cleared are zeros or what they were "
        "before, by what the kernel before has left."),
    Row("F2", r"^dst ", r"^PACR ", REAL,
        "Dst: tiles that generalized_moe_gate packs as UInt16, whatever they are",
        "On purpose: its test compares the bits.",
        "_llk_math_generalized_moe_gate_eltwise_binary_"),
    Row("F9", r"^dst ", r"^PACR ", REAL,
        "Dst: faces that rmsnorm_bcast_scalar_dest_reuse does not write",
        "Its test packs whole tiles of one or two faces and compares these; the others are 0.",
        "_llk_math_rmsnorm_bcast_scalar_dest_reuse_"),
    Row("K1", r"", r"cfg_state_flip_sync_test|unpack_A_test\.cpp|custom_mm_uninit_restore_test"
        r"|fp32_dest_acc|_test\.cpp", REAL,
        "what the source of a test writes itself", "On purpose: the test seeds words or sets a "
        "field, and restores none. No header of LLK is concerned."),
    Row("K1", r"Haloize_mode", r"", REAL,
        "word 72: Haloize_mode after `_llk_unpack_AB_init_`, `_llk_unpack_A_init_` and the like",
        "tt-metal#50203: the uninit is empty. The next init of an unpacker writes the field, a "
        "kernel without one transposes."),
    Row("K1", r"Zero_Flag_disabled_src", r"", REAL,
        "word 2: Zero_Flag_disabled_src after a datacopy or a transposition",
        "tt-llk#1585: disable_src leaks, should be fixed."),
    Row("K1", r"ALU_(FORMAT_SPEC|ACC_CTRL)", r"", REAL,
        "word 1: formats of the ALU that a datacopy, fast tilize or a reduction has changed",
        "tt-metal#50203 names both: their uninit does not restore them; the "
        "next `_llk_math_hw_configure_` or reconfig does."),
    Row("K1", r"DEST_ACCESS_CFG", r"", REAL,
        "word 220: remap_addrs and swizzle_32b of dense pack_untilize",
        "`_llk_math_reconfig_remap_` switches them on, and no kernel switches them off. It is a "
        "global word, so kernels after it have them."),
    Row("K1", r"PCK0_ADDR_CTRL_ZW_REG_0_Wstride", r"custom_mm_(un)?init", REAL,
        "word 13: Wstride after `_llk_pack_custom_mm_init_` and its uninit",
        "The uninit restores the stride of datums of two bytes; with 32-bit Dst "
        "`_llk_pack_hw_configure_` has given twice as much."),
    Row("K1", r"PCK0_ADDR_CTRL_ZW_REG_0_Zstride", r"_llk_pack_untilize_uninit_", REAL,
        "word 13: Zstride after `_llk_pack_untilize_uninit_`",
        "It gives the stride of PackMode::Default. The hw_configure was that of untilize, "
        "with twice as much."),
    Row("K1", r"Pack_L1_Acc", r"reconfigure_packer_l1_acc", REAL,
        "word 71: Pack_L1_Acc after pack_dest_bank",
        "The test switches accumulation in L1 on, and leaves it on."),
    Row("K1", r"STACC_RELU", r"_llk_pack_relu_config_", REAL,
        "word 2: ReLU and its threshold after `_llk_pack_relu_config_`",
        "There is no uninit. The next `_llk_pack_hw_configure_` writes both; a kernel without one "
        "packs with ReLU."),
    Row("K1", r"RISC_DEST_ACCESS_CTRL", r"", CONTRACT,
        "word 3: how T cores see Dst", "A T core sets it before each access (ckernel_dest.h)."),
    Row("K1", r"TileDescriptor", r"_llk_unpack_tilize_uninit_", REAL,
        "word 65: the Z dimension after `_llk_unpack_tilize_uninit_`",
        "tt-metal#54537: the uninit writes the number of faces of its own operand, and not what "
        "the hw_configure has given. The test is about that."),
    Row("K1", r"word (64|65|72|86)\)", r"_llk_unpack_tilize_init_", REAL,
        "words 64, 65, 72, 86: what `_llk_unpack_tilize_init_` sets, without its uninit",
        "On purpose in tilize_transition_reconfig: the arm that leaves the uninit out."),
    Row("K1", r"word (56|86)\)", r"_llk_unpack_A_top32_rm_init_", REAL,
        "words 56, 86: Y stride and Tile_x_dim after `_llk_unpack_A_top32_rm_init_`",
        "There is no uninit. A datacopy without a hw_configure after it unpacks another size."),
    Row("K1", r"THCON_SEC0_REG[57]", r"_llk_unpack_AB_face_compressed_mm_init_", REAL,
        "words 85, 87, 92 to 95: formats, places and sizes of `_llk_unpack_AB_face_compressed_mm_`",
        "Its uninit puts the tile descriptor back and nothing else: the overrides of a context's "
        "format stay, and contexts 2 and 3 keep their place in SrcA."),
    Row("K1", r"TileDescriptor .*word 64", r"_llk_unpack_AB_compressed_custom_mm_", REAL,
        "word 64: the format of SrcA's tiles after `_llk_unpack_AB_compressed_custom_mm_`",
        "It has the format of the last tile; the next hw_configure writes it."),
    Row("K1", r"", r"^(sw|SETC16|RMWCIB2|WRCFG) 0x", CONTRACT,
        "what hw_configure and inits write in test_dprint_tensix and in tests of the profiler",
        "These have no uninit, and the next hw_configure writes the words. Their ELF files are not "
        "those that the observer knows, so it names no lines."),
    Row("K3", r"^sem 0", r"_llk_math_sdpa_bcast_col_srca_srcb_reuse_", REAL,
        "semaphore 0, FPU_SFPU, of sdpa_bcast_col_srca_srcb_reuse",
        "The kernel posts for a thread that the test has not; a comment in its source says so."),
    Row("K3", r"^sem 3", r"", CONTRACT,
        "semaphore 3 after an odd number of rendezvous of the suite's `barrier.h`",
        "It is a level that is flipped at each of them, and waited for to differ; boot code sets "
        "it to 0. No function of LLK uses it."),
    Row("K2", r"", r"", CONTRACT,
        "address counters of unpackers and of the packer",
        "LLK's execute functions set the counters that they use before the first UNPACR or PACR of "
        "a tile, and inits the ends of X (tt-llk#1036). What an `_llk_*` function leaves is no "
        "finding: topk_xl sets them in its own source, test_dprint_tensix has no known lines."),
    Row("K6", r"^lreg ", r"", REAL, "LReg[11]",
        "An SFPU init loads its constant, and none restores -1.0 (tt-llk#1699). LReg[12] to "
        "LReg[14] are for each init to set, and no findings any more (tt-metal#51361)."),
    Row("C8", r"^sem 0", r"_llk_math_sdpa_custom_mm_", REAL,
        "semaphore 0, FPU_SFPU, in sdpa_custom_mm",
        "Neither the test nor boot code has a SEMINIT for it. Harmless: T2 takes it by SEMGET "
        "when the tile is done, and no SEMWAIT asks for its Max."),
    Row("C7", r"^dst (5[1-9]\d|[6-9]\d\d)$", r"_llk_math_eltwise_unary_datacopy_", REAL,
        "Dst: tiles 4 to 7 of 16 rows and 32 bits, in pack_tiny_tile_reconfig",
        "Its test counts half a tile for each, and the datacopy gives each the rows of a whole "
        "one, so four of them are in the packer's half. Harmless: there is one section."),
    Row("C7", r"^dst ", r"^SFPSTORE .*(_calculate_fill_int_|sfpi_)", REAL,
        "Dst: zeros in all tiles, at the end of topk_xl",
        "On purpose, and in order: `topk_xl_scrub_dest` has waited until the packer has given both "
        "halves back, by a load of the semaphore."),
    Row("C7", r"^dst (5[1-9]\d|[6-9]\d\d)$", r"_llk_math_custom_mm_", REAL,
        "Dst: tiles 8 to 15 of 32 rows and 32 bits, in custom_mm with 16 tiles",
        "Sixteen tiles 32 rows apart are all of a Dst of 32 bits, and the test has SyncHalf. "
        "Harmless: there is one section."),
)
# fmt: on


def row_of(report: dict[str, Any], rows: Sequence[Row] = ROWS) -> Row | None:
    """The row that a finding of a JSON file has."""
    sides = side_of(report["earlier"]), side_of(report["later"])
    return next(
        (row for row in rows if row.fits(report["check"], report["place"]["name"], *sides)), None
    )
