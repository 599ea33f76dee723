# SPDX-License-Identifier: Apache-2.0
"""Reports of 2026 about orders of events in the coprocessor, and about hangs."""

from __future__ import annotations

from scripts.examples.planted.planting import Edit
from tests.reports.network import main
from tests.reports.report import INIT, ONE, ORIGIN, RACES, RUN, Report
from tests.reports.state import (
    IS_RELU,
    after_tiles,
    math_init,
    pack_init,
    set_gpr,
    unpack_init,
    write_relu,
)

DUMMY_A = "TTINSN(UNPACK | UNPACR_which_unpacker_UNP0);"
DUMMY_B = "TTINSN(UNPACK | UNPACR_which_unpacker_UNP1);"
IS_MASK = "WORD(PCK_EDGE_OFFSET_SEC0_mask)"
VALID_A = "TTINSN(STALLWAIT | STALLWAIT_block_B6 | STALLWAIT_wait_C7);"
SET_RELU = f"TTINSN(RMWCIB0 | RMWCIB0_index4({IS_RELU}) | RMWCIB0_mask(60) | RMWCIB0_new_value(0));"
# A word that no other thread writes, and no row of the tile is packed with.
IS_UNUSED = "WORD(PCK_EDGE_OFFSET_SEC1_mask)"
SET_UNUSED = (
    f"TTINSN(RMWCIB0 | RMWCIB0_index4({IS_UNUSED}) | RMWCIB0_mask(60) | RMWCIB0_new_value(0));"
)
READ_RELU = f"TTINSN(RDCFG | RDCFG_result_reg(4) | RDCFG_cfg_index({IS_RELU}));"


REPORTS = (
    Report(
        "tt-metal#53504",
        "two threads read, change and write one word without a mutex",
        f"{RACES} --races-checks S8",
        "/* math */",
        r"cycles\nS8 \d (?s:.*?)PLACE(?s:.*?)ATGETM and ATRELM",
        (
            math_init("configure(PCK_EDGE_MODE_mode, 0); /* math */"),
            unpack_init("configure(PCK_EDGE_TILE_FACE_SET_SELECT_enable, 0); /* unpack */"),
        ),
    ),
    Report(
        "tt-metal#53822",
        "the wait for the configuration is missing before an unpack",
        RACES,
        "TTINSN(UNPACK | UNPACR_which_unpacker_UNP0)",
        r"RACE 1 .*\n.*\n.* UNPACR +PLACE(?s:.*?)TTI_STALLWAIT.*TRISC_CFG\) before PLACE",
        (
            Edit(
                "    wait_for_configuration(STALLWAIT_block_B3);\n    TTINSN(UNPACK",
                "    TTINSN(UNPACK",
            ),
        ),
    ),
    Report(
        "tt-metal#53655",
        "a wait for the source bank tests the one from before a flip that is under way",
        RACES,
        "/* SRCA_VLD */",
        r"RACE 1 .*src a .*\n.* SETRWC .*\n.* STALLWAIT +PLACE (?s:.*?)p_stall::MATH\) between",
        (
            after_tiles("T0", DUMMY_A, DUMMY_A),
            after_tiles(
                "T1",
                VALID_A,
                "TTINSN(SETRWC | SETRWC_flip_src_a(1));",
                f"{VALID_A} /* SRCA_VLD */",
                "TTINSN(MOVD2A);",
            ),
        ),
    ),
    Report(
        "tt-llk#1664",
        "MOVD2A waits for no bank by itself, and nothing else does",
        RACES,
        "/* moves */",
        r"S3 1 (?s:.*?) MOVD2A +PLACE(?s:.*?)p_stall::SRCA_VLD",
        (after_tiles("T1", "TTINSN(MOVD2A); /* moves */"),),
    ),
    Report(
        "tt-metal#55638",
        "a MOP clears a bank for each of four faces, and the tile has two",
        f"{RUN} --max-cycles 30000",
        "/* four times */",
        r"T1 math: MOVB2D held .*SrcB is the unpackers'.*\n +MOVB2D of a MOP, .* PLACE",
        (
            after_tiles("T0", DUMMY_B, DUMMY_B),
            after_tiles(
                "T1",
                "mop_loop(4, 1, NOP, MOVB2D, NOP, SETRWC | SETRWC_flip_src_b(1), NOP);",
                "TTINSN(MOP | MOP_template_DOUBLE_LOOP); /* four times */",
            ),
        ),
    ),
    Report(
        "tt-metal#43027",
        "what an operation has left in the queue overwrites the packer's configuration",
        RACES,
        "/* stale */",
        r"RACE 1 .*\n(.*\n)?.* WRCFG +PLACE(?s:.*?)Would order them: tensix_sync\(\)",
        (
            pack_init(
                *set_gpr(4, 0xFFFF),
                "TTINSN(STALLWAIT | STALLWAIT_block_B7 | STALLWAIT_wait_C0 | STALLWAIT_wait_C10);",
                f"TTINSN(WRCFG | WRCFG_input_reg(4) | WRCFG_cfg_index({IS_MASK})); /* stale */",
                f"((volatile u32 *)0xffef0000)[{IS_MASK}] = 0xffff;",
            ),
        ),
    ),
    Report(
        "tt-metal#55664",
        "a STALLWAIT holds no store: a mailbox releases a thread before its configuration is there",
        RACES,
        "/* holds no store */",
        r"cycles\nRACE \d .*\n.* RMWCIB0 .*\n.* RDCFG (?s:.*?)The STALLWAIT.* at PLACE"
        r"(?s:.*?)them: tensix_sync\(\)",
        (
            math_init(
                SET_RELU,
                "TTINSN(STALLWAIT | STALLWAIT_block_B1 | STALLWAIT_wait_C4); /* holds no store */",
                "MAILBOX(3) = 1;",
            ),
            pack_init("take_mail(2);", READ_RELU),
        ),
    ),
    Report(
        "tt-metal#56500",
        "the next iteration unpacks what was packed, and no semaphore goes from T2 to T0",
        RACES,
        "/* next */",
        r"RACE 1 (?s:.*?) PACR (?s:.*?) UNPACR +PLACE .*\n +T2 has signalled.*T0 has not waited",
        (
            after_tiles(
                "T0",
                "configure(THCON_SEC0_REG3_Base_address, L1_ADDRESS(SUM));",
                "wait_for_configuration(STALLWAIT_block_B3);",
                f"{DUMMY_A} /* next */",
            ),
        ),
    ),
    Report(
        "tt-metal#48585",
        "WRCFG reads a GPR that SETDMAREG is about to write: there is no wait for the Scalar Unit",
        RACES,
        "/* too early */",
        r"RACE \d .* gpr T2 4\n.* SETDMAREG .*\n.* WRCFG +PLACE(?s:.*?)p_stall::THCON",
        (pack_init(*set_gpr(4, 0), write_relu(4, "too early")),),
    ),
    Report(
        "tt-metal#46176",
        "a core reads configuration back before the instruction that writes it is done",
        RACES,
        "/* asserted */",
        r"cycles\nRACE \d .*\n.* lw +PLACE .*\n.* RMWCIB0 (?s:.*?)RMWCIB0 comes first"
        r"(?s:.*?)them: tensix_sync\(\)",
        (
            pack_init(
                "wait_for_configuration(STALLWAIT_block_B7);",
                SET_UNUSED,
                f"if (((volatile u32 *)0xffef0000)[{IS_UNUSED}] == 7) /* asserted */",
                "    return 1;",
            ),
        ),
    ),
    Report(
        "tt-metal#52728",
        "a GPR is stored, and an instruction that reads it is pushed without a wait",
        RACES,
        "/* stored */",
        r"RACE \d .* gpr T2 4\n.* sw +PLACE .*\n.* WRCFG ",
        (pack_init("GPR(4) = 0; /* stored */", write_relu(4, "read")),),
    ),
    Report(
        "tt-metal#57066",
        "a thread takes the mail of an earlier call: the sender calls once more than it does",
        f"{ORIGIN} 0x20000",
        "/* peek */",
        r"L1 0x20000:4: 0x00000001(?s:.*?)written by sw of T0, 0x[0-9a-f]+, main at PLACE",
        (
            unpack_init("MAILBOX(3) = 1; /* peek */", "MAILBOX(3) = 2;"),
            pack_init("*(volatile u32 *)0x20000 = take_mail(1);"),
        ),
    ),
    Report(
        "tt-metal#38055",
        "the reader waits for pages, and the writer is compiled for another thread",
        ONE,
        "/* cb_wait_front */",
        r"NC: polls L1 0x20000, at PLACE: it is 0(?s:.*?)no program has a store to it",
        files=(
            ("b.c", main("if (0)\n    L1[0] = 1;")),
            ("nc.c", main("while (L1[0] == 0) /* cb_wait_front */\n    FENCE;")),
        ),
    ),
    Report(
        "tt-metal#46662",
        "the consumer of a ring of two pages does not pop: the producer waits for room",
        ONE,
        "/* cb_reserve_back */",
        r"NC: polls L1 0x20000, at PLACE.*\n +or L1 0x20004, at PLACE: it is 0.*\n +no program has",
        files=(
            ("b.c", main("while (L1[0] < 2)\n    FENCE;\nL1[2] = L1[64];")),
            (
                "nc.c",
                main("""
for (u32 page = 0; page < 4; page++) {
    while (L1[0] - L1[1] == 2) /* cb_reserve_back */
        FENCE;
    L1[0] = page + 1;
}
"""),
            ),
        ),
    ),
    Report(
        "tt-metal#36796",
        "an argument is read that the host has not given this core",
        f"{ONE} --check init",
        "/* argument */",
        r"U1 1 .*L1 0x20190\n.* lw +PLACE",
        files=(
            (
                "nc.c",
                main("""
u32 pages = L1[100] & 7; /* argument */
for (u32 page = 0; page < pages; page++)
    late();
"""),
            ),
        ),
    ),
    Report(
        "tt-metal#44776",
        "an init relies on a register that an earlier test has set",
        INIT,
        "SFPMOV_vc(5)",
        r"U1 1 (?s:.*?)lreg 5(?s:.*?) SFPMOV +PLACE",
        (math_init("TTINSN(SFPMOV | SFPMOV_vc(5) | SFPMOV_vd(1));"),),
    ),
)
