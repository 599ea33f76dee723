# SPDX-License-Identifier: Apache-2.0
"""The page against a kernel of Tenstorrent's: Chromium drives LLK's matrix multiplication."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.llktests.running import Choice, run
from scripts.llktests.suite import CannotPrepare, prepare
from tests.gdb.harness import serve
from tests.gdbstub.web.page import Page
from tests.gdbstub.web.visit import Visit, chromium
from tests.tools import unavailable

pytestmark = pytest.mark.slow
TEST = "test_matmul.py"


def test_a_kernel_of_llk(tmp_path: Path) -> None:
    try:
        suite = prepare()
    except CannotPrepare as problem:
        unavailable(str(problem))
        raise
    run(suite, [TEST], Choice(variants=1), str(tmp_path))
    core = next(tmp_path.glob("*.core"))
    with serve({}, "--core", str(core), "--web", "--record") as server, chromium() as browser:
        visit = Visit(browser, Page(server).address, "desk", "dark")
        tab = visit.tab
        tab.fill("#gate-text", "MVMUL")
        tab.press("#gate-text", "Enter")
        visit.waits_for("1  gate   MVMUL", "#gates")
        start = int(str(tab.locator("#slider").input_value()))
        tab.click("#continue")
        visit.waits_for("has MVMUL")
        tab.locator("#gate-1").click()
        visit.waits_for("T1 math", "#details-title")
        tab.locator(".line.here").wait_for()
        gate = " ".join(tab.locator("#gate-1 text").all_text_contents())
        assert "MVMUL from matmul_test.cpp" in gate
        assert "banks" in gate or "bank" in gate  # of the unpackers': that holds it
        tab.locator("#dst-0").click()
        visit.waits_for("faces at rows 0, 16, 32, 48", "#details-text")
        tab.locator("#slider").evaluate(f"(it) => {{ it.value = {start + 10}; }}")
        tab.locator("#slider").dispatch_event("change")
        visit.waits_for(f"cycle {start + 10},", "#cycle")
        visit.is_good()
        tab.close()
