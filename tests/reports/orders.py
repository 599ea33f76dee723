# SPDX-License-Identifier: Apache-2.0
"""Reports of 2026 about orders of events, requests of the NoC, and hangs."""

from __future__ import annotations

from scripts.examples.planted.planting import Edit
from tests.reports.report import RACES, Report
from tests.reports.state import math_init, unpack_init

REPORTS = (
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
