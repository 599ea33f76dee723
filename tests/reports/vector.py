# SPDX-License-Identifier: Apache-2.0
"""Reports of 2026 about the Vector Unit: lanes that were on or off, and recorded instructions."""

from __future__ import annotations

from tests.reports.report import DIFF, Report
from tests.reports.state import NOP, add, load, loadi, math_init, store, vector

ON = "TTINSN(SFPENCC | SFPENCC_imm2(3) | SFPENCC_mod1(10)); /* all lanes */"
# Dst's datum of column 0 becomes -0.0: 0 with the sign bit.
MINUS_ZERO = (
    loadi(0, 0x8000),
    loadi(1, 0x3F80),
)

# The reason for which lanes were on or off.
COMPARED = r"lane flags by SFPSETCC of T1 math, add_tile at PLACE"

REPORTS = (
    Report(
        "tt-metal#56522",
        "where() takes -0.0 for true: SFPSETCC compares all bits with 0",
        DIFF,
        "/* is it 0? */",
        r"left as it was by SFPLOADI of T1 math(?s:.*?)" + COMPARED,
        (
            vector(
                *MINUS_ZERO,
                ON,
                "TTINSN(SFPSETCC | SFPSETCC_vc(0) | SFPSETCC_mod1_LREG_EQ0); /* is it 0? */",
                loadi(1, 0) + " /* no: it stays 1 */",
                ON,
                store(1),
            ),
        ),
    ),
    Report(
        "tt-metal#55306",
        "sign(-0.0) is -1: SFPSETCC finds -0.0 less than 0",
        DIFF,
        "/* is it negative? */",
        r"lreg 1\.0: (?s:.*?)written by SFPLOADI of T1 math, 0x[0-9a-f]+, add_tile at (?s:.*?)"
        r"" + COMPARED,
        (
            vector(
                *MINUS_ZERO,
                ON,
                "TTINSN(SFPSETCC | SFPSETCC_vc(0) | SFPSETCC_mod1_LREG_LT0); /* is it negative? */",
                loadi(1, 0xBF80) + " /* yes: -1 */",
                ON,
                store(1),
            ),
        ),
    ),
    Report(
        "tt-llk#1643",
        "one operation records over the entries of another one, and the other replays them",
        DIFF,
        "/* recorded by the second */",
        r"written by SFPADD of T1 math, PLACE, replayed at 0x[0-9a-f]+, add_tile at",
        (
            math_init(
                "TTINSN(REPLAY | REPLAY_index(0) | REPLAY_count(1) | REPLAY_load(1));",
                "TTINSN(SFPADD | SFPADD_va(0) | SFPADD_vb(10) | SFPADD_vc(9) | SFPADD_vd(0));",
                "TTINSN(REPLAY | REPLAY_index(0) | REPLAY_count(1) | REPLAY_load(1));",
                "TTINSN(SFPADD | SFPADD_va(0) | SFPADD_vb(10) | SFPADD_vc(10) | SFPADD_vd(0));"
                " /* recorded by the second */",
            ),
            vector(load(0), "TTINSN(REPLAY | REPLAY_index(0) | REPLAY_count(1));", NOP, store(0)),
        ),
    ),
    Report(
        "tt-metal#45950",
        "conditional execution is switched on, and the flags of all lanes are 0",
        DIFF,
        "/* lanes */",
        r"left as it was by SFPSTORE of T1 math(?s:.*?)lane flags by SFPENCC of T1 math, .* PLACE",
        (
            vector(
                *(load(0), add(10), NOP, store(0)),
                "TTINSN(SFPENCC | SFPENCC_imm2(1) | SFPENCC_mod1(10)); /* lanes */",
                *(add(11), NOP, store(0)),
            ),
        ),
    ),
    Report(
        "tt-metal#43831",
        "NaN is greater than 0: the comparison looks at the sign alone",
        DIFF,
        "/* not less? */",
        r"lreg 1\.0: (?s:.*?)written by SFPLOADI of T1 math(?s:.*?)" + COMPARED,
        (
            vector(
                loadi(0, 0x7FC0),
                loadi(1, 0),
                ON,
                "TTINSN(SFPSETCC | SFPSETCC_vc(0) | SFPSETCC_mod1_LREG_GTE0); /* not less? */",
                loadi(1, 0x3F80),
                ON,
                store(1),
            ),
        ),
    ),
)
