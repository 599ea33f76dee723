# SPDX-License-Identifier: Apache-2.0
"""Origins in the page: the same as `monitor origin` says, as a tree that opens node by node."""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.history import begin_history
from tensix_gdb.core.history.replay import run_to_cycle
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.rerun import OfHistory
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.pages.web.past.origins import for_page
from tensix_gdb.gdbstub.pages.web.sources import Sources
from tensix_gdb.gdbstub.tensix.origins.monitor import Wanted, found_by
from tests.core.origin.programs import demo as demo_tile
from tests.gdbstub.pages.web.conftest import Open
from tests.gdbstub.pages.web.page import Page
from tests.gdbstub.pages.web.visit import Visit, chromium
from tests.patience import HANG_MS

PLACES = ("0x20010", "0x6000", "reg T1 sp", "reg T0 a0", "local T0 0xffb00ffc", "gpr T1 5")

ANSWER = HANG_MS


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def asked(page: Page, place: str) -> tuple[int, bytes]:
    """The status and the body."""
    answer, body = page.get(f"/origin.json?place={urllib.parse.quote(place)}", Cookie=page.cookie)
    return answer.status, body


def test_a_copy_says_what_the_tile_says() -> None:
    """With what a client has changed, in the middle of the run and at the end."""
    machine = demo_tile(Execution(Schedule.LATENCY))
    copy = Machine(engine="compiled")
    history = begin_history(machine)
    for cycle in (4000, 5000):
        history.resume()
        run_to_cycle(machine, cycle)
        history.suspend()
        machine.poke(T0, 0x20010, bytes([cycle & 0xFF]))
    copy.images[:] = machine.images
    copy.places.forget_files()
    for place in PLACES:
        words = [*place.split(), "--cycles", "12"]
        past = history.past_of_here()
        before = machine.hash()
        rerun = OfHistory(copy, past)
        rerun.put_back()
        found = found_by(copy, rerun, Wanted(list(words)))
        assert machine.hash() == before
        assert found.trees
        said = found_by(machine, OfHistory(machine, past), Wanted(list(words)))
        assert found.to_json() == said.to_json()
        page = for_page(found, {"": Sources(machine)}.__getitem__)
        for number, tree in zip(page["roots"], said.trees, strict=True):
            alike(page["nodes"], number, tree.to_json())


def test_what_the_page_asks(open_page: Open, demo: list[str]) -> None:
    with open_page(*demo, "--record") as page:
        status, body = asked(page, "0x6000")
        assert (status, json.loads(body)["nodes"][0]["parts"]) == (200, [])
        for place, said in (("dst 5000", b"there is no row 5000"), ("", b"name a place")):
            status, body = asked(page, place)
            assert (status, said in body) == (400, True)


def alike(nodes: list[dict[str, object]], number: int, tree: dict[str, object]) -> None:
    """A node of the page is one of the monitor's tree."""
    node = nodes[number]
    assert str(node["title"]).startswith(f"{tree['what']}: ")
    said = "\n".join(node["lines"])  # type: ignore[arg-type]
    assert str(tree["by"]) in said
    assert str(tree["note"]) in said
    if tree.get("repeated"):
        return
    for part, below in zip(node["parts"], tree["made_of"], strict=True):  # type: ignore[call-overload]
        alike(nodes, part, below)


def test_without_a_history(open_page: Open, demo: list[str]) -> None:
    with open_page(*demo) as page:
        status, body = asked(page, "0x6000")
        assert (status, b"nothing is recorded" in body) == (409, True)


def answered(visit: Visit, text: str) -> None:
    """Wait for an answer, which takes seconds of the processor."""
    visit.tab.locator("#origin-said").filter(has_text=text).wait_for(timeout=ANSWER)


@pytest.mark.long("test_on_a_phone shows such a tree, test_what_the_page_asks its answers")
def test_the_tree(browser: Browser, open_page: Open, programs: list[str]) -> None:
    with open_page(*programs, "--record") as page:
        visit = Visit(browser, page.address, "desk", "light")
        tab = visit.tab
        for name in ("T0", "T1", "T2"):
            tab.click("#continue")
            visit.waits_for(f"{name} at")
        # A datum of Dst, with the keys; its parts, node by node.
        tab.locator("#dst-0").click()
        tab.locator(".matrix svg").focus()
        tab.keyboard.press("ArrowRight")
        tab.keyboard.press("Enter")
        answered(visit, "origin of dst 0.1")
        nodes = tab.locator("#origin-tree [role=treeitem]")
        assert "of T1 math" in nodes.first.inner_text()
        levels = tab.locator("#origin-tree [aria-level='2']")
        assert levels.first.is_visible()
        nodes.first.focus()
        tab.keyboard.press("ArrowLeft")
        assert not levels.first.is_visible()
        tab.keyboard.press("ArrowRight")
        tab.keyboard.press("ArrowRight")  # to its first part
        tab.keyboard.press("ArrowRight")  # which opens
        tab.keyboard.press("ArrowDown")
        focused = tab.locator("#origin-tree [role=treeitem]:focus")
        assert focused.get_attribute("aria-level") == "3"
        tab.keyboard.press("Home")
        tab.keyboard.press("Enter")
        visit.waits_for("data_path.c", "#source-title")
        visit.is_good()
        tab.click("#theme")
        visit.is_good()
        # Others are clicked: a datum, a GPR, a field of the configuration, a word of L1.
        tab.locator("#lreg-3").click()
        tab.locator(".matrix rect").nth(7).click()
        answered(visit, "origin of lreg 3.7")
        tab.locator("#gate-1").click()
        tab.locator("[data-place='gpr T1 5']").click()
        answered(visit, "origin of gpr T1 5")
        visit.waits_for("nothing has written it since the reset", "#origin-tree")
        tab.locator("#unit-configuration-unit").click()
        tab.locator("[data-place='cfg THCON_SEC0_REG2_Out_data_format 0']").click()
        visit.waits_for("sw of T0", "#origin-tree")
        tab.locator("#hart-2").click()
        tab.locator("[data-place='reg T1 sp']").click()
        visit.waits_for("reg T1 sp", "#origin-tree")
        tab.locator("#l1").focus()
        tab.keyboard.press("Enter")
        tab.locator(".words button").first.click()
        tab.click("#word-origin")
        answered(visit, "origin of L1 0x0:4")
        visit.is_good()
        tab.fill("#origin-text", "nonsense")
        tab.press("#origin-text", "Enter")
        answered(visit, "is no place")
        assert all("status of 400" in error for error in visit.errors)
        tab.close()


def test_on_a_phone(browser: Browser, open_page: Open, programs: list[str], tmp_path: Path) -> None:
    with open_page(*programs, "--record") as page:
        visit = Visit(browser, page.address, "phone", "dark")
        tab = visit.tab
        tab.click("#continue")
        visit.waits_for("has ended")
        tab.click("#origins summary")
        tab.fill("#origin-text", "local T1 0xffb00000")
        tab.press("#origin-text", "Enter")
        answered(visit, "origin of local T1")
        tab.screenshot(path=tmp_path / "phone.png")
        visit.is_good()
        tab.close()
