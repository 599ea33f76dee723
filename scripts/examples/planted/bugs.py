# SPDX-License-Identifier: Apache-2.0
"""Eight bugs of the kernel in C, and those of them that fit the one with LLK."""

from __future__ import annotations

from scripts.examples.planted.planting import RUN, SEEDS, Bug, Edit

AT = r"0x[0-9a-f]{8}, \S+ at PLACE"
MAILBOX = """#define MAILBOX(other) (*(volatile u32 *)(0xffec0000 + 0x1000 * (other)))
#define TAKE_MAIL(from) __asm__ volatile("and zero, %0, zero" : : "r"(MAILBOX(from)) : "memory")

#ifdef LLK_TRISC_UNPACK
"""
UNPACKS = """    for (u32 tile = 0; tile < TILES; tile++)
        unpack_tile(tile);
"""
ADDS = """    for (u32 tile = 0; tile < TILES; tile++)
        add_tile();
"""
TAKES, SENDS = "        TAKE_MAIL({}); /* {} may continue */\n", "        MAILBOX({}) = tile;\n"
GPR_4 = "    ((volatile u32 *)0xffe00000)[4] = L1_ADDRESS(SUM + tile * BYTES); /* GPR 4 */\n"
PACK_WAITS = """    wait_for_configuration(STALLWAIT_block_B2);
    TTINSN(SEMWAIT | SEMWAIT_block_B2 | SEMWAIT_sem_S1 | SEMWAIT_wait_C0);
"""


def _loop(function: str, *mail: str) -> str:
    inside = f"{''.join(mail)}        {function};\n"
    return f"    for (u32 tile = 0; tile < TILES; tile++) {{\n{inside}    }}\n"


BUGS = (
    Bug(
        "configuration",
        "wait missing: T0 does not wait for its stores of configuration",
        "right in `latency`, wrong in most seeds",
        (Edit("    wait_for_configuration(STALLWAIT_block_B3);\n", ""),),
        (RUN, SEEDS),
        "UNPACR_which_unpacker_UNP0",
        rf"T0 unpack: STALLWAIT block=B3, wait=C10 before UNPACR, pushed at {AT}",
    ),
    Bug(
        "dst",
        "wait missing: T1 does not wait until T2 has packed the last tile",
        "right in `latency`, wrong in all seeds",
        (Edit("    TTINSN(SEMWAIT | SEMWAIT_block_B6 | SEMWAIT_sem_S1 | SEMWAIT_wait_C1);\n", ""),),
        (RUN, SEEDS),
        "TTINSN(ELWADD",
        rf"a wait for another thread is missing .*\n +T1 math: before ELWADD, pushed at {AT}",
    ),
    Bug(
        "packer",
        "wait missing: T2 lets T1 continue before the packer has read all of Dst",
        "right in `latency`, the last rows wrong in most seeds",
        (Edit("    TTINSN(STALLWAIT | STALLWAIT_block_B1 | STALLWAIT_wait_C3);\n", ""),),
        (RUN, SEEDS),
        "TTINSN(SEMGET",
        rf"T2 pack: STALLWAIT block=B1, wait=C3 before SEMGET, pushed at {AT}",
    ),
    Bug(
        "semaphore",
        "wrong semaphore: T1 posts 2, T2 waits for 1",
        "hangs",
        (Edit("SEMPOST | SEMPOST_sem_S1", "SEMPOST | SEMPOST_sem_S2"),),
        (RUN,),
        "SEMPOST_sem_S2",
        r"T1 math has posted semaphore 2 \(it is 4, and no thread waits for it\) at PLACE",
    ),
    Bug(
        "format",
        "wrong format: the packer writes FP16",
        "nearly all datums are wrong",
        (Edit("THCON_SEC0_REG1_Out_data_format, BF16)", "THCON_SEC0_REG1_Out_data_format, FP16)"),),
        (RUN,),
        "THCON_SEC0_REG1_Out_data_format, FP16",
        rf"THCON_SEC0_REG1_Out_data_format is FP16, written by a store of T2, {AT}",
    ),
    Bug(
        "address",
        "wrong address: tiles counted as half as long",
        "two of four tiles are wrong",
        (Edit("L1_ADDRESS(RIGHT + tile * BYTES)", "L1_ADDRESS(RIGHT + tile * DATUMS)"),),
        (RUN,),
        "L1_ADDRESS(RIGHT + tile * DATUMS)",
        rf"THCON_SEC1_REG3_Base_address is 0x313f, written by a store of T0, {AT}",
    ),
    Bug(
        "mailboxes",
        "mailbox circle: T0 and T1 both wait for the other one's message first",
        "hangs",
        (
            Edit(
                _loop("add_tile()", SENDS.format(1), TAKES.format(1, "T1")),
                _loop("add_tile()", TAKES.format(1, "T1"), SENDS.format(1)),
            ),
        ),
        (RUN,),
        "TAKE_MAIL(1)",
        r"T0: waits for T1 to write .*\nT1: waits for T0 to write to the mailbox from T0 to T1, at "
        r"0x[0-9a-f]{8}, main at PLACE\n(?s:.*)In a circle: T0 waits for T1 waits for T0\.",
        right=(
            Edit("#ifdef LLK_TRISC_UNPACK\n", MAILBOX),
            Edit(UNPACKS, _loop("unpack_tile(tile)", TAKES.format(2, "T0"), SENDS.format(2))),
            Edit(ADDS, _loop("add_tile()", SENDS.format(1), TAKES.format(1, "T1"))),
        ),
    ),
    Bug(
        "gpr",
        "register overwritten by the next tile: T2 does not wait until WRCFG has read GPR 4",
        "three of four tiles are wrong",
        (
            Edit(
                "    TTINSN(SEMGET | SEMGET_sem_S1);\n    wait_for_tensix();\n",
                "    TTINSN(SEMGET | SEMGET_sem_S1);\n",
            ),
        ),
        (RUN, SEEDS),
        "/* GPR 4 */",
        rf"T2: a wait until nothing of it is in flight, before {AT}",
        right=(
            Edit(
                "    configure(THCON_SEC0_REG1_L1_Dest_addr, L1_ADDRESS(SUM + tile * BYTES));\n"
                + PACK_WAITS,
                GPR_4
                + "    wait_for_configuration(STALLWAIT_block_B7);\n"
                + "    TTINSN(SEMWAIT | SEMWAIT_block_B2 | SEMWAIT_block_B7 | SEMWAIT_sem_S1 |\n"
                + "           SEMWAIT_wait_C0);\n"
                + "    TTINSN(WRCFG | WRCFG_input_reg(4) |\n"
                + "           WRCFG_cfg_index(WORD(THCON_SEC0_REG1_L1_Dest_addr)));\n"
                + "    TTINSN(NOP);\n",
            ),
        ),
    ),
)

_FP16 = Edit(
    "constexpr TensorShape SHAPE ",
    "constexpr std::uint32_t FP16       = static_cast<std::uint32_t>(DataFormat::Float16);\n"
    "constexpr TensorShape SHAPE ",
)
_TAKES = "        static_cast<void>(mailbox_read(ThreadId::{}ThreadId));\n"
_SENDS = "        mailbox_write(ThreadId::{}ThreadId, tile);\n"
_UNPACKS, _WAITS = (
    "        _llk_unpack_AB_<BroadcastType::NONE>(left, right);\n",
    "        _llk_math_wait_for_dest_available_<SYNC>();\n",
)
_READY, _GO = _TAKES.format("Unpack"), _SENDS.format("Unpack")
LLK_BUGS = (
    Bug(
        "llk-dst",
        "wait missing: T1 does not wait until T2 has packed the last tile",
        "right in `latency`, wrong in some seeds",
        (Edit(_WAITS, ""),),
        (RUN, SEEDS),
        "_llk_math_eltwise_binary_<ADD, NONE, SYNC",
        r"a wait for another thread is missing (?s:.*)T1 math: before .*PLACE",
        kernel="add.cpp",
    ),
    Bug(
        "llk-math",
        "wait missing: T2 does not wait until T1 has added a tile",
        "hangs, or packs zeros",
        (Edit("        _llk_packer_wait_for_math_done_();\n", ""),),
        (RUN, SEEDS),
        "_llk_pack_<SYNC",
        rf"a wait for another thread is missing .*\n +T2 pack: before PACR, pushed at {AT}",
        kernel="add.cpp",
    ),
    Bug(
        "llk-format",
        "wrong format: SrcB's tiles are taken as FP16",
        "nearly all datums are wrong",
        (
            _FP16,
            Edit(
                "        BF16, BF16, BF16, BF16, FACE_ROWS",
                "        BF16, FP16, BF16, FP16, FACE_ROWS",
            ),
        ),
        (RUN,),
        "_llk_unpack_hw_configure_<",
        rf"InDataFormat of THCON_SEC1_REG0_TileDescriptor is FP16, written by a store of T0, {AT}",
        kernel="add.cpp",
    ),
    Bug(
        "llk-address",
        "wrong address: a tile's size in units of 16 bytes, where bytes are meant",
        "three of four tiles are wrong",
        (Edit("L1_ADDRESS(RIGHT + tile * TILE_BYTES)", "L1_ADDRESS(RIGHT + tile * TILE_SIZE)"),),
        (RUN,),
        "_llk_unpack_AB_<BroadcastType::NONE>(left, right)",
        rf"THCON_SEC1_REG3_Base_cntx1_address is 0x3107, written by a store of T0, {AT}",
        kernel="add.cpp",
    ),
    Bug(
        "llk-mailboxes",
        "mailbox circle: T0 and T1 both wait for the other one's message first",
        "hangs",
        (Edit(_GO + _READY, _READY + _GO),),
        (RUN,),
        "mailbox_read(ThreadId::Unpack",
        r"T1: waits for T0 to write to the mailbox from T0 to T1, at 0x[0-9a-f]{8}, run_kernel at "
        r"PLACE (?s:.*)In a circle: T0 waits for T1 waits for T0\.",
        right=(
            Edit(_UNPACKS, _TAKES.format("Math") + _SENDS.format("Math") + _UNPACKS),
            Edit(_WAITS, _GO + _READY + _WAITS),
        ),
        kernel="add.cpp",
    ),
)
