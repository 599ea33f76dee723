# SPDX-License-Identifier: Apache-2.0
"""`--html`: the file of a run in a browser, what it has, and what is refused."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from scripts.examples.counted import kernel
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.recording.file import read_recording
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.cli.parser import parse
from tensix_gdb.gdbstub.pages.html.document import document
from tensix_gdb.gdbstub.pages.html.seen import SourceFile, see
from tensix_gdb.gdbstub.pages.html.wanted import name_of
from tests.gdbstub.pages.web.visit import invisible_words
from tests.programs.build import PROGRAMS
from tests.tools import find_tool


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The arguments that load the kernel."""
    folder = tmp_path_factory.mktemp("kernel")
    shutil.copy(PROGRAMS / "data_path.c", folder)
    return kernel(folder)


@pytest.fixture(scope="module")
def recording(programs: list[str]) -> Path:
    """A run of it."""
    path = Path(programs[1].partition("=")[2]).with_name("run.rec")
    assert main(["run", *programs, "--record-to", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def cycles(recording: Path) -> int:
    """Return how many it has."""
    return read_recording(str(recording), LAYOUT).steps[-1].progress.cycle


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_a_browser(programs: list[str], cycles: int, tmp_path: Path, scheme: str) -> None:
    page = tmp_path / "run.html"
    assert main(["run", *programs, "--races", "--html", str(page)]) == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_tool("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        tab = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
        problems: list[str] = []
        tab.on("console", lambda said: problems.append(said.text))
        tab.on("pageerror", lambda problem: problems.append(str(problem)))
        tab.on("request", lambda asked: asked.url == page.as_uri() or problems.append(asked.url))
        tab.goto(page.as_uri())
        assert "no races" in str(tab.locator("#said pre").text_content())
        shown = tab.locator(".state:visible")
        assert f"paused after {cycles} cycles" in str(shown.locator("svg").text_content())
        quarter, half = cycles // 4, cycles // 2
        tab.get_by_role("button", name=f"{quarter}", exact=True).click()
        assert f"cycle {quarter}, latency" in str(shown.locator("svg").text_content())
        tab.click("#zoom-in")
        zoomed = f"cycles {quarter} to {math.ceil(cycles * 3 / 4)}"
        assert tab.locator("#timeline-text").text_content() == zoomed
        tab.locator("#timeline-canvas").click(position={"x": 1200, "y": 40})
        assert f"cycle {half}, latency" in str(shown.locator("svg").text_content())
        line = tab.locator(".line.hit", has_text="TTINSN(UNPACK_A);")
        assert line.locator("i").all_text_contents() == ["1", "1"]
        assert line.locator("span span").count() > 1  # words of an indented line
        assert invisible_words(tab) == []
        assert Axe().run(tab).response["violations"] == []
        tab.set_viewport_size({"width": 390, "height": 844})
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390
        assert problems == []
        browser.close()


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (["--dir", "DIR"], "kernel"),
        (["--dir", "DIR", "--dir", "DIR/../more"], "kernel, more"),
        (["--dir", "DIR/."], "kernel"),
        (["--elf", "t0=DIR/t0.elf"], "t0.elf"),
        ([], "a tile"),
    ],
    ids=str,
)
def test_its_title(given: list[str], name: str, tmp_path: Path) -> None:
    folder = tmp_path / "kernel"
    typed = parse(["run", *(one.replace("DIR", str(folder)) for one in given)])
    assert name_of(typed.options.programs) == name


def test_its_pictures_are_those_of_the_recording(recording: Path, tmp_path: Path) -> None:
    page, picture = tmp_path / "run.html", tmp_path / "then.svg"
    at = ["--html-at", "36", "--html-at", "500", "--html-at", "2000"]
    assert main(["replay", str(recording), "--html", str(page), *at]) == 0
    assert main(["picture", str(recording), "--at", "500", "-o", str(picture)]) == 0
    text = page.read_text()
    boxes = re.findall("<title>.*?</title>", picture.read_text(), re.DOTALL)
    assert boxes
    assert all(box in text for box in boxes)
    assert re.findall(r"<button[^>]*data-state[^>]*>(\d+)<", text) == ["36", "500"]


def test_what_the_timeline_has(recording: Path, cycles: int) -> None:
    seen = see(read_recording(str(recording), LAYOUT), "reference")
    timeline = seen.timeline
    assert (timeline.first, timeline.last) == (0, cycles)
    gates = dict(timeline.rows)["T2 pack"]
    held = [timeline.texts[slice_[2]] for slice_ in gates]
    assert "PACR held" in held
    assert all(start >= 0 and start + length <= cycles for start, length, *_ in gates)


def test_no_source_ends_an_element(recording: Path) -> None:
    seen = see(read_recording(str(recording), LAYOUT), "reference", at=(1,))
    seen.timeline.texts[0] = "</script><script>alert(1)</script>"
    text = document(seen, "</title><script>", ["</pre><script>"])
    assert text.count("<script") == 3
    assert text.count("</script>") == 3
    data = re.search(r'type="application/json">(.*?)</script>', text, re.DOTALL)
    assert data is not None
    assert json.loads(data[1])["texts"][0] == seen.timeline.texts[0]


def test_lines_that_were_never_executed(recording: Path) -> None:
    seen = see(read_recording(str(recording), LAYOUT), "reference", at=(1,))
    file = SourceFile("a.c", ("x", "y", "z"), {1: 0, 2: 3}, {2: 7})
    text = document(type(seen)(0, 1, "hash", "", seen.states, seen.timeline, (file,)), "t", [])
    assert '<div class="line never"><i>0</i><i></i><b>1</b><span>x</span></div>' in text
    assert '<div class="line hit"><i>3</i><i>7</i><b>2</b><span>y</span></div>' in text
    assert '<div class="line"><i></i><i></i><b>3</b><span>z</span></div>' in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "--html", "missing/run.html"], "--html missing/run.html: No such file"),
        (["run", "--html-at", "3"], "--html-at CYCLE is about the file of --html: name it"),
        (["replay", "RECORDING", "--html", "x.html", "--serve"], "--html is about one run"),
        (["replay", "LOG", "--html", "x.html"], "is no recording: --html is about one"),
    ],
)
def test_refusals(
    programs: list[str],
    recording: Path,
    tmp_path: Path,
    arguments: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = tmp_path / "packets.log"
    log.write_text("")
    given = [{"RECORDING": str(recording), "LOG": str(log)}.get(each, each) for each in arguments]
    assert main([*given, *(programs if given[0] == "run" else [])]) != 0
    assert sentence in capsys.readouterr().err
    assert not Path("x.html").exists()


def test_a_full_disk(programs: list[str], cycles: int) -> None:
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "run", *programs, "--html", "/dev/full"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "/dev/full cannot be written: No space left on device" in done.stderr
    assert f" after {cycles} cycles\n" in done.stdout
