# SPDX-License-Identifier: Apache-2.0
"""Suppressions and baselines."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tensix_gdb.core.explain.inlining import Step
from tensix_gdb.core.race.findings import Verdict
from tensix_gdb.gdbstub.diagnose.reported import OF_LLK, found_of
from tensix_gdb.gdbstub.order.report.as_json import json_text
from tensix_gdb.gdbstub.order.report.known import (
    Suppression,
    firmware_rows,
    judge,
    read_baseline,
    read_suppressions,
)
from tensix_gdb.gdbstub.order.report.located import Located, Side
from tensix_gdb.gdbstub.order.report.of_llk import known_in_llk
from tensix_gdb.gdbstub.order.report.text import summary
from tensix_gdb.gdbstub.usage import UsageError
from tests.gdbstub.order.report.made import (
    LOCATED,
    NOWHERE,
    PLACE,
    PLACES,
    REPORT,
    SAMPLING,
    STORE,
    UNPACR,
    findings,
    judged,
)


@pytest.mark.parametrize(
    ("kind", "pattern", "fits"),
    [
        ("symbol", "_llk_unpack_A_", True),
        ("symbol", "run_kernel", True),
        ("symbol", "_llk_*_A_", True),
        ("symbol", "_llk_unpack", False),
        ("line", "llk_unpack_A.h:432", True),
        ("line", "llk_unpack_A.h:*", True),
        ("line", "llk_unpack_A.h:4", False),
        ("page", "BabyRISCV/MemoryOrdering.md", True),
        ("page", "MemoryOrdering.md", False),
    ],
)
def test_what_a_row_means(kind: str, pattern: str, fits: bool) -> None:
    row = Suppression(kind, pattern, "why", "rows:1")
    assert row.fits(LOCATED) == fits
    judgement = judged(LOCATED, suppressions=(row,))
    assert bool(judgement.new) != fits
    assert bool(judgement.unused) != fits


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_text("# those that we know\n\nsymbol  a_*   two words\npage x.md tt-metal#1\n")
    first, second = read_suppressions(str(path))
    assert (first.kind, first.pattern, first.reason) == ("symbol", "a_*", "two words")
    assert str(first) == f"{path}:3: symbol a_*"
    assert second.reason == "tt-metal#1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("symbol f", "rows:1: the reason is missing"),
        ("\nsymbol f   \n", "rows:2: the reason is missing"),
        ("function f why", "rows:1: a row begins with symbol, line, file or page"),
        ("symbol", "rows:1: the reason is missing"),
    ],
)
def test_a_wrong_row(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "rows").write_text(text)
    with pytest.raises(UsageError, match=re.escape(said)):
        read_suppressions(str(tmp_path / "rows"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none: cannot be read: No such file"):
        read_suppressions(str(tmp_path / "none"))
    (tmp_path / "binary").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(UsageError, match="it is no text"):
        read_suppressions(str(tmp_path / "binary"))
    for text in ("", "{}", '{"races": 3}', '{"races": [{}]}', "[]"):
        (tmp_path / "x.json").write_text(text)
        with pytest.raises(UsageError, match="is no file of `--races-to"):
            read_baseline(str(tmp_path / "x.json"))


def test_a_baseline_knows_the_reports_of_its_run(tmp_path: Path) -> None:
    path = tmp_path / "before.json"
    path.write_text(json_text(judged(LOCATED, NOWHERE), PLACES))
    baseline = read_baseline(str(path))
    judgement = judged(LOCATED, SAMPLING, NOWHERE, baseline=baseline)
    assert [one.located for one in judgement.new] == [SAMPLING]


def test_an_identity_outlives_edits_above_and_new_addresses() -> None:
    moved = replace(
        LOCATED,
        report=replace(REPORT, number=9, count=1),
        later=replace(
            LOCATED.later,
            access=replace(LOCATED.later.access, pc=0x7000, first=1),
            chain=(
                Step("run", "/elsewhere/ckernel_template.h", 360),
                *LOCATED.later.chain[1:],
            ),
        ),
    )
    assert moved.identity == LOCATED.identity
    other = replace(LOCATED, report=replace(REPORT, verdict=Verdict.PROMISED))
    assert other.identity != LOCATED.identity
    earlier = replace(LOCATED.earlier, access=replace(LOCATED.earlier.access, instruction="sh"))
    assert replace(LOCATED, earlier=earlier).identity != LOCATED.identity


def test_programs_that_are_not_known_are_not_judged() -> None:
    side = replace(NOWHERE.earlier, is_known=False)
    nowhere = replace(NOWHERE, earlier=side, later=replace(NOWHERE.later, is_known=False))
    found = findings(nowhere, LOCATED)
    assert len(judge(found, (nowhere, LOCATED)).new) == 2
    judgement = judge(found, (nowhere, LOCATED), unknown=False)
    assert [one.located for one in judgement.new] == [LOCATED]
    assert summary(judgement) == (
        "1 race; 1 of programs that are not known, and not judged: --elf names one"
    )


def test_shipped_rows_are_about_firmware_alone() -> None:
    """Both sides have to be in it: a kernel's own file is another one."""
    boot = Side(STORE, (Step("main", "/tt/brisc.cc", 379),))
    kernel = Side(UNPACR, (Step("kernel_main", "/tt/brisck.cc", 40),))
    inside, across = replace(LOCATED, earlier=boot, later=boot), replace(LOCATED, earlier=boot)
    half = replace(LOCATED, earlier=boot, later=kernel)
    rows = firmware_rows()
    found = judge(findings(inside, across, half), (inside, across, half), rows)
    assert [one.located for one in found.new] == [across, half]
    assert found.unused == ()
    assert summary(found) == "2 races; 1 of tt-metal's firmware"


def test_a_report_that_llk_has_as_it_is_shipped() -> None:
    """Of lines of its headers: the same two instructions in a kernel of one's own are news."""
    unpacks = replace(UNPACR, instruction="WRCFG", via="")
    sets = replace(STORE, instruction="SETDMAREG")
    of_gpr = replace(PLACE, words="gpr T0 18", note="")
    report = replace(REPORT, earlier=sets, later=unpacks, place=of_gpr)
    header = "/llk/tt_llk_blackhole/common/inc/cunpack_common.h"
    for file, verdict in ((header, "real"), ("/home/me/kernel.cpp", None)):
        chain = (Step("set_dst_write_addr", file, 1001),)
        one = Located(report, Side(sets, chain), Side(unpacks, chain))
        known = known_in_llk(one)
        assert (known.verdict if known is not None else None) == verdict
        text = "\n".join(found_of(one).evidence)
        assert (OF_LLK["real"] in text) == (verdict is not None)
    assert known_in_llk(LOCATED) is None
