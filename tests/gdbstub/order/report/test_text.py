# SPDX-License-Identifier: Apache-2.0
"""Races in words."""

from __future__ import annotations

from dataclasses import replace

from tensix_gdb.core.explain.inlining import Step
from tensix_gdb.core.race.findings import UNOBSERVED, FailedWait
from tensix_gdb.gdbstub.order.report.as_json import document_of
from tensix_gdb.gdbstub.order.report.known import Judged, Suppression
from tensix_gdb.gdbstub.order.report.run_text import all_lines
from tensix_gdb.gdbstub.order.report.text import listed, report_lines, summary
from tests.gdbstub.order.report.made import (
    CHAIN_OF_STORE,
    LOCATED,
    NOWHERE,
    PLACES,
    RELIED,
    SAMPLING,
    judged,
)


def test_a_report() -> None:
    assert (
        "\n".join(report_lines(LOCATED))
        == """\
RACE 1  write, then read: 40 times  cfg THCON_SEC0_REG3_Base_address 0 (word 76)
    T0         sw               llk_unpack_A.h:412 _llk_unpack_A_  0x00006a10  in cycles 100 to 1204
               for run_kernel at kernel.cpp:45
    T0 unpack  UNPACR of a MOP  llk_unpack_A.h:432 _llk_unpack_A_  0x00006a3c  in cycles 110 to 1211
               for run_kernel at kernel.cpp:45
    The store is emitted before the push, but configuration and push window are two regions: nothing
    orders what they do.
    Would order them: TTI_STALLWAIT(p_stall::STALL_UNPACK, p_stall::TRISC_CFG) before
    llk_unpack_A.h:432
    Would not: fence; STALLWAIT with B6
    Page: BabyRISCV/MemoryOrdering.md"""
    )


def test_the_line_that_has_configured_a_mop() -> None:
    program = Step("program", "/home/me/ckernel_template.h", 300)
    mop = Step("_llk_unpack_A_mop_config_", "/home/me/llk_unpack_A.h", 120)
    run = Step("run_kernel", "/home/me/kernel.cpp", 40)
    one = replace(LOCATED, later=replace(LOCATED.later, configured=(program, mop, run)))
    text = "\n".join(report_lines(one))
    said = "configured by _llk_unpack_A_mop_config_ at llk_unpack_A.h:120, run_kernel at"
    margin = 15 * " "
    assert f"{margin}for run_kernel at kernel.cpp:45\n{margin}{said}\n" in text
    document = document_of(Judged(one, None, False))
    assert [step["line"] for step in document["later"]["configured"]] == [300, 120, 40]
    assert document["earlier"]["configured"] == []


def test_all_calls_on_the_way_and_the_wait_that_failed() -> None:
    api = Step("llk_unpack_A", "/home/me/llk_unpack_A_api.h", 80)
    chain = (CHAIN_OF_STORE[0], api, *CHAIN_OF_STORE[1:])
    wait = FailedWait(1, 0x6A20, "STALLWAIT(p_stall::STALL_MATH, ...)", "holds no UNPACR")
    one = replace(
        LOCATED,
        report=replace(LOCATED.report, failed=wait),
        earlier=replace(LOCATED.earlier, chain=chain),
        failed_at="llk_unpack_A.h:420 _llk_unpack_A_",
    )
    text = "\n".join(report_lines(one))
    assert "for llk_unpack_A at llk_unpack_A_api.h:80, run_kernel at kernel.cpp:45\n" in text
    assert (
        "    The STALLWAIT(p_stall::STALL_MATH, ...) at llk_unpack_A.h:420 _llk_unpack_A_ holds no "
        "UNPACR.\n" in text
    )
    document = document_of(Judged(one, None, False))
    assert document["failed_wait"]["at"] == "llk_unpack_A.h:420 _llk_unpack_A_"


def test_a_report_without_lines_and_fix() -> None:
    lines = list(report_lines(NOWHERE))
    assert lines[0].startswith("PROMISED 3  write, then read: 40 times  cfg THCON")
    assert lines[1].startswith("    T0         sw               0x00006a10  0x00006a10")
    assert not any(line.startswith("    Page") for line in lines)
    assert "before 0x00006a3c" in "\n".join(lines)
    first = next(report_lines(SAMPLING))
    assert first.startswith("SAMPLING 2  write, then read: once, always the same value  cfg THCON")


def test_the_sum() -> None:
    assert summary(judged()) == "no races"
    both = judged(LOCATED, SAMPLING, NOWHERE, relied=(RELIED,))
    assert summary(both) == (
        "1 race, 1 sampling, 1 order by a promise alone; relies on 1 promise that no page makes"
    )
    assert summary(judged(LOCATED, LOCATED)) == "2 races"
    known = judged(LOCATED, SAMPLING, baseline=frozenset({LOCATED.identity}))
    assert summary(known) == "1 sampling; 1 in the baseline"
    row = Suppression("page", "*MemoryOrdering.md", "known", "rows:3")
    assert summary(judged(LOCATED, suppressions=(row,))) == "no races; 1 suppressed"
    lost = judged()
    lost = replace(lost, findings=replace(lost.findings, lost=3))
    assert summary(lost) == "no races; no room for 3 more"


def test_everything() -> None:
    unused = Suppression("symbol", "nothing", "why", "rows:7")
    lines = list(all_lines(judged(LOCATED, relied=(RELIED,), suppressions=(unused,)), PLACES))
    assert lines[-1] == "1 race; relies on 1 promise that no page makes"
    assert lines[-2] == f"not observed: {UNOBSERVED}"
    assert lines[-3] == "suppresses nothing: rows:7: symbol nothing"
    assert lines[-4] == "    0x00006a10, then 0x00006a3c"
    assert lines[-6].startswith("P1  a store to MopCfg before a MOP pushed after it (412 times; ")
    assert max(map(len, lines)) <= 100


def test_a_list() -> None:
    (plain,) = judged(LOCATED).reports
    assert listed(plain).endswith(
        "(word 76): llk_unpack_A.h:412 _llk_unpack_A_, then llk_unpack_A.h:432 _llk_unpack_A_"
    )
    (known,) = judged(LOCATED, baseline=frozenset({LOCATED.identity})).reports
    assert listed(known).endswith("  (in the baseline)")
    row = Suppression("symbol", "run_*", "asked the hardware team", "rows:1")
    (quiet,) = judged(LOCATED, suppressions=(row,)).reports
    assert listed(quiet).endswith("  (suppressed: asked the hardware team)")
