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

from scripts.llktests.running import Choice, run
from scripts.llktests.scratch import Edit, scratch
from scripts.llktests.suite import CannotPrepare, Suite
from scripts.llktests.tree import add_llk_option, suite_of

_TILIZE = "tt_llk_blackhole/llk_lib/llk_unpack_tilize.h"
CHECKS = ("--check", "init,leaks")


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
    """What a form of the suite ends with, and what is reported."""
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
    parser.add_argument("--engine", default="compiled", help="as of `tensix-gdb serve`")
    add_llk_option(parser)
    arguments = parser.parse_args(argv)
    wanted = [one for one in LEFT if not arguments.numbers or one.number in arguments.numbers]
    if arguments.list:
        for one in LEFT:
            print(f"{one.number}  {one.what} ({one.links}): {one.test}")
        return 0
    good = True
    try:
        with suite_of(arguments.llk) as suite:
            for one in wanted:
                good &= _show(suite, one, arguments.engine)
    except CannotPrepare as problem:
        print(f"llk: {problem}", file=sys.stderr)
        return 2
    return 0 if good else 1


def _show(suite: Suite, one: Left, engine: str) -> bool:
    """Run both forms of one; True if it is as it has to be."""
    with_fix, before = reports(suite, (), one, engine)
    if not one.edits:
        found = [report for report in before if one.is_said_by(report)]
        print(f"{one.number}  {one.what} ({one.links})\n   as shipped: {len(before)} reports")
        print("\n".join(report["text"] for report in found[:1]) or "   not found")
        return bool(found)
    without, after = reports(suite, one.edits, one, engine)
    known = {report["identity"] for report in before}
    new = [report for report in after if report["identity"] not in known]
    found = [report for report in new if one.is_said_by(report)]
    print(f"{one.number}  {one.what} ({one.links})")
    print(
        f"   with the fix: {with_fix}, {len(before)} reports; without: {without}, {len(new)} more"
    )
    for report in found[:1]:
        print(report["text"])
    if not found:
        print("   not found")
    return bool(found) and not any(one.is_said_by(report) for report in before)


if __name__ == "__main__":
    sys.exit(main())
