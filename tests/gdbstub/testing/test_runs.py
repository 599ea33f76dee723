# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin's runs: schedules and seeds of a test, reports that begin one again."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from tensix_gdb.core.tiles.npy import ArrayError, read
from tensix_gdb.gdbstub.cli import kept
from tensix_gdb.gdbstub.cli.parser import parse
from tensix_gdb.gdbstub.tensix.output.recording import replay_recording
from tensix_gdb.gdbstub.tensix.races.output import observed
from tensix_gdb.gdbstub.testing import Tile, TileDiffers
from tensix_gdb.gdbstub.testing.cases import MOST, executions
from tensix_gdb.gdbstub.usage import UsageError
from tests.assembler import EBREAK, NOP
from tests.elf_maker import make_elf, words
from tests.gdbstub.testing.test_pytest_plugin import PLUGIN
from tests.patience import HANG
from tests.programs.build import DEMO, ROOT

pytest_plugins = ["pytester"]
MANUAL = ROOT / "gdbstub" / "manual" / "testing.md"


@pytest.fixture
def folder(pytester: pytest.Pytester) -> pytest.Pytester:
    """A user's folder with the programs of the demo in `build`."""
    (pytester.path / "build").mkdir()
    for path in DEMO.glob("*.elf"):
        shutil.copy(path, pytester.path / "build")
    return pytester


def ran(folder: pytest.Pytester, test: str, *options: str) -> pytest.RunResult:
    folder.makepyfile(f"import pytest\n{test}")
    return folder.runpytest_inprocess(*PLUGIN, "-v", "--strict-markers", *options)


SUMS = """
@pytest.mark.tile(dir="build"{more})
def test_sums(tile):
    tile.run_to("publish")
    assert str(tile.machine.execution) != "random:1"
"""


def test_a_test_for_each_schedule_and_one_for_all_seeds(folder: pytest.Pytester) -> None:
    marked = SUMS.format(more=', schedule=("sc", "latency"), seeds=3')
    result = ran(folder, marked, "--junitxml=junit.xml")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            *("*::test_sums?sc? PASSED*", "*::test_sums?latency? PASSED*"),
            *("*::test_sums?random? FAILED*", "*1 of 3 seeds fail, *: 1; --tile-seed 1 repeats*"),
        ]
    )
    cases = ET.parse(folder.path / "junit.xml").getroot().iter("testcase")
    found = {
        str(case.get("name")): {p.get("name"): p.get("value") for p in case.iter("property")}
        for case in cases
    }
    assert found["test_sums[latency]"] == {"tile-schedule": "latency"}
    failed = found["test_sums[random]"]
    assert (failed["tile-seeds"], failed["tile-failing-seeds"]) == ("3", "1")
    assert failed["tile-pytest"] == (
        "pytest test_a_test_for_each_schedule_and_one_for_all_seeds.py::test_sums "
        "--tile-schedule=random:1"
    )
    assert str(failed["tile-gdb"]).endswith("--elf=nc=build/nc.elf --schedule=random:1")
    result.stdout.fnmatch_lines(
        ["*- the same run again -*", f"pytest {failed['tile-pytest'][7:-12]}*", failed["tile-gdb"]]  # type: ignore[index]
    )


def test_the_lines_begin_the_run_again(folder: pytest.Pytester) -> None:
    result = ran(folder, SUMS.format(more=", seeds=(0, 1)"))
    lines = result.stdout.lines
    at = next(i for i, line in enumerate(lines) if "the same run again" in line)
    again = folder.runpytest_inprocess(*PLUGIN, *shlex.split(lines[at + 1])[1:])
    again.assert_outcomes(failed=1)
    for line, name in zip(lines[at + 2 :], ("diagnose", "gdb"), strict=False):
        command = parse(shlex.split(line)[1:])
        programs = command.options.programs
        assert (command.command, programs.schedule) == (name, "random:1")
        assert all((folder.path / path).is_file() for _, path in programs.elf)


def test_options_instead_of_the_marker(folder: pytest.Pytester) -> None:
    marked = SUMS.format(more=", seeds=50")
    result = ran(folder, marked, "--tile-schedule=latency", "--tile-seed=1,7-8")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        ["*test_sums?random:7? PASSED*", "pytest *--tile-schedule=random:1"]
    )
    ran(folder, SUMS.format(more=""), "--tile-seed=3").assert_outcomes(passed=1)
    ran(folder, "def test_without_tile(): pass", "--tile-seed=3").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--tile-schedule=slow", "--tile-schedule: 'slow' is not a schedule: type sc, latency"),
        ("--tile-schedule=random", "random needs a seed: type random:7, or name seeds"),
        ("--tile-seed=x", "'x' are no seeds: type how many"),
        ("--tile-seed=9-", "'9-' are no seeds"),
    ],
)
def test_options_that_mean_nothing(folder: pytest.Pytester, option: str, said: str) -> None:
    result = ran(folder, SUMS.format(more=""), option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert said in result.stderr.str()
    assert "Traceback" not in result.stderr.str()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            ', shedule="sc"',
            "mark.tile: there is no argument 'shedule' (schedule?); there are arch, ",
        ),
        (', t4="t4.elf"', "mark.tile: there is no argument 't4'; there are"),
        (', schedule="slow"', "mark.tile: 'slow' is not a schedule: type sc, latency"),
        (', schedule="random"', "mark.tile: random needs a seed"),
        (", schedule=7", "mark.tile: schedule=7 is neither a text nor several"),
        (', seeds="many"', "mark.tile: 'many' are no seeds"),
        (", seeds=(-1,)", "mark.tile: (-1,) are no seeds"),
        (", seeds=0", "mark.tile: 0 are no seeds"),
    ],
)
def test_a_marker_that_means_nothing(folder: pytest.Pytester, more: str, said: str) -> None:
    """One sentence, of this test alone."""
    result = ran(folder, SUMS.format(more=more) + "\ndef test_other(): pass")
    result.assert_outcomes(passed=1, errors=1)
    assert sum(line.startswith(said) for line in result.stdout.lines) == 1
    assert "Traceback" not in result.stdout.str()


def test_an_argument_without_a_name(folder: pytest.Pytester) -> None:
    result = ran(folder, "@pytest.mark.tile('build')\ndef test_it(tile): pass")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["mark.tile: 'build' has no name: type for example dir='build'"])


FACTORY = """
from tensix_gdb.gdbstub.testing import TileDiffers

def test_more_tiles(tile):
    one = tile(dir="build", schedule="random:5")
    assert str(one.machine.execution) == "random:5"
    assert tile(t0="build/t0.elf").harts[1].program is not None
    for each in tile(dir="build", seeds=(0, 4, 9)):
        each.run_to("publish")
        assert str(each.machine.execution) != "random:4"

def test_wrong(tile):
    tile(dirs="build")
"""


def test_the_fixture_makes_more_tiles(folder: pytest.Pytester) -> None:
    """A failure is told of the tile that a loop has come to."""
    result = ran(folder, FACTORY)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        ["*: breakpoint", "*- the same run again -*", "tensix-gdb gdb *--schedule=random:4"]
    )
    result.stdout.fnmatch_lines(["*tile(): there is no argument 'dirs' (dir?); there are *"])


ARRAYS = """
import numpy as np

def test_arrays(tile):
    a = np.arange(1024).reshape(32, 32) / 8
    tile.load_folder("build")
    tile.l1.write(0x28000, a, "fp32")
    tile.dst.write(64, a, "fp32")
    tile.dst.expect(64, a, "fp32")
    assert (tile.dst.read(64, "fp32") == a).all()
    tile.l1.expect(0x28000, a, "fp32")
    tile.l1.expect(0x28000, a + 0.01, "fp32", atol=0.02)
    assert (tile.l1.read(0x28000, "fp32") == a).all()
    a[2, 20] += 1
    tile.l1.expect(0x28000, a, "fp32")
"""


def test_arrays_and_their_difference(folder: pytest.Pytester) -> None:
    """The message has the map; the line for GDB loads the input that the test wrote, and that for
    a diagnosis has what was expected."""
    result = ran(folder, ARRAYS)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E *TileDiffers: 0x28000 is not what was expected, as fp32: 1 of 1024 datums differ",
            "E *the first: row 2, column 20, at 0x28490 (0x41280000): 10.5, wanted 11.5",
            "E *    2  ................ ....x...........",
        ]
    )
    line = next(line for line in result.stdout.lines if line.startswith("tensix-gdb gdb "))
    (given,) = parse(shlex.split(line)[1:]).options.programs.tile
    assert given.startswith("0x28000=")
    assert given.endswith(":fp32")
    content = Path(given.partition("=")[2].rpartition(":")[0]).read_bytes()
    assert read(content).values == [x / 8 for x in range(1024)]
    line = next(line for line in result.stdout.lines if line.startswith("tensix-gdb diagnose "))
    (expected,) = parse(shlex.split(line)[1:]).options.expect
    wanted = read(Path(expected.partition("=")[2].rpartition(":")[0]).read_bytes()).values
    assert [x for x in range(1024) if wanted[x] != x / 8] == [84]


@pytest.mark.parametrize(
    ("schedule", "seeds", "found"),
    [
        (None, None, ["sc"]),
        ("latency", None, ["latency"]),
        (("sc", "random:9,strict"), None, ["sc", "random:9,strict"]),
        (None, 2, ["random:0", "random:1"]),
        ("random,strict", [7], ["random:7,strict"]),
        (("random,no-pauses", "latency"), range(2), ["latency", "random:0,no-pauses",
                                                      "random:1,no-pauses"]),
        (None, "3,5-6", ["random:3", "random:5", "random:6"]),
    ],
)  # fmt: skip
def test_executions(schedule: object, seeds: object, found: list[str]) -> None:
    assert executions("x", schedule, seeds) == found


@pytest.mark.parametrize("seeds", [True, [1.5], [2**32], "0-9999999999", [], object()])
def test_no_seeds(seeds: object) -> None:
    with pytest.raises(UsageError, match="are no seeds"):
        executions("x", None, seeds)
    with pytest.raises(UsageError, match="too many"):
        executions("x", None, MOST + 1)


def test_the_message_in_the_manual() -> None:
    """The page shows what `expect` says."""
    wanted = np.full((32, 32), 11.5)
    got = wanted.copy()
    got[2, 20] = 10.5
    with Tile(engine="reference") as tile:
        tile.l1.write(0x40000, got, "bf16")
        with pytest.raises(TileDiffers) as caught:
            tile.l1.expect(0x40000, wanted, "bf16", rtol=0.02)
    page = MANUAL.read_text("utf-8")
    for line in str(caught.value).splitlines():
        assert f"E   {'TileDiffers: ' * line.startswith('0x40000')}{line}\n" in page


NO_ARRAYS = {
    "[[1, 2], [3]]": "the lists are no array: they have different lengths",
    "np.zeros((5, 7))": "an array of 5x7 is no whole tiles",
    "np.full((32, 32), 300)": "has 300 at .0, 0., and int8 has the integers from -127 to 127",
}


@pytest.mark.parametrize("array", NO_ARRAYS)
def test_what_is_no_array(array: str) -> None:
    with Tile(engine="reference") as tile:
        with pytest.raises(ArrayError, match=NO_ARRAYS[array]):
            tile.l1.write(0x40000, eval(array), "int8")
        with pytest.raises(ArrayError, match="no multiple of 16"):
            tile.l1.read(0x40004)
        with pytest.raises(ArrayError, match="'bf8' is no format"):
            tile.dst.read(0, "bf8")
        tile.machine.S.dst.undefined[3] = 2
        with pytest.raises(ArrayError, match="Dst has no value in row 3, column 1"):
            tile.dst.read(0, "bf16", shape=(4, 16), rows=True)
        with pytest.raises(
            TileDiffers, match=r"row 3, column 1 of Dst \(undefined\): nan, wanted 0"
        ):
            tile.dst.expect(0, [[0.0] * 16] * 4, "bf16", rows=True)


def test_the_example_in_the_manual_runs_as_it_is_typed(tmp_path: Path) -> None:
    """In an empty folder, by pytest and the installed plugin alone."""
    page = MANUAL.read_text("utf-8")
    code = page.split("```python\n")[1].split("```")[0]
    shown = page.split("```console\n")[1].split("```")[0].splitlines()
    (tmp_path / "test_first.py").write_text(code)
    assert shown[0] == "$ pytest -v test_first.py"
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTEST_ADDOPTS")}
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(shown[0])[1:]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=HANG,
        env=environment,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for line in shown[1:]:
        assert line.split(" PASSED")[0] in done.stdout


MANY = """
@pytest.mark.tile(dir="build", seeds=3)
def test_sums(tile, tile_schedule):
    assert str(tile.machine.execution) == tile_schedule
    assert tile.machine.execution.seed not in (3, 5), "it is odd"


@pytest.mark.tile(dir="build")
def test_all(tile):
    assert tile.cycle == 0


def test_without_a_tile():
    pass
"""


def test_one_test_for_many_seeds(folder: pytest.Pytester) -> None:
    result = ran(folder, MANY, "--tile-seeds=6", "--junitxml=junit.xml")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        ["*2 of 6 seeds fail, 33.3 % (95 % interval: *): 3, 5; --tile-seed 3 repeats the first*"]
    )
    result.stdout.fnmatch_lines(["pytest *test_sums --tile-schedule=random:3"])
    cases = {case.get("name"): case for case in ET.parse("junit.xml").iter("testcase")}
    told = {each.get("name"): each.get("value") for each in cases["test_sums"].iter("property")}
    assert told["tile-failing-seeds"] == "3 5"
    assert (told["tile-seeds"], told["tile-seeds-failed"]) == ("6", "2")
    told = {each.get("name"): each.get("value") for each in cases["test_all"].iter("property")}
    assert told["tile-seeds-failed"] == "0"


def test_the_seeds_of_a_marker_are_one_test_with_its_options(folder: pytest.Pytester) -> None:
    marked = SUMS.format(more=', schedule="random,strict", seeds=(4, 1)').replace(
        "random:1", "random:1,strict"
    )
    result = ran(folder, marked)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*1 of 2 seeds fail, *: 1; --tile-seed 1 repeats the first*"])
    result.stdout.fnmatch_lines(["pytest *::test_sums --tile-schedule=random:1,strict"])
    # One seed alone is a test with its name.
    ran(folder, marked, "--tile-seed=4").assert_outcomes(passed=1)


def test_tile_on_needs_many_seeds(folder: pytest.Pytester) -> None:
    result = ran(folder, SUMS.format(more=""), "--tile-on=local")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--tile-on is about many seeds: add --tile-seeds 200*"])


ON_WORMHOLE = """
@pytest.mark.tile(t0="t0.elf", arch="{arch}")
def test_chip(tile):
    stop = tile.run()
    assert tile.t0.pc == 0x6004, stop
    tile(t0="t0.elf", arch="wormhole")
    assert False
"""


def test_a_tile_of_wormhole(folder: pytest.Pytester) -> None:
    """Its harts have no CSRs, and the command that repeats the run names the chip."""
    (folder.path / "t0.elf").write_bytes(make_elf([(0x6000, words(NOP, EBREAK))], entry=0x6000))
    result = ran(folder, ON_WORMHOLE.format(arch="wormhole"))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*tensix-gdb gdb --elf=t0=*--arch=wormhole*"])
    result = ran(folder, ON_WORMHOLE.format(arch="quasar"))
    result.stdout.fnmatch_lines(["*'quasar' is no chip of a tile: type blackhole or wormhole*"])


WITH_INPUT = """
@pytest.mark.tile(dir="build", schedule="latency")
def test_sums(tile):
    tile.l1.write(0x50000, [[1.0] * 16], "fp32", rows=True)
    tile.run_to("publish")
    {more}
    assert tile.cycle < 0
"""


@pytest.mark.parametrize("more", ["pass", "tile.step('t0')", "tile.run(cycles=1)"])
def test_a_failing_run_is_kept(
    folder: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, more: str
) -> None:
    """`replay` with nothing more has it, up to where the test has failed."""
    monkeypatch.setenv(kept.FOLDER, str(folder.path / "runs"))
    result = ran(folder, WITH_INPUT.format(more=more))
    result.assert_outcomes(failed=1)
    assert kept.OPENS in result.stdout.lines
    said, status, _ = replay_recording(
        kept.last_kept(), "reference", lambda machine: observed(machine, None)
    )
    assert status == 0, said
    assert any(line.startswith("equal: ") for line in said)


def test_another_run_than_the_tests_is_not_kept(
    folder: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word that the test writes on the way is in no recording of the programs."""
    monkeypatch.setenv(kept.FOLDER, str(folder.path / "runs"))
    result = ran(folder, WITH_INPUT.format(more="tile['0x50000'] = 7"))
    result.assert_outcomes(failed=1)
    assert kept.OPENS not in result.stdout.lines
    assert not list(folder.path.glob("runs/*"))


def test_a_good_run_is_not_kept(folder: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(kept.FOLDER, str(folder.path / "runs"))
    ran(folder, WITH_INPUT.format(more="return")).assert_outcomes(passed=1)
    assert not (folder.path / "runs").exists()
