# SPDX-License-Identifier: Apache-2.0
"""Reports of 2026 about state that one operation leaves for the next one, and hidden state."""

from __future__ import annotations

from scripts.examples.planted.planting import Edit
from tests.reports.report import DIFF, LEAKS, ORIGIN, Report

BEGIN = "static void add_tile(void)\n{\n"
MATH_MAIN = "    math_hw_configure();\n"
PACK_MAIN = "    pack_hw_configure();\n"
UNPACK_MAIN = "    unpack_hw_configure();\n"
END = "    TTINSN(STALLWAIT | STALLWAIT_block_B1 | STALLWAIT_wait_C4);\n    TTINSN(SEMPOST"


def math_init(*lines: str) -> Edit:
    """Lines for T1 after its hw_configure."""
    return Edit(MATH_MAIN, MATH_MAIN + "".join(f"    {line}\n" for line in lines))


def pack_init(*lines: str) -> Edit:
    """The same of T2."""
    return Edit(PACK_MAIN, PACK_MAIN + "".join(f"    {line}\n" for line in lines))


def unpack_init(*lines: str) -> Edit:
    """The same of T0."""
    return Edit(UNPACK_MAIN, UNPACK_MAIN + "".join(f"    {line}\n" for line in lines))


_TILE = {"T0": "unpack_tile(tile)", "T1": "add_tile()", "T2": "pack_tile(tile)"}


def after_tiles(core: str, *lines: str) -> Edit:
    """Lines for a core after its last tile."""
    last = f"        {_TILE[core]};\n"
    return Edit(last, last + "".join(f"    {line}\n" for line in lines))


def set_gpr(number: int, value: int) -> tuple[str, ...]:
    """SETDMAREG of both halves."""
    at = "TTINSN(SETDMAREG_Immediate | SETDMAREG_result_half_reg"
    return tuple(
        f"{at}({2 * number + half}) | SETDMAREG_new_value({value >> 16 * half & 0xFFFF}));"
        for half in (0, 1)
    )


def write_relu(number: int, what: str) -> str:
    """WRCFG of a GPR to the packer's relu."""
    return f"TTINSN(WRCFG | WRCFG_input_reg({number}) | WRCFG_cfg_index({IS_RELU})); /* {what} */"


def vector(*lines: str) -> Edit:
    """Lines for the Vector Unit, about a tile in Dst."""
    wait = "TTINSN(STALLWAIT | STALLWAIT_block_B8 | STALLWAIT_wait_C4);"
    done = "TTINSN(STALLWAIT | STALLWAIT_block_B6 | STALLWAIT_wait_C11);"
    body = "".join(f"    {line}\n" for line in (wait, *lines, done))
    return Edit(END, body + END)


def load(lreg: int) -> str:
    """SFPLOAD of BF16, from the rows that the counter says."""
    return f"TTINSN(SFPLOAD | SFPLOAD_vd({lreg}) | SFPLOAD_mod0_BF16 | SFPLOAD_addr_mod(3));"


def store(lreg: int) -> str:
    """SFPSTORE of BF16, to the same rows."""
    return f"TTINSN(SFPSTORE | SFPSTORE_vd({lreg}) | SFPSTORE_mod0_BF16 | SFPSTORE_addr_mod(3));"


def loadi(lreg: int, value: int) -> str:
    """SFPLOADI of BF16."""
    return f"TTINSN(SFPLOADI | SFPLOADI_vd({lreg}) | SFPLOADI_imm16({value:#x}));"


def add(vc: int, vd: int = 0) -> str:
    """LReg[vd] += LReg[vc]."""
    return f"TTINSN(SFPADD | SFPADD_va({vd}) | SFPADD_vb(10) | SFPADD_vc({vc}) | SFPADD_vd({vd}));"


IS_RELU = "WORD(STACC_RELU_ApplyRelu)"
NOP = "TTINSN(SFPNOP);"
MASK = (
    "TTINSN(SFPLOADI | SFPLOADI_vd(0) | SFPLOADI_imm16(2));",
    "TTINSN(SFPCONFIG | SFPCONFIG_vd(11)); /* the mask */",
)

REPORTS = (
    Report(
        "tt-metal#53756",
        "sinkhorn writes its mask to LReg[11] and leaves it there",
        LEAKS,
        "/* the mask */",
        r"K6 1 .*lreg 11\n.* SFPCONFIG +PLACE",
        (math_init(*MASK),),
    ),
    Report(
        "tt-metal#43993",
        "a later operation takes LReg[11] for -1",
        DIFF,
        "/* the mask */",
        r"lreg 11\.0: (?s:.*?)written by SFPCONFIG of T1 math, 0x[0-9a-f]+, main at PLACE",
        (
            math_init(*MASK),
            vector(load(0), add(10), NOP, add(11), NOP, store(0)),
        ),
    ),
    Report(
        "tt-metal#54166",
        "a broadcast changes the packer's format and does not put it back",
        LEAKS,
        "/* row broadcast */",
        r"K1 1 (?s:.*?) PLACE (?s:.*?)Out_data_format is 0x1, was 0x0, configured as 0x5",
        (
            Edit(
                "    for (u32 tile = 0; tile < TILES; tile++)\n        pack_tile(tile);\n",
                "    for (u32 tile = 0; tile < TILES; tile++)\n        pack_tile(tile);\n"
                "    configure(THCON_SEC0_REG1_Out_data_format, 1); /* row broadcast */\n",
            ),
        ),
    ),
    Report(
        "tt-metal#48365",
        "a datacopy leaves Zero_Flag_disabled_src on, beside what a tracker knows",
        LEAKS,
        "/* datacopy */",
        r"K1 1 (?s:.*?) RMWCIB0 +PLACE (?s:.*?)Zero_Flag_disabled_src is 0x1, was 0x0",
        (
            math_init(
                "TTINSN(RMWCIB0 | RMWCIB0_index4(WORD(ALU_ACC_CTRL_Zero_Flag_disabled_src)) |"
                " RMWCIB0_mask(1) | RMWCIB0_new_value(1)); /* datacopy */"
            ),
        ),
    ),
    Report(
        "tt-llk#1658",
        "relu_config writes the whole word, and with it a flag of another thread",
        f"{ORIGIN} cfg ALU_ACC_CTRL_Zero_Flag_disabled_src",
        "/* relu_config */",
        r"Zero_Flag_disabled_src 0: 0x0\n +written by WRCFG of T2 pack, 0x[0-9a-f]+, main at PLACE",
        (
            math_init(
                "TTINSN(RMWCIB0 | RMWCIB0_index4(WORD(ALU_ACC_CTRL_Zero_Flag_disabled_src)) |"
                " RMWCIB0_mask(1) | RMWCIB0_new_value(1));"
            ),
            after_tiles(
                "T2",
                *set_gpr(4, 0),
                "TTINSN(STALLWAIT | STALLWAIT_block_B7 | STALLWAIT_wait_C0);",
                write_relu(4, "relu_config"),
            ),
        ),
    ),
    Report(
        "tt-metal#50711",
        "a relu of an earlier operation is on while another one packs",
        DIFF,
        "/* relu */",
        r"(asked:|chosen by) cfg STACC_RELU_ApplyRelu 0 = 0x3.*: sw of T2, main at PLACE",
        (
            pack_init(
                "configure(STACC_RELU_ReluThreshold, 0x4000);",
                "configure(STACC_RELU_ApplyRelu, 3); /* relu */",
            ),
        ),
    ),
    Report(
        "tt-metal#55061",
        "stores that do not advance the counter: the next rows are the same ones",
        DIFF,
        "/* the next rows */",
        r"SFPSTORE of T1 math, 0x[0-9a-f]+, add_tile at PLACE(?s:.*?)"
        r"chosen by rwc T1 dst = 0x0: SFPLOAD of T1 math",
        (
            vector(
                *(load(0), add(10), NOP, store(0), load(0), add(10), NOP),
                store(0) + " /* the next rows */",
            ),
        ),
    ),
    Report(
        "tt-metal#50203",
        "an init transposes faces, and its uninit is empty",
        LEAKS,
        "/* transpose */",
        r"K1 1 (?s:.*?) PLACE (?s:.*?)Haloize_mode is 0x1, was 0x0",
        (
            Edit(
                "        unpack_tile(tile);\n",
                "        unpack_tile(tile);\n"
                "    configure(THCON_SEC0_REG2_Haloize_mode, 1); /* transpose */\n",
            ),
        ),
    ),
    Report(
        "tt-metal#47016",
        "an uninit puts the number of faces of its own operand back, not that of the tile",
        LEAKS,
        "/* uninit */",
        r"K1 1 (?s:.*?) PLACE (?s:.*?)z_dim is 0x2, was 0x0, configured as 0x1",
        (
            Edit(
                "        unpack_tile(tile);\n",
                "        unpack_tile(tile);\n"
                "    configure(THCON_SEC0_REG0_TileDescriptor_z_dim, 2); /* uninit */\n",
            ),
        ),
    ),
    Report(
        "tt-metal#48322",
        "an uninit restores 16 bits of a word, and the upper half stays",
        LEAKS,
        "/* init */",
        r"K1 1 (?s:.*?) PLACE (?s:.*?)z_dim is 0x7, was 0x0, configured as 0x1",
        (
            Edit(
                "        unpack_tile(tile);\n",
                "        unpack_tile(tile);\n"
                "    configure(THCON_SEC0_REG0_TileDescriptor_y_dim, 5);\n"
                "    configure(THCON_SEC0_REG0_TileDescriptor_z_dim, 7); /* init */\n"
                "    configure(THCON_SEC0_REG0_TileDescriptor_y_dim, 1); /* uninit */\n",
            ),
        ),
    ),
    Report(
        "tt-metal#54483",
        "an unpacker gives a bank that is not taken",
        LEAKS,
        "/* dummy */",
        r"K5 1 .*src a .*\n.* UNPACR +PLACE",
        (
            Edit(
                "        unpack_tile(tile);\n",
                "        unpack_tile(tile);\n"
                "    TTINSN(UNPACK | UNPACR_which_unpacker_UNP0); /* dummy */\n",
            ),
        ),
    ),
)
