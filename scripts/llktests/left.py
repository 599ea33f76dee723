# SPDX-License-Identifier: Apache-2.0
"""Stale state of LLK's history, re-created: `scripts/llk left [NUMBER ...]`.

Each fix is undone in a scratch copy of the suite, and both forms are run with `--check init,leaks`.
What is reported without the fix alone has to name the state that the fix is about. What LLK has not
mended is run as it is shipped.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.llktests.scratch import Edit, scratch
from tensix_gdb.core.explain.inlining import PLUMBING
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.llk.running import Choice, run
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite
from tensix_gdb.gdbstub.llk.tree import add_llk_option, suite_of

_TILIZE = "tt_llk_blackhole/llk_lib/llk_unpack_tilize.h"
CHECKS = ("--check", "init,leaks")
BLOCK = Generated("left", "scripts/llk left --write", MANUAL / "llk-checks.md")
TITLES = (
    "| | what | report | test | with the fix | without | is said |\n|--:|---|---|---|---|---|---|"
)


@dataclass(frozen=True, slots=True)
class Left:
    """A fix, how it is undone, and what has to be reported then: a check, the place and the
    function of the last write, as regular expressions. Without edits LLK has the mistake still."""

    number: int
    links: str
    what: str
    edits: tuple[Edit, ...]
    test: str
    check: str
    place: str
    function: str
    variants: int = 1

    def is_said_by(self, report: dict[str, Any]) -> bool:
        """True if a report is about it."""
        text = f"{report['place']['name']} {report['reason']}"
        names = " ".join(step["function"] for step in report["later"]["chain"])
        is_there = re.search(self.place, text) and re.search(self.function, names)
        return bool(report["check"] == self.check and is_there)


# fmt: off
LEFT = (
    Left(1, "tt-metal#50203",
         "`_llk_unpack_AB_init_` sets Haloize_mode, and no uninit clears it: so in this LLK", (),
         "test_eltwise_binary_broadcast.py", "K1", r"THCON_SEC0_REG2_Haloize_mode is 0x1",
         r"_llk_unpack_AB_init_", variants=5),
    Left(2, "tt-llk#1029, tt-metal#33825",
         "`_llk_unpack_tilize_uninit_` leaves Tileize_mode on",
         (Edit(_TILIZE, r"TTI_WRCFG\(p_gpr_unpack::TMP0, 0, THCON_SEC0_REG2[^;]*;", "",
               "_llk_unpack_tilize_uninit_"),),
         "test_unpack_tilize_uninit_restore.py", "K1", r"THCON_SEC0_REG2_Tileize_mode is 0x1",
         r"_llk_unpack_tilize_init_"),
    Left(3, "tt-metal#54537",
         "`_llk_unpack_tilize_uninit_` leaves the Z dimension of the tile descriptor",
         (Edit(_TILIZE,
               r"cfg_reg_rmw_tensix<THCON_SEC0_REG0_TileDescriptor_ADDR32 \+ 1[^;]*;", "",
               "_llk_unpack_tilize_uninit_"),),
         "test_unpack_tilize_uninit_restore.py", "K1", r"THCON_SEC0_REG0_TileDescriptor|word 65",
         r"_llk_unpack_tilize_init_"),
    Left(4, "tt-llk#1585",
         "a datacopy leaves Zero_Flag_disabled_src changed: so in this LLK", (),
         "test_bcast.py", "K1", r"ALU_ACC_CTRL_Zero_Flag_disabled_src", "", variants=5),
)
# fmt: on


def reports(
    suite: Suite, edits: Sequence[Edit], one: Left, engine: str
) -> tuple[str, list[dict[str, Any]]]:
    """Return the end of a form of the suite, and what is reported."""
    with tempfile.TemporaryDirectory(prefix="llk-scratch-", dir=suite.root.parent) as name:
        copy = scratch(suite, edits, Path(name))
        outcomes = run(copy, [one.test], Choice(one.variants, "1", "latency", engine, CHECKS))
    ran = [each for each in outcomes if each.cycles]
    if not ran:
        raise CannotPrepare(f"{one.test} has not run; `scripts/llk {one.test}` says why")
    bad = next((each for each in ran if not each.passed), None)
    return (bad.result if bad else "passed"), [race for each in ran for race in each.races]


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says; 0 if each is reported without its fix, and not with it."""
    parser = argparse.ArgumentParser(prog="llk left", description=__doc__.split("\n\n")[0])
    parser.add_argument("numbers", nargs="*", type=int, metavar="NUMBER", help="of the list")
    parser.add_argument("--list", action="store_true", help="what there is")
    parser.add_argument("--write", action="store_true", help="put the table into the manual")
    parser.add_argument("--engine", default="compiled", help="as of `tensix-gdb serve`")
    add_llk_option(parser)
    arguments = parser.parse_args(argv)
    wanted = [one for one in LEFT if not arguments.numbers or one.number in arguments.numbers]
    if arguments.list:
        for one in LEFT:
            print(f"{one.number}  {one.what} ({one.links}): {one.test}")
        return 0
    good, rows = True, [TITLES]
    try:
        with suite_of(arguments.llk) as suite:
            for one in wanted:
                is_good, row = _show(suite, one, arguments.engine)
                good &= is_good
                rows.append(row)
    except CannotPrepare as problem:
        print(f"llk: {problem}", file=sys.stderr)
        return 2
    if arguments.write:
        BLOCK.write("\n".join(rows) + "\n")
    return 0 if good else 1


def _show(suite: Suite, one: Left, engine: str) -> tuple[bool, str]:
    """Run both forms of one; whether it is as it has to be, and a row of the table."""
    with_fix, before = reports(suite, (), one, engine)
    known = {report["identity"] for report in before}
    if one.edits:
        without, after = reports(suite, one.edits, one, engine)
        found = [report for report in after if report["identity"] not in known]
        found = [report for report in found if one.is_said_by(report)]
        is_good = bool(found) and not any(one.is_said_by(report) for report in before)
        cells = f"{with_fix}, nothing of it | {without}"
    else:
        found = [report for report in before if one.is_said_by(report)]
        is_good, cells = bool(found), f"{with_fix} | as shipped"
    print(f"{one.number}  {one.what} ({one.links})")
    print(found[0]["text"] if found else "   not found")
    said = _short(found[0]) if found else "not found"
    row = f"| {one.number} | {one.what} | {one.links} | `{one.test}` | {cells} | {said} |"
    return is_good, row


def _short(report: dict[str, Any]) -> str:
    """The check, what differs, and the line of the last write."""
    reason = re.split(r"(?<=[.]) ", report["reason"])[-1]
    steps = [step for step in report["later"]["chain"] if Path(step["file"]).name not in PLUMBING]
    at = next((f"{Path(s['file']).name}:{s['line']} {s['function']}" for s in steps), "")
    return f"{report['check']}: {reason} `{at.partition('<')[0]}`"


if __name__ == "__main__":
    sys.exit(main())
