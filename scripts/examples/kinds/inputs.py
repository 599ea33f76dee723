# SPDX-License-Identifier: Apache-2.0
"""The kinds of failures, a row each: the inputs, and what was said of them before."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scripts.examples.kinds.kind import ALONE, DIAGNOSE, LLK, Kind
from scripts.examples.planted.planting import Edit

MAIN = '#include "tensix_by_name.h"\n{}int main(void)\n{{\n{}}}\n'
L1 = "#define L1 ((volatile u32 *)0x20000)\n"
FENCE = '        __asm__ volatile("fence");\n'
# The L0 data cache keeps its lines, as tt-metal sets it.
KEEPS_LINES = """    __asm__ volatile("csrc 0x7c0, %0" : : "r"(8));
    __asm__ volatile("csrs 0x7c0, %0" : : "r"(1 << 24));
"""
NEXT_TILE = "    configure(THCON_SEC0_REG1_L1_Dest_addr, L1_ADDRESS(SUM + tile * BYTES));\n"
BEGIN = "static void add_tile(void)\n{\n"
LAST_OF_MATH = "    TTINSN(STALLWAIT | STALLWAIT_block_B1 | STALLWAIT_wait_C4);\n    TTINSN(SEMPOST"
OFF = """static void other_branch(void)
{
    TTINSN(SFPENCC | SFPENCC_imm2(3) | SFPENCC_mod1(10));
    TTINSN(SFPLOADI | SFPLOADI_vd(2) | SFPLOADI_imm16(0x3f80));
    TTINSN(SFPSETCC | SFPSETCC_vc(2)); /* no lane is negative */
}

"""
TWICE = """    TTINSN(STALLWAIT | STALLWAIT_block_B8 | STALLWAIT_wait_C4);
    TTINSN(SFPLOAD | SFPLOAD_mod0_BF16 | SFPLOAD_addr_mod(3));
    TTINSN(SFPMAD | SFPMAD_vb(10) | SFPMAD_vd(0));
    TTINSN(SFPNOP);
    TTINSN(SFPSTORE | SFPSTORE_mod0_BF16 | SFPSTORE_addr_mod(3));
"""
MATH_IS_SET_UP = "    math_hw_configure();\n"
PACKED_FACES = (
    "_llk_pack_init_<PackMode::Default>(BF16, FACE_ROWS, SHAPE.total_col_dim(), FACES, 1,"
)
NOC = "#define NIU(at) (*(volatile u32 *)(0xffb20000 + (at)))\n"
INLINE = """    NIU(0x00) = 0x20000;
    NIU(0x08) = 1 | 2 << 6;
    NIU(0x1c) = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4;
    NIU(0x20) = 0xf;
    NIU(0x28) = 7;
    NIU(0x40) = 1; /* inline */
    while (L1[0] != 7)
        __asm__ volatile("fence");
    return 0;
"""
DST_32 = "constexpr bool DST_HAS_32_BIT = false;"
# The sum has the exponent that IEEE keeps for infinity; a golden that saturates wants the largest.
HALF = np.full((128, 32), 32768, np.float32)
LARGEST = np.full((128, 32), 65504, np.float32)


def doubled() -> npt.NDArray[np.float32]:
    """Return the sums of `new` as TWICE would leave them: of each tile, it has the even columns of
    four rows of the first face."""
    row, column = np.indices((128, 32), np.float32)
    sums = 32 * (row // 32) + column + 2 * (row % 32)
    sums.reshape(4, 32, 32)[:, :4, :16:2] *= 2
    return sums


KINDS = (
    Kind(
        "a poll with a counter, of a flag that nothing sets",
        "1e9 cycles",
        "tt-metal#21373",
        "hang",
        r"T2: polls L1 0x20000, at .*PLACE.*: it is 0, and the loop ends when it is 1",
        "/* polled */",
        (
            Edit(
                NEXT_TILE,
                "    u32 turns = 0;\n"
                "    while (tile == 3 && *(volatile u32 *)0x20000 != 1) /* polled */\n"
                "        turns++;\n"
                "    *(volatile u32 *)0x20010 = turns;\n" + NEXT_TILE,
            ),
        ),
        command=f"{DIAGNOSE} --max-cycles 60000",
    ),
    Kind(
        "two harts poll each other's flag",
        "1e9 cycles",
        "tt-metal#21373",
        "hang",
        r"T[01]: polls L1 0x200[04]0, at .*: it is 0, and the loop ends when it is 1",
        files={
            "t0.c": MAIN.format(
                L1, f"    while (L1[0] != 1)\n{FENCE}    L1[16] = 1;\n    return 0;\n"
            ),
            "t1.c": MAIN.format(
                L1, f"    while (L1[16] != 1)\n{FENCE}    L1[0] = 1;\n    return 0;\n"
            ),
        },
        command=ALONE,
    ),
    Kind(
        "a poll without a fence, in the L0 cache",
        '"spins at"',
        "tt-metal#50310, #51040, #57502",
        "old copy that is polled",
        r"M11 .*PLACE",
        "/* cached */",
        files={
            "t0.c": MAIN.format(
                L1,
                f"{KEEPS_LINES}    while (L1[0] == 0) /* cached */\n        ;\n    return 0;\n",
            ),
            "b.c": MAIN.format(
                L1,
                "    for (u32 i = 0; i < 200; i++)\n        L1[16] = i;\n    L1[0] = 1;\n"
                "    return 0;\n",
            ),
        },
        command=ALONE,
    ),
    Kind(
        "numbers beyond IEEE, packed as FP16",
        "a map, without a word",
        "tt-metal#57215",
        "numbers beyond IEEE",
        "infinity|NaN",
        "",
        (
            Edit(DST_32, DST_32.replace("false", "true")),
            Edit(
                "_llk_pack_hw_configure_<DST_HAS_32_BIT, PackMode::Default>(BF16, BF16,",
                "_llk_pack_hw_configure_<DST_HAS_32_BIT, PackMode::Default>(0, 1,",
            ),
            Edit(PACKED_FACES, PACKED_FACES.replace("(BF16", "(0")),
        ),
        LLK,
        command=DIAGNOSE.replace("sum.npy:bf16", "sum.npy:fp16"),
        arrays={"left.npy": HALF, "right.npy": HALF, "sum.npy": LARGEST},
    ),
    Kind(
        "lanes left off by an SFPSETCC",
        "not mentioned",
        "none is known",
        "lanes off",
        r"SFPSETCC.*PLACE",
        "/* no lane is negative */",
        (
            Edit(BEGIN, OFF + BEGIN),
            Edit(LAST_OF_MATH, TWICE + LAST_OF_MATH.replace("_C4)", "_C4 | STALLWAIT_wait_C11)")),
            Edit(MATH_IS_SET_UP, f"{MATH_IS_SET_UP}    other_branch();\n"),
        ),
        arrays={"sum.npy": doubled()},
    ),
    Kind(
        "formats of packer and Dst",
        "names of fields",
        "tt-metal#34499",
        "fault",
        r"THCON_SEC0_REG1_In_data_format is FP16.*PLACE",
        "THCON_SEC0_REG1_In_data_format, FP16)",
        (
            Edit(
                "configure(THCON_SEC0_REG1_In_data_format, BF16);",
                "configure(THCON_SEC0_REG1_In_data_format, FP16);",
            ),
        ),
    ),
    Kind(
        "two of four faces packed",
        "no cause",
        "tt-metal#22904",
        "nothing written",
        r"no instruction has written 0x41400 to 0x417ff",
        "",
        (Edit(PACKED_FACES, PACKED_FACES.replace("FACES", "2")),),
        LLK,
    ),
    Kind(
        "Dst written as 16 bits, read as 32",
        "no cause",
        "tt-metal#45216, #46223; tt-llk#739",
        "agreement, in the datum",
        r"F1 ",
        "",
        (
            Edit(
                "_llk_pack_hw_configure_<DST_HAS_32_BIT,",
                "_llk_pack_hw_configure_<true,",
            ),
            Edit("_llk_pack_dest_init_<SYNC, DST_HAS_32_BIT>", "_llk_pack_dest_init_<SYNC, true>"),
            Edit("_llk_pack_<SYNC, DST_HAS_32_BIT,", "_llk_pack_<SYNC, true,"),
            Edit(
                "_llk_pack_dest_section_done_<SYNC, DST_HAS_32_BIT>",
                "_llk_pack_dest_section_done_<SYNC, true>",
            ),
        ),
        LLK,
    ),
    Kind(
        "an inline write to L1",
        "nothing",
        "tt-metal#40432, #18560",
        "mistake with memory",
        r"C9 .*PLACE",
        "/* inline */",
        files={"nc.c": MAIN.format(L1 + NOC, INLINE)},
        command=ALONE,
    ),
)
