# SPDX-License-Identifier: Apache-2.0
"""The verdicts on reports of races in collectives of several chips, over tt-metal's fabric.

tensix-gdb ttnn --chips 2 --tiles 14x10 --races --races-to DIR/r.json -- gathered.py
python -m scripts.examples.ttnn.over_cables DIR [--write]

Prints the kinds that have no verdict, exit status 1 if there is one; with --write the table goes
into the manual.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from scripts.examples.ttnn.alarms import identity, reports
from scripts.examples.ttnn.judged import REAL, ROWS, Row
from scripts.examples.ttnn.judged import row_of as row_in
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

BLOCK = Generated(
    "races over cables", "python -m scripts.examples.ttnn.over_cables DIR --write",
    MANUAL / "chips.md",
)  # fmt: skip
GAP = "gap"
_LONG_LOOP = (
    "The word is polled in a loop that the observer does not take for one, so it does not know "
    "what the hart has heard by it."
)

# fmt: off
OVER_CABLES = (
    Row("RACE", r"^L1 ", r"^(B|NC) \S+ noc_fast_spoof_write", r"^NoC", REAL,
        "an inline write, for which tt-metal stores the word to L1 first",
        "L1 and the NIU are two regions, and the word is not read back before."),
    Row("RACE", r"^L1 ", r"^NC sb send_next_data|^NC sw init_handshake_info", r"^TX queue \d sw",
        REAL, "a router stores a header, or its side of the handshake, and its TX queue sends it",
        "L1 and the TX queue are two regions, and the word is not read back before."),
    Row("RACE", r"^L1 ", r"^NC sw kernel_main fabric_erisc_router", r"^NoC \d of tile", REAL,
        "a router stores LOCAL_HANDSHAKE_COMPLETE, and the router beside it READY_FOR_TRAFFIC to "
        "the same word",
        "Nothing says to the other one that the first store is done: if it comes later, its router "
        "waits for READY_FOR_TRAFFIC for ever."),
    Row("RACE", r"^L1 ", r"^NC sw init_handshake_info", r"^TX queue \d of tile", REAL,
        "a router clears the word of the handshake, and the other end may have sent it",
        "Harmless: the other end sends it again until it is answered."),
    Row("RACE", r"^L1 ", r"^NC l\w+ kernel_main fabric_erisc_router", r"^TX queue \d of tile", REAL,
        "the result of the handshake is read while the other end still sends it",
        "Harmless: it sends the same bytes until it has the answer."),
    Row("RACE", r"^L1 ", r"^NoC 0 sw", r"^NoC 1 sw .*multicast_writer", REAL,
        "a reader with transaction ids pushes a page, and a write of the NoC takes it",
        "The count of a transaction id is 0 before its request is started, too: NOC_CMD_CTRL is to "
        "be read back before (NoC/Counters.md)."),
    Row("RACE", r"^L1 ", r"got_immediate_termination_signal", r"", GAP,
        "the word that ends a router", _LONG_LOOP),
    Row("RACE", r"^L1 ", r"", r"got_immediate_termination_signal", GAP,
        "the word that ends a router", _LONG_LOOP),
    Row("RACE", r"^L1 ", r"_side_handshake<", r"^TX queue", GAP,
        "the word of the handshake, and what came with it", _LONG_LOOP),
    Row("RACE", r"^L1 ", r"^TX queue", r"_side_handshake<|kernel_main fabric_erisc_router", GAP,
        "the word of the handshake, and what came with it", _LONG_LOOP),
    *ROWS,
)
# fmt: on
row_of = partial(row_in, rows=OVER_CABLES)


def table(found: Sequence[Mapping[str, str]]) -> str:
    """Make the table: a line for each verdict."""
    lines = ["| reports | what | verdict | why |", "|--:|---|---|---|"]
    judged = [row_of(one) for one in found]
    told: dict[str, list[Row]] = {}
    for row in OVER_CABLES:
        told.setdefault(row.what, []).append(row)
    for what, rows in told.items():
        count = sum(one in rows for one in judged)
        if count:
            lines.append(f"| {count} | {what} | {rows[0].verdict} | {rows[0].why} |")
    if None in judged:
        lines.append(f"| {judged.count(None)} | the others | not judged | |")
    return "\n".join(lines) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Judge what the folder has."""
    parser = argparse.ArgumentParser(prog="over_cables", description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--write", action="store_true", help="put the table into the manual")
    arguments = parser.parse_args(argv)
    found = [identity(one) for one in reports(arguments.folder, "")]
    unknown = {
        f"{one['word']} {one['place']}\n  {one['earlier']}\n  {one['later']}"
        for one in found
        if row_of(one) is None
    }
    print("\n".join(sorted(unknown)) or f"each of {len(found)} reports has a verdict")
    if arguments.write:
        BLOCK.write(table(found))
    return 1 if unknown or not found else 0


if __name__ == "__main__":
    sys.exit(main())
