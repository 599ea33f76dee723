# SPDX-License-Identifier: Apache-2.0
"""The page of a chip: the grid is what `monitor chip` and `noc` say; a tile has its own page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser

from tensix_gdb.gdbstub.cli.rsp_client import RspClient
from tensix_gdb.gdbstub.pages.web import chip as page
from tensix_gdb.gdbstub.tensix.chip import grid
from tests.core.chip.programs import COPY, DATA
from tests.gdbstub.pages.web.chips import chip_page
from tests.gdbstub.pages.web.visit import ARROWS, Visit, chromium
from tests.patience import HANG_MS

ANSWER = HANG_MS
CELL = re.compile(r"(\d+)-(\d+)")


@pytest.fixture(scope="module")
def chip() -> Iterator[tuple[str, int]]:
    with chip_page() as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def letters_of(said: str) -> dict[str, str]:
    """The grid of `monitor chip`: the letters of each tile."""
    lines = said.splitlines()
    columns = re.findall(r"x=(\d+)", lines[1])
    found = {}
    for line in lines[2:]:
        if row := re.match(r"y=(\d+)", line):
            for x, letters in zip(columns, line.split()[1:], strict=True):
                found[f"{x}-{row[1]}"] = letters
    return found


@pytest.mark.sample(2, "each size of the page")
@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_grid(browser: Browser, chip: tuple[str, int], size: str) -> None:
    address, port = chip
    visit = Visit(browser, address, size, "dark" if size == "desk" else "light", "#tile-1-2")
    tab = visit.tab
    if tab.locator("#record").get_attribute("aria-pressed") != "true":
        tab.click("#record")
    visit.waits_for("history: 0 to", "#span")
    tab.click("#continue")
    visit.waits_for("driven by the page")
    tab.wait_for_function(ARROWS, timeout=HANG_MS)
    tab.click("#stop")
    visit.waits_for("stopped by a client")
    with RspClient("127.0.0.1", port) as gdb:
        gdb.features()
        for name, letters in letters_of(gdb.monitor("chip")).items():
            assert tab.locator(f"#tile-{name}").get_attribute("data-letters") == letters
        noc = gdb.monitor("noc")
        links = gdb.monitor("noc links").splitlines()
    tab.locator("#under-way li").first.wait_for()
    for text in tab.locator("#under-way li").all_text_contents():
        assert text == "nothing" or text in noc
    tab.locator("#links li").first.wait_for()
    assert tab.locator("#links li").all_text_contents() == links
    visit.is_good()
    tab.locator("#tile-2-2").click()
    visit.waits_for("Tensix tile 2-2", "#name")
    tab.locator("#hart-0").click()
    visit.waits_for("registers", "#details-text")
    # The viewer of the grid was a client, which leaves.
    tab.locator("#clients").filter(has_not_text="clients").wait_for(state="attached")
    registers = tab.locator("#details-text pre").filter(has_text="  pc ").first
    before = registers.inner_text().split()[1]
    tab.locator("#stepi").click()
    registers.filter(has_not_text=f"pc {before}").wait_for()
    visit.waits_for("2-2 B")
    tab.fill("#monitor-text", "why")
    tab.press("#monitor-text", "Enter")
    visit.waits_for("> monitor why", "#text")
    tab.click("#timeline summary")
    visit.waits_for("cycles ", "#timeline-text")  # of this tile, from the chip's past
    tab.click("#origins summary")
    tab.fill("#origin-text", f"{COPY:#x}")
    tab.press("#origin-text", "Enter")
    said = tab.locator("#origin-said")
    said.filter(has_text=f"origin of L1 {COPY:#x}:4").wait_for(timeout=ANSWER)
    tree = tab.locator("#origin-tree")
    tree.filter(has_text="a request of NoC 0 that 2-2 B has made").wait_for()
    tree.get_by_text(f"1-2 L1 {DATA:#x}").first.wait_for(state="attached")
    visit.is_good()
    tab.click("#chip")
    tab.locator("#tile-1-3").wait_for()
    tab.close()


def test_no_such_tile(browser: Browser, chip: tuple[str, int]) -> None:
    address, _ = chip
    visit = Visit(browser, address, "desk", "light", "#tile-1-2")
    answer = visit.tab.goto(address.split("?")[0] + "tile/9-9/")
    assert answer is not None
    assert answer.status == 404
    assert "there is no tile 9-9" in visit.tab.content()
    visit.tab.close()


@pytest.mark.parametrize(
    ("letters", "polls", "shown", "said"),
    [
        ("Kwfff", {0}, "wwfff", ["B polls a flag", "T0 waits"]),
        ("KKfff", {0}, "wKfff", []),  # one moves
        ("fffff", set(), "fffff", []),
    ],
)
def test_a_tile_is_stuck_where_all_in_a_kernel_wait_or_poll(
    monkeypatch: pytest.MonkeyPatch, letters: str, polls: set[int], shown: str, said: list[str]
) -> None:
    words = {hart: "polls a flag" if hart in polls else "waits" for hart in range(5)}
    monkeypatch.setattr(grid, "polling", lambda machine, hart: hart in polls or None)
    monkeypatch.setattr(page, "doing", lambda tile, hart: words[hart])
    tile = SimpleNamespace(machine=None)
    assert page.standing(tile, letters) == (shown, said)  # type: ignore[arg-type]


def test_monitor_chip_has_the_letters_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "polling", lambda machine, hart: hart == 0 or None)
    monkeypatch.setattr(grid, "letters_of", lambda tile: "KKfff")
    monkeypatch.setattr(grid, "kernels", lambda tile: "")
    monkeypatch.setattr(grid, "doing", lambda tile, hart: f"does {hart}")
    tile = SimpleNamespace(machine=None, place=(1, 2), name="1-2")
    tiles = SimpleNamespace(chip=SimpleNamespace(cycle=5), all=[tile])
    lines = list(grid.grid_lines(tiles))  # type: ignore[arg-type]
    assert "y=2  wKfff" in lines
    assert lines[-2:] == ["    1-2: B does 0", "    1-2: T0 does 1"]


@pytest.mark.parametrize(
    ("letters", "waiting", "said"),
    [
        ({"1-2": "ff!ff", "1-3": "wffff"}, {"1-3": "B polls a flag"}, "tile 1-2: T1 stands"),
        ({"1-2": "wffff", "1-3": "wffff"}, {"1-2": "B polls", "1-3": "B polls"},
         "tile 1-2: B polls (waiting, too: 1-3)"),
        ({"1-2": "fffff"}, {}, ""),
    ],
)  # fmt: skip
def test_the_headline_names_the_stuck_tile(
    monkeypatch: pytest.MonkeyPatch, letters: dict[str, str], waiting: dict[str, str], said: str
) -> None:
    monkeypatch.setattr(page, "doing", lambda tile, hart: "stands")
    cells = {name: {"letters": text} for name, text in letters.items()}
    tiles = [SimpleNamespace(name=name) for name in letters]
    assert page.in_words(cells, waiting, tiles) == said  # type: ignore[arg-type]
