# SPDX-License-Identifier: Apache-2.0
"""Six causes of a wrong datum in a packed tile of BF16, and the one command that names each."""

from __future__ import annotations

from scripts.examples.planted.planting import Bug, Edit
from tensix_gdb.gdbstub.kernels.project import FILES

ORIGIN = f"tensix-gdb origin --dir build {' '.join(FILES[:-1])} --diff 0x41000=sum.npy:bf16"
AFTER = """    TTINSN(STALLWAIT | STALLWAIT_block_B1 | STALLWAIT_wait_C4);
    TTINSN(SEMPOST | SEMPOST_sem_S1);
"""
SCALE = """    /* Scale the first rows by LReg 3. */
    TTINSN(STALLWAIT | STALLWAIT_block_B8 | STALLWAIT_wait_C4);
    TTINSN(SFPLOAD | SFPLOAD_vd(0) | SFPLOAD_mod0_BF16 | SFPLOAD_addr_mod(3) | SFPLOAD_imm10(0));
    TTINSN(SFPMUL | SFPMUL_va(0) | SFPMUL_vb(3) | SFPMUL_vc(9) | SFPMUL_vd(0));
    TTINSN(SFPNOP);
    TTINSN(SFPSTORE | SFPSTORE_vd(0) | SFPSTORE_mod0_BF16 | SFPSTORE_addr_mod(3));
    TTINSN(STALLWAIT | STALLWAIT_block_B6 | STALLWAIT_wait_C11);
"""
# LReg 10 and LReg 11 are the constants 1 and -1, so that no lane is negative.
LANES = """    /* Add 1 to the first rows, and take it away again. */
    TTINSN(STALLWAIT | STALLWAIT_block_B8 | STALLWAIT_wait_C4);
    TTINSN(SFPLOAD | SFPLOAD_vd(0) | SFPLOAD_mod0_BF16 | SFPLOAD_addr_mod(3) | SFPLOAD_imm10(0));
    TTINSN(SFPADD | SFPADD_va(0) | SFPADD_vb(10) | SFPADD_vc(10) | SFPADD_vd(0));
    TTINSN(SFPNOP);
    TTINSN(SFPSTORE | SFPSTORE_vd(0) | SFPSTORE_mod0_BF16 | SFPSTORE_addr_mod(3));
    TTINSN(SFPENCC | SFPENCC_imm2(3) | SFPENCC_mod1(10));
    TTINSN(SFPSETCC | SFPSETCC_vc(10)); /* where LReg 10 is negative */
    TTINSN(SFPMOV | SFPMOV_vc(9) | SFPMOV_vd(1));
    /* SFPENCC is forgotten. */
    TTINSN(SFPADD | SFPADD_va(0) | SFPADD_vb(10) | SFPADD_vc(11) | SFPADD_vd(0));
    TTINSN(SFPNOP);
    TTINSN(SFPSTORE | SFPSTORE_vd(0) | SFPSTORE_mod0_BF16 | SFPSTORE_addr_mod(3));
    TTINSN(STALLWAIT | STALLWAIT_block_B6 | STALLWAIT_wait_C11);
"""
UNPACKS = """    wait_for_configuration(STALLWAIT_block_B3);
    TTINSN(UNPACK | UNPACR_which_unpacker_UNP0);
    TTINSN(UNPACK | UNPACR_which_unpacker_UNP1);
    wait_for_tensix(); /* the unpackers read these words until they have ended */
"""

WRONG = (
    Bug(
        "address",
        "a wrong tile address",
        "",
        (Edit("L1_ADDRESS(RIGHT + tile * BYTES)", "L1_ADDRESS(RIGHT + 64 + tile * BYTES)"),),
        (ORIGIN,),
        "L1_ADDRESS(RIGHT",
        r"src b (?s:.*)THCON_SEC1_REG3_Base_address \d = 0x3103: sw of T0, unpack_tile at PLACE",
    ),
    Bug(
        "stale",
        "a stale word of the configuration",
        "",
        (
            Edit(
                "    configure(THCON_SEC0_REG1_In_data_format, BF16);\n",
                "    configure(DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 512); /* another kernel's */\n"
                "    configure(THCON_SEC0_REG1_In_data_format, BF16);\n",
            ),
        ),
        (ORIGIN,),
        "DEST_TARGET_REG_CFG_PACK_SEC0_Offset, 512",
        r"DEST_TARGET_REG_CFG_PACK_SEC0_Offset = 0x200: sw of T2, pack_hw_configure at PLACE",
    ),
    Bug(
        "lreg",
        "an LReg that nothing has written",
        "",
        (Edit(AFTER, SCALE + AFTER),),
        (ORIGIN,),
        "TTINSN(SFPMUL",
        r"SFPMUL of T1 math, 0x[0-9a-f]{8}, add_tile at PLACE(?s:.*)"
        r"lreg 3\.\d+.*\n.*nothing has written it since the reset",
    ),
    Bug(
        "lanes",
        "a lane that was off",
        "",
        (Edit(AFTER, LANES + AFTER),),
        (ORIGIN,),
        "TTINSN(SFPSETCC",
        r"left as it was by SFPSTORE of T1 math(?s:.*)"
        r"lane flags by SFPSETCC of T1 math, add_tile at PLACE",
    ),
    Bug(
        "mask",
        "a mask of the packer",
        "",
        (
            Edit(
                "configure(PCK_EDGE_OFFSET_SEC0_mask, 0xffff)",
                "configure(PCK_EDGE_OFFSET_SEC0_mask, 0xfff0)",
            ),
        ),
        (ORIGIN,),
        "PCK_EDGE_OFFSET_SEC0_mask, 0xfff0",
        r"asked: cfg PCK_EDGE_OFFSET_SEC0_mask 0 = 0xfff0: sw of T2, pack_hw_configure at PLACE",
    ),
    Bug(
        "late",
        "a store that comes late",
        "",
        (
            Edit(
                UNPACKS,
                "    volatile u16 *bias = (volatile u16 *)(RIGHT + tile * BYTES) + 21;\n"
                "    u16 value = *bias;\n"
                "    *bias = 0; /* not there yet */\n"
                "    wait_for_memory(*bias);\n" + UNPACKS + "    *bias = value;\n",
            ),
            Edit(
                "static void unpack_tile",
                "static void wait_for_memory(u32 value)\n"
                '{\n    __asm__ volatile("fence" : : "r"(value));\n}\n\nstatic void unpack_tile',
            ),
        ),
        (ORIGIN,),
        "*bias = value;",
        r"written again after it was read here, by sh of T0, 0x[0-9a-f]{8}, unpack_tile at PLACE",
    ),
)
