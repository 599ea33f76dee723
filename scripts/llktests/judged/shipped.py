# SPDX-License-Identifier: Apache-2.0
"""The verdicts that the package has (gdbstub/order/report/of_llk.py), made of ROWS: `python -m
scripts.llktests.judged.shipped` writes them."""

from __future__ import annotations

import json

from scripts.llktests.judged.race_verdicts import ROWS
from tensix_gdb.gdbstub.order.report.of_llk import KNOWN


def text() -> str:
    """Return the file's text."""
    rows = [
        {
            "place": row.place,
            "earlier": row.earlier,
            "later": row.later,
            "check": row.check,
            "verdict": row.verdict,
            "why": row.why,
        }
        for row in ROWS
    ]
    return json.dumps(rows, indent=1) + "\n"


if __name__ == "__main__":
    KNOWN.write_text(text(), encoding="utf-8")
