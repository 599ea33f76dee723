# SPDX-License-Identifier: Apache-2.0
"""Reports of 2026 about orders of events, requests of the NoC, and hangs."""

from __future__ import annotations

from scripts.examples.planted.planting import Edit
from tests.reports.report import RACES, Report
from tests.reports.state import math_init, unpack_init

ONE = "tensix-gdb run --dir build --max-cycles 30000"
MEMORY = f"{ONE} --check memory"
NIU = """#include "tensix_by_name.h"
#define NIU(at) (*(volatile u32 *)(0xffb20000 + (at)))
#define HERE (1 | 2 << 6) /* NOC coordinates of the tile */
static void request(u32 from, u32 to, u32 ctrl, u32 bytes)
{
    while (NIU(0x40)) {
    }
    NIU(0x00) = from, NIU(0x04) = 0, NIU(0x08) = HERE;
    NIU(0x0c) = to, NIU(0x10) = 0, NIU(0x14) = HERE;
    NIU(0x1c) = ctrl, NIU(0x20) = bytes;
    NIU(0x40) = 1;
}
"""
READ, WRITE = "0 | 1 << 4", "2 | 1 << 4"  # NOC_CTRL, with a response


def nc(body: str) -> tuple[tuple[str, str], ...]:
    """A program of NC alone."""
    return (("nc.c", NIU + "int main(void)\n{\n" + body + "    return 0;\n}\n"),)


FLAG = """#include "tensix_by_name.h"
#define FLAG ((volatile u32 *)0x20000)
"""

REPORTS = (
    Report(
        "tt-metal#50973",
        "what a read brings is used before its barrier",
        MEMORY,
        "return word[0]",
        r"M6 (?s:.*)PLACE",
        files=(
            (
                "nc.c",
                NIU + "static volatile u32 *word = (volatile u32 *)0x20000;\n"
                "static u32 used(void)\n{\n    return word[0];\n}\n"
                f"int main(void)\n{{\n    request(0x21000, 0x20000, {READ}, 64);\n"
                "    u32 value = used();\n    while (NIU(0x40) || value == 7) {\n    }\n    return 0;\n}\n",
            ),
        ),
    ),
    Report(
        "tt-metal#40595",
        "a kernel ends with a write under way",
        MEMORY,
        "NIU(0x40) = 1;",
        r"M7 (?s:.*)PLACE",
        files=nc(f"    request(0x21000, 0x20000, {WRITE}, 64);\n"),
    ),
    Report(
        "tt-metal#54590",
        "a wait for a value that a counter has passed",
        ONE,
        "*FLAG != 1",
        r"NC(?s:.*)PLACE(?s:.*)(has|is) (0x)?2",
        files=(
            ("b.c", FLAG + "int main(void)\n{\n    *FLAG = 1;\n    *FLAG = 2;\n    return 0;\n}\n"),
            (
                "nc.c",
                FLAG + "int main(void)\n{\n    for (volatile u32 i = 0; i < 100; i++) {\n    }\n"
                '    while (*FLAG != 1) {\n        __asm__ volatile("fence");\n    }\n    return 0;\n}\n',
            ),
        ),
    ),
    Report(
        "tt-metal#53504",
        "two threads read, change and write one word without a mutex",
        RACES,
        "/* math */",
        r"(?s:.*)(PLACE(?s:.*)/\* unpack|RACE(?s:.*)PLACE)",
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
        r"(?s:.*)PLACE",
        (
            Edit(
                "    wait_for_configuration(STALLWAIT_block_B3);\n    TTINSN(UNPACK",
                "    TTINSN(UNPACK",
            ),
        ),
    ),
    Report(
        "tt-metal#53655",
        "a STALLWAIT before the Vector Unit does not name the Matrix Unit",
        RACES,
        "/* no C4 */",
        r"(?s:.*)PLACE",
        (
            Edit(
                "    TTINSN(STALLWAIT | STALLWAIT_block_B1 | STALLWAIT_wait_C4);\n    TTINSN(SEMPOST",
                "    TTINSN(STALLWAIT | STALLWAIT_block_B1 | STALLWAIT_wait_C11); /* no C4 */\n"
                "    TTINSN(SEMPOST",
            ),
        ),
    ),
)
