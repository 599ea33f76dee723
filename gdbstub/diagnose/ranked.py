# SPDX-License-Identifier: Apache-2.0
"""The manual's table of causes: `python -m tensix_gdb.gdbstub.diagnose.ranked` writes it."""

from __future__ import annotations

from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.diagnose.causes import CAUSES
from tensix_gdb.gdbstub.diagnose.evidence import Symptom

MAKER = "python -m tensix_gdb.gdbstub.diagnose.ranked"
BLOCK = Generated("causes", MAKER, MANUAL / "diagnose.md")
_OF = {
    Symptom.FAULT: "a fault",
    Symptom.HANG: "a hang",
    Symptom.WAITS: "a hang",
    Symptom.ENDLESS: "no end",
    Symptom.STATUS: "an exit status",
    Symptom.HOST: "an exit status of a host",
    Symptom.WRONG_TILE: "a wrong tile",
    Symptom.NONE: "a good end",
}


def table() -> str:
    """Return one row for each cause, in the order of the ranks."""
    rows = ["| cause | meaning | explains |", "|---|---|---|"]
    for cause in CAUSES:
        texts = (text for symptom, text in _OF.items() if symptom in cause.explains)
        of = ", ".join(dict.fromkeys(texts))
        every = "anything" if len(cause.explains) == len(Symptom) else of
        rows.append(f"| {cause.name} | {cause.means} | {every} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    BLOCK.write(table())
