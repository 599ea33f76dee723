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
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

BLOCK = Generated(
    "judged reports", "python -m scripts.examples.ttnn.judged FILE.json --write",
    MANUAL / "alarms.md",
)  # fmt: skip
REAL, PURPOSE, PROMISE = "real", "on purpose", "promise"


PARTS = ("place", "earlier", "later")


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
            re.search(getattr(self, name), report[name]) for name in PARTS
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
    Row("SAMPLING", r"Haloize_mode", r"UNPACR", r"", PROMISE,
        "UNPACR, then the next init's Haloize_mode",
        "In order if UNPACR takes the field when it begins, which no page says (tt-metal#49201)."),
    Row("K1", r"Haloize_mode", r"", r"", PURPOSE,
        "Haloize_mode of unpacker 0 stays as the last init has set it",
        "Each init of an unpacker in LLK writes it."),
    Row("K1", r"DEST_ACCESS_CFG", r"", r"", REAL,
        "the remap of rows of Dst stays on after a tilize or untilize",
        "The init switches it on, and no uninit off: the next kernel has it, too."),
)
# fmt: on


def row_of(report: Mapping[str, str], rows: Sequence[Row] = ROWS) -> Row | None:
    """Return the first row that fits."""
    return next((row for row in rows if row.fits(report)), None)


def table(said: Mapping[str, Any]) -> str:
    """A row for each of ROWS that is there, and what is silent."""
    reports = said["reports"]
    lines = ["| report | times | what | operations | verdict | why |", "|---|--:|---|---|---|---|"]
    for row in ROWS:
        mine = [one for one in reports if row_of(one) is row]
        names = list(dict.fromkeys(one["operation"] for one in mine))
        if mine:
            word = row.word.replace("|", ", ")
            lines.append(
                f"| {word} | {len(mine)} | {row.what} | {', '.join(names)} | {row.verdict} "
                f"| {row.why} |"
            )
    left = [one for one in reports if row_of(one) is None]
    if left:
        names = list(dict.fromkeys(one["operation"] for one in left))
        lines.append(f"| | {len(left)} | the others | {', '.join(names)} | not judged | |")
    silent = [name for name in said["operations"] if name not in {r["operation"] for r in reports}]
    count = len(said["operations"])
    first = f"Of {count} operations on {said['tiles']} tiles {len(silent)} have no report: "
    words = Counter(one["word"] for one in reports)
    by_word = ", ".join(f"{times} {word}" for word, times in sorted(words.items()))
    kinds = len({tuple(one[name] for name in ("word", *PARTS)) for one in reports})
    counted = f"Of the others there are {by_word}, of {kinds} kinds."
    return f"{first}{', '.join(silent)}. {counted}\n\n" + "\n".join(lines) + "\n"


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
