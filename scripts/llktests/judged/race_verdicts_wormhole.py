# SPDX-License-Identifier: Apache-2.0
"""Verdicts on reports of races in LLK's tests on a Wormhole tile that Blackhole's do not have: its
LLK is other code, and words of configuration have other numbers."""

from __future__ import annotations

from scripts.llktests.judged.race_verdicts import GAP, PROMISE, REAL, ROWS, SFPU_CHECK, Row

# fmt: off
WORMHOLE = (
    Row(r"word 60\)", r"^UNPACR", r"^(RMWCIB\d|WRCFG|REG2FLOP|sw) ", PROMISE,
        "word 60: UNPACR, then a write of Haloize_mode or Upsample_rate in the next init",
        "In order if UNPACR takes the field when it begins, which no page says (tt-metal#49201).",
        "TensixCoprocessor/UNPACR_Regular.md"),
    Row(r"word (60|64|65|74)\)", r"^(REG2FLOP|RMWCIB\d|WRCFG) .*_llk_unpack_tilize_uninit_",
        r"^sw .*configure_unpack_AB", REAL,
        "words 60, 64, 65, 74: what `_llk_unpack_tilize_uninit_` pushes, then stores of "
        "`configure_unpack_AB`",
        "A kernel that configures the unpacker again needs tensix_sync between the two: the stores "
        "may come before the instructions, and the values of these then stay.",
        "BabyRISCV/ManualTTSync.md"),
    Row(r"Base_address 0 \(word 64\)", r"^UNPACR .*unpack_to_dest_tile_done",
        r"^sw .*(_llk_unpack_A_|unpack_tilize_to_dest_impl)", REAL,
        "word 64: the UNPACR of `unpack_to_dest_tile_done`, then the next address of its context",
        "The context is given back by SEMGET before this UNPACR, which is there for a defect of "
        "the hardware (TEN-3868) and may read at the next tile's address. Harmless: it does not "
        "hand SrcA over, so nothing uses what it has unpacked.", "BabyRISCV/ManualTTSync.md"),
    Row(r"^gpr T\d 12$", r"^RDCFG .*_fast_tilize_init_",
        r"^(SETDMAREG|WRCFG) .*_fast_tilize_init_", REAL,
        "GPR: RDCFG, then SETDMAREG of its high half and WRCFG, in `_llk_unpack_fast_tilize_init_`",
        "The page wants software to keep the instructions after RDCFG from its GPR, and nothing "
        "is between them. A late RDCFG puts the old high half back.",
        "TensixCoprocessor/RDCFG.md"),
    Row(r"^gpr T\d 5[45]$", r"^RDCFG", r"^WRCFG .*uninit", PROMISE,
        "GPR: RDCFG in the init of fast tilize, then WRCFG in its uninit",
        "No page says when RDCFG has written its GPR at the latest, and the only wait between them "
        "is one for the unpackers. Whole tiles are unpacked between them.",
        "TensixCoprocessor/RDCFG.md"),
    Row(r"^src [ab] ", r"^(SETRWC|ELW\w+) .*eltwise_binary_",
        r"^(STALLWAIT|MOVD2[AB]) .*move_d2[ab]_fixed_face", REAL,
        "SrcA, SrcB: SETRWC or the last ELWMUL of a MOP gives the bank back, then STALLWAIT, "
        "MOVD2A and MOVD2B of `move_d2a_fixed_face` and `move_d2b_fixed_face`",
        "The wait asks who has the bank, and not whether the flip has ended: "
        "p_stall::MATH is missing. MOVD2B may then write to a bank that is not there yet.",
        "tt-metal#53412"),
    Row(r"^src [ab] ", r"^(SETRWC|ELW\w+) .*eltwise_binary_",
        r"^MOVD2[AB] .*move_d2[ab]_fixed_face", REAL,
        "S3: SrcA, SrcB, the same", "The same.", "tt-metal#53412", check="S3"),
    Row(r"^L1 0x15010$", r"^sw ", r"^sw ", REAL,
        "L1: the lock with which T cores take turns in device_print",
        "A core writes its number and looks six times whether it is still there. Wormhole has no "
        "exchange, and another core's store may take longer than that.",
        "BabyRISCV/MemoryOrdering.md"),
    Row(r"Fp32_enabled", r"^RMWCIB3 .*_llk_math_hw_configure_", SFPU_CHECK, GAP,
        "word 1: RMWCIB of T1, then T1's load in `_sfpu_check_`, after more than 26 words",
        "In order: T1 pushes some thirty words between the two, and the FIFOs of its thread take "
        "26 here (Blackhole's take 42), so the RMWCIB has passed its gate. The observer does not "
        "know how many they take.",
        "BabyRISCV/PushTensixInstruction.md"),
)
# fmt: on
ROWS_OF = {"blackhole": ROWS, "wormhole": (*WORMHOLE, *ROWS)}
