# SPDX-License-Identifier: Apache-2.0
"""The page against a kernel of Tenstorrent's: Chromium drives LLK's matrix multiplication."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.gdbstub.llk.running import Choice
from tensix_gdb.gdbstub.llk.suite import Suite
from tensix_gdb.gdbstub.usage import DEFAULT_SCHEDULE
from tests.gdb.harness import serve
from tests.gdbstub.pages.web.page import Page
from tests.gdbstub.pages.web.visit import Visit, chromium
from tests.llk.conftest import Once

TEST = "test_matmul.py"
AFTER = 20  # cycles after the instruction has come to its gate


@pytest.mark.long("the page is in tests/gdbstub/pages/web")
def test_a_kernel_of_llk(suite: Suite, once: Once, tmp_path: Path) -> None:
    once(suite, [TEST], Choice(1, "1", DEFAULT_SCHEDULE, "compiled"), str(tmp_path))
    core = next(tmp_path.glob("*.core"))
    with serve({}, "--core", str(core), "--web", "--record") as server, chromium() as browser:
        visit = Visit(browser, Page(server).address, "desk", "dark")
        tab = visit.tab
        tab.fill("#gate-text", "MVMUL")
        tab.press("#gate-text", "Enter")
        visit.waits_for("1  gate   MVMUL", "#gates")
        tab.click("#continue")
        visit.waits_for("has MVMUL")
        came = int(str(tab.locator("#slider").input_value()))
        tab.click("#gates button")
        tab.fill("#gate-text", "PACR")
        tab.press("#gate-text", "Enter")
        visit.waits_for("gate   PACR", "#gates")
        tab.click("#continue")
        visit.waits_for("has PACR")
        tab.locator("#gate-2").click()
        visit.waits_for("T2 pack", "#details-title")
        tab.locator(".line.here").wait_for()
        tab.locator("#dst-0").click()
        visit.waits_for("faces at rows 0, 16, 32, 48", "#details-text")
        assert tab.locator("#dst-0 rect").get_attribute("class") not in ("v-none", "v-zero")
        # Back to where the first MVMUL waits for what the unpackers bring.
        tab.locator("#slider").evaluate(f"(it) => {{ it.value = {came + AFTER}; }}")
        tab.locator("#slider").dispatch_event("change")
        visit.waits_for(f"cycle {came + AFTER},", "#cycle")
        visit.waits_for("bank 0 of SrcA is the unpackers'", "#gate-1")
        visit.waits_for("MVMUL from matmul_test.cpp", "#gate-1")
        tab.locator("#gate-1 .held").wait_for()
        visit.is_good()
        tab.close()
