# SPDX-License-Identifier: Apache-2.0
"""Reports of 2026 about stages that do not agree: formats, counters and addresses."""

from __future__ import annotations

from scripts.examples.planted.planting import Edit
from tests.reports.report import DIAGNOSE, DIFF, RUN, Report
from tests.reports.state import math_init, pack_init

REPORTS = (
    Report(
        "tt-metal#49909",
        "the early conversion of the packer gives another format than the late one takes",
        f"{RUN} --max-cycles 30000",
        "/* nominal */",
        r"ALU_FORMAT_SPEC_REG2_Dstacc(?s:.*?)PLACE|PLACE(?s:.*?)ALU_FORMAT_SPEC_REG2_Dstacc",
        (math_init("configure(ALU_FORMAT_SPEC_REG2_Dstacc, 1); /* nominal */"),),
    ),
    Report(
        "tt-llk#1282",
        "the packer's counter is that of a narrow tile: a reconfiguration does not set it",
        DIAGNOSE,
        "/* narrow */",
        r"most likely (?s:.*?)PAC X1 is 0x7, written by SETADCXX of T2 pack,\s+\w+, main\s+"
        r"at PLACE",
        (pack_init("TTINSN(SETADCXX | SETADCXX_pk(1) | SETADCXX_x1_val(7)); /* narrow */"),),
    ),
    Report(
        "tt-metal#51215",
        "two tiles are packed to one address: the first is lost",
        DIFF,
        "tile / 2 * 2",
        r"L1 0x41000:2: .*\n +written by PACR of T2(?s:.*?)L1_Dest_addr 0 = 0x40ff: sw of T2, "
        r"pack_tile at PLACE",
        (
            Edit(
                "configure(THCON_SEC0_REG1_L1_Dest_addr, L1_ADDRESS(SUM + tile * BYTES));",
                "configure(THCON_SEC0_REG1_L1_Dest_addr, L1_ADDRESS(SUM + tile / 2 * 2 * BYTES));",
            ),
        ),
    ),
)
