# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin as its users have it: tests in a folder of their own, run by pytest."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tensix_gdb.core.engine import waiting
from tensix_gdb.gdbstub.pages.share.document import unpacked
from tests.patience import HANG
from tests.programs.build import DEMO, ROOT
from tests.tools import find_tool

pytest_plugins = ["pytester"]
PLUGIN = ("-p", "gdbstub.pytest_plugin", "--tile-engine=reference", "-p", "no:cacheprovider")

PASSES = """
    import pytest

    @pytest.mark.tile(t0="t0.elf", nc="nc.elf", t1="t1.elf")
    def test_the_first_sums(tile):
        sums = tile.break_at("publish")
        seen = [tile.run().hart["sum"] for _ in range(3)]
        assert seen == [7, 83, 267]
        assert sums.hits == 3
"""

FAILS = """
    import pytest

    @pytest.mark.tile(t0="t0.elf", nc="nc.elf", t1="t1.elf")
    def test_the_window(tile):
        stop = tile.run_to("filter")
        assert stop.hart.value("window[0]", "main") == 8
"""


@pytest.fixture
def folder(pytester: pytest.Pytester) -> pytest.Pytester:
    for path in DEMO.glob("*.elf"):
        shutil.copy(path, pytester.path)
    return pytester


def test_a_test_that_passes(folder: pytest.Pytester) -> None:
    folder.makepyfile(PASSES)
    result = folder.runpytest_inprocess(*PLUGIN, "--strict-markers")
    result.assert_outcomes(passed=1)


def test_a_failure_shows_the_stop_in_source(folder: pytest.Pytester) -> None:
    for path in DEMO.glob("*.[ch]"):
        shutil.copy(path, folder.path)
    folder.makepyfile(FAILS)
    result = folder.runpytest_inprocess(*PLUGIN)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E  *assert 7 == 8",
            "*- where the tile has stopped -*",
            "cycle *: T0 at 0x*, filter at t0.c:27: breakpoint",
            "  ->   27  {",
            "       28      int sum = 0;",
            "  #0 filter (window=0x*) at *t0.c:*",
            "  #1 main () at *t0.c:*",
            "B  in reset",
            "T0 ready, pc 0x*, filter at *t0.c:*",
        ]
    )


def test_a_failed_test_is_drawn(folder: pytest.Pytester) -> None:
    """With --tile-pictures; where that cannot be, a line says why."""
    folder.makepyfile(FAILS)
    result = folder.runpytest_inprocess(*PLUGIN, "--tile-pictures", "drawn")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*- picture of the tile -*", "drawn/*.svg"])
    (drawn,) = (folder.path / "drawn").iterdir()
    assert "T0 at 0x" in drawn.read_text("utf-8")
    folder.path.joinpath("a-file").touch()
    result = folder.runpytest_inprocess(*PLUGIN, "--tile-pictures", "a-file")
    result.stdout.fnmatch_lines(["a-file/*.svg: cannot be written: File exists"])


@pytest.mark.long("test_share.py")
def test_a_failed_test_is_a_file_for_others(folder: pytest.Pytester) -> None:
    """With --tile-share: the run up to where it has failed."""
    folder.makepyfile(FAILS)
    result = folder.runpytest_inprocess(*PLUGIN, "--tile-share", "shared")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*- the run as one file -*", "page shared/*.html, * events of*"])
    (shared,) = (folder.path / "shared").iterdir()
    data = unpacked(shared.read_text("utf-8"))
    assert len(data["tiles"][""]["events"]) > 10
    assert "T0 at 0x" in "\n".join(data["said"])
    folder.path.joinpath("a-file").touch()
    result = folder.runpytest_inprocess(*PLUGIN, "--tile-share", "a-file")
    result.stdout.fnmatch_lines(["a-file/*.html: cannot be written: File exists"])


def test_a_test_without_a_marker_loads_itself(folder: pytest.Pytester) -> None:
    folder.makepyfile(
        """
        import pytest
        from gdbstub.testing import NotStopped

        def test_loads(tile):
            tile.load("t0", "t0.elf")
            tile.load("nc", "nc.elf")
            tile.load("t1", "t1.elf")
            tile.break_at("publish", when=lambda hart: hart["me.done"] == 5)
            assert tile.run().hart["me.done"] == 5

        def test_nothing_stops(tile):
            tile.load("t0", "t0.elf")
            tile.run(cycles=1000)
        """
    )
    result = folder.runpytest_inprocess(*PLUGIN)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*NotStopped: nothing stopped the tile in 1000 cycles"])


def test_a_marker_with_what_does_not_exist(folder: pytest.Pytester) -> None:
    folder.makepyfile(FAILS.replace("t1.elf", "t9.elf"))
    result = folder.runpytest_inprocess(*PLUGIN)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["mark.tile: *t9.elf: cannot be read: No such file or directory"])


def test_a_debugger_can_look_at_the_failed_test(folder: pytest.Pytester) -> None:
    """--tile-serve keeps the tile; the GDB that attaches sees the test's breakpoint."""
    test = folder.makepyfile(FAILS)
    running = subprocess.Popen(
        [sys.executable, "-m", "pytest", *PLUGIN, "--tile-serve", str(test)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder.path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        assert running.stdout is not None
        for line in running.stdout:
            if "target remote" in line:
                break
        port = int(line.split("target remote ")[1].split("'")[0].split('"')[0].split(":")[1])
        done = subprocess.run(
            [
                *(find_tool("gdb-multiarch"), "-nx", "-batch", "-ex", "set osabi none"),
                *("-ex", f"target remote 127.0.0.1:{port}", "-ex", "thread 2", "-ex", "up"),
                *("-ex", "print window[0]", str(DEMO / "t0.elf")),
            ],
            capture_output=True,
            text=True,
            timeout=HANG,
        )
        rest, _ = running.communicate(timeout=HANG)
    finally:
        running.kill()
        running.wait()
    assert "main () at" in done.stdout, done.stdout + done.stderr
    assert "$1 = 7" in done.stdout
    assert "1 failed" in rest


def test_who_waits_for_the_compiler_is_told_on_pytests_terminal(folder: pytest.Pytester) -> None:
    """Though output is captured, and also if the test passes."""
    folder.makepyfile(
        """
        from tensix_gdb.core.engine import waiting

        def test_waits(tile):
            waiting.listener("compiling the tile")
        """
    )
    before = waiting.listener
    result = folder.runpytest_inprocess(*PLUGIN, "-q")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["tensix-gdb: compiling the tile"])
    assert waiting.listener is before
