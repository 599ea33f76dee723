# SPDX-License-Identifier: Apache-2.0
"""Findings as an observer would have made them, of instructions that have lines."""

from __future__ import annotations

from dataclasses import replace

from tensix_gdb.core.explain.inlining import Step
from tensix_gdb.core.explain.stop import Places
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.ordering.promises import PROMISES
from tensix_gdb.core.race.findings import (
    Access,
    Findings,
    Kind,
    Place,
    RelianceCount,
    Report,
    Site,
    State,
    Verdict,
)
from tensix_gdb.core.race.remedies.remedy import Beside, Remedy, RemedyKind, Spot
from tensix_gdb.core.race.remedies.waits import TRISC_CFG
from tensix_gdb.gdbstub.order.report.known import Judgement, Suppression, judge
from tensix_gdb.gdbstub.order.report.located import Located, Side

T0 = 1
PLACE = Place(State.CONFIG, 0, 76, 0xFFFFFFFF, "cfg THCON_SEC0_REG3_Base_address 0", " (word 76)")
STORE = Access("T0", Kind.WRITE, T0, None, 0x6A10, "sw", "", 100, 1204)
UNPACR = Access("T0 unpack", Kind.READ, T0, 0, 0x6A3C, "UNPACR", "MOP", 110, 1211)
FIX = Remedy(
    RemedyKind.STALLWAIT,
    "before the later access",
    (Spot(Beside.BEFORE, T0, 0, 0x6A3C, "MOP"),),
    "TTI_STALLWAIT",
    Block.B3,
    TRISC_CFG,
    would_not=("fence", "STALLWAIT with B6"),
)
REPORT = Report(
    1,
    Verdict.RACE,
    False,
    PLACE,
    STORE,
    UNPACR,
    40,
    "The store is emitted before the push, but configuration and push window are two regions: "
    "nothing orders what they do.",
    FIX,
    "BabyRISCV/MemoryOrdering.md",
)
LLK = "/home/me/tt-llk/tt_llk_blackhole/llk_lib/llk_unpack_A.h"
RUN_KERNEL = Step("run_kernel", "/home/me/kernel.cpp", 45)
CHAIN_OF_STORE = (Step("_llk_unpack_A_", LLK, 412), RUN_KERNEL)
CHAIN_OF_UNPACR = (
    Step("run", "../tt_llk_blackhole/common/inc/ckernel_template.h", 351),
    Step("_llk_unpack_A_", LLK, 432),
    RUN_KERNEL,
)
LOCATED = Located(
    REPORT, Side(STORE, CHAIN_OF_STORE), Side(UNPACR, CHAIN_OF_UNPACR), spots=(CHAIN_OF_UNPACR[1],)
)
SAMPLING = replace(
    LOCATED,
    report=replace(REPORT, number=2, verdict=Verdict.SAMPLING, count=1, same_value=True, fix=None),
    spots=(),
)
# Of an instruction whose program is not loaded.
NOWHERE = Located(
    replace(REPORT, number=3, verdict=Verdict.PROMISED, page=""),
    Side(STORE, ()),
    Side(UNPACR, ()),
    spots=(None,),
)
RELIED = RelianceCount(PROMISES[0], 412, ((Site(T0, 0x6A10), Site(T0, 0x6A3C)),))
PLACES = Places([])


def findings(*reports: Located, relied: tuple[RelianceCount, ...] = ()) -> Findings:
    """Those of a run."""
    return Findings(tuple(one.report for one in reports), relied, 0, False, 10, 2000)


def judged(
    *reports: Located,
    suppressions: tuple[Suppression, ...] = (),
    baseline: frozenset[str] = frozenset(),
    relied: tuple[RelianceCount, ...] = (),
) -> Judgement:
    """The same, judged."""
    return judge(findings(*reports, relied=relied), reports, suppressions, baseline)
