# SPDX-License-Identifier: Apache-2.0
"""The verdicts on reports of `--races --check all` in right operations of ttnn.

python -m scripts.examples.ttnn.judged FILE.json [--write]

FILE is of `python -m scripts.examples.ttnn.alarms --json`. Prints the kinds that have no verdict,
exit status 1 if there is one; with --write the table goes into the manual.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

BLOCK = Generated(
    "judged reports", "python -m scripts.examples.ttnn.judged FILE.json --write",
    MANUAL / "contract.md",
)  # fmt: skip
REAL, PURPOSE, OPEN, GAP = "real", "on purpose", "open", "gap"


@dataclass(frozen=True, slots=True)
class Row:
    """Reports of one kind. The patterns are regular expressions, of the word, the place, and both
    sides with all calls, as `NC sw FUNCTION FILE:LINE < FUNCTION FILE:LINE`."""

    word: str
    place: str
    earlier: str
    later: str
    verdict: str
    what: str
    why: str

    def fits(self, report: Mapping[str, str]) -> bool:
        """True if a report is meant."""
        return re.fullmatch(self.word, report["word"]) is not None and all(
            re.search(getattr(self, name), report[name]) for name in ("place", "earlier", "later")
        )


_NOT_READ_BACK = (
    "L1 and what it tells are two regions, and the hart does not read its last store back before: "
    "nothing promises that the store is processed first (BabyRISCV/MemoryOrdering.md)."
)

# fmt: off
ROWS = (
    Row("RACE|M6", r"^L1 ", r"^(B|NC) .*semaphore|^(B|NC) \S+ noc_semaphore_set", r"NoC", REAL,
        "a semaphore in L1 is set, then sent to other tiles or announced to them", _NOT_READ_BACK),
    Row("RACE|M6", r"^L1 ", r"^(B|NC) ", r"^NoC", REAL,
        "a hart fills a page, and a write of the NoC takes it", _NOT_READ_BACK),
    Row("RACE", r"^L1 ", r"^(B|NC) ", r"^thread 0 ", REAL,
        "a reader fills a tile with a scalar, pushes it, and an unpacker reads it",
        _NOT_READ_BACK),
    Row("M7", r"^atomics", r"", r"", REAL,
        "noc_semaphore_inc at the end of a kernel, with no barrier after it",
        "The next kernel may count the answer as its own; tt-metal's watcher asserts it."),
    Row("RACE", r"^gpr ", r"^thread 0 (scalar SETDMAREG|configuration RDCFG)", r"WRCFG", REAL,
        "LLK's fast tilize: SETDMAREG or RDCFG, then WRCFG of the register",
        "On Blackhole WRCFG does not wait for either (tt-isa-documentation#58)."),
    Row("RACE", r"^dst ", r"^thread 2 math ZEROACC .*_llk_pack_dest_section_done_",
        r"^thread 1 vector SFPLOAD", REAL,
        "Dst: ZEROACC of T2 at the end of a section, then the Vector Unit of T1",
        "T2 gives the semaphore back without a wait for the Matrix Unit "
        "([llk-races](llk-races.md))."),
    Row("RACE", r"^L1 ", r"^NoC", r"^host ", GAP,
        "a write of another tile, then the host's next launch, or its read of the result",
        "The sender has a barrier, and the host has heard from the sender: the observer does "
        "not follow that from tile to tile."),
    Row("RACE", r"^L1 ", r"^NC l", r"^host ", GAP,
        "NC reads its launch message and arguments, then the host's next launch",
        "B tells the host only when NC is done. On tiles where NC is done long before B, the "
        "observer does not follow that; why is not known yet."),
    Row("RACE|M6", r"^L1 ", r"^NoC 1 .*multicast_loopback", r"^NoC 1 .*multicast_loopback", OPEN,
        "a semaphore that is sent to its own tile, too",
        "The request writes the word that it reads, and the next one is made before it is "
        "acknowledged. Which value is sent then was not looked into."),
    Row("SAMPLING", r"Haloize_mode", r"UNPACR", r"", OPEN,
        "UNPACR, then the next init's Haloize_mode",
        "No page says when an unpacker samples the field, and the init waits for nothing."),
    Row("K1", r"Haloize_mode", r"", r"", PURPOSE,
        "Haloize_mode of unpacker 0 stays as the last init has set it",
        "Each init of an unpacker in LLK writes it."),
    Row("K1", r"DEST_ACCESS_CFG", r"", r"", REAL,
        "the remap of rows of Dst stays on after a tilize or untilize",
        "The init switches it on, and no uninit off: the next kernel has it, too."),
)
# fmt: on


def row_of(report: Mapping[str, str]) -> Row | None:
    """Return the first row that fits."""
    return next((row for row in ROWS if row.fits(report)), None)


def table(said: Mapping[str, Any]) -> str:
    """A row for each of ROWS that is there, and what is silent."""
    reports = said["reports"]
    lines = ["| report | what | operations | verdict | why |", "|---|---|---|---|---|"]
    for row in ROWS:
        mine = [one for one in reports if row_of(one) is row]
        names = list(dict.fromkeys(one["operation"] for one in mine))
        if mine:
            word = row.word.replace("|", ", ")
            lines.append(
                f"| {word} | {row.what} | {', '.join(names)} | {row.verdict} | {row.why} |"
            )
    left = [one for one in reports if row_of(one) is None]
    if left:
        names = list(dict.fromkeys(one["operation"] for one in left))
        lines.append(f"| | the others | {', '.join(names)} | not judged | |")
    silent = [name for name in said["operations"] if name not in {r["operation"] for r in reports}]
    count = len(said["operations"])
    words = f"Of {count} operations on {said['tiles']} tiles {len(silent)} have no report: "
    return f"{words}{', '.join(silent)}.\n\n" + "\n".join(lines) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Judge what the file has."""
    parser = argparse.ArgumentParser(prog="judged", description=__doc__.split("\n\n")[0])
    parser.add_argument("file", type=Path, metavar="FILE.json")
    parser.add_argument("--write", action="store_true", help="put the table into the manual")
    arguments = parser.parse_args(argv)
    said = json.loads(arguments.file.read_text("utf-8"))
    unknown = {
        f"{one['operation']}: {one['word']} {one['place']}\n  {one['earlier']}\n  {one['later']}"
        for one in said["reports"]
        if row_of(one) is None
    }
    print("\n".join(sorted(unknown)) or "every report has a verdict")
    if arguments.write:
        BLOCK.write(table(said))
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
