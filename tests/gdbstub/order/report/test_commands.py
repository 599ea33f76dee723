# SPDX-License-Identifier: Apache-2.0
"""`run --races`, `replay --races`, `monitor races` and `tile.races`, of a kernel with a race.

It is that of scripts/examples/c10: T0 stores to configuration and pushes an RDCFG that reads it.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.race.checks.rule import NotObservable
from tensix_gdb.core.race.findings import UNOBSERVED
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.races.monitor import monitor_races
from tensix_gdb.gdbstub.testing.tile import Tile
from tests.layers.style import ROOT
from tests.programs.build import build

KERNEL = ROOT / "scripts" / "examples" / "c10" / "kernel.c"
WITHOUT, RIGHT, WRONG = 0, 1, 2  # a STALLWAIT between the two
PLACE = "cfg THCON_SEC0_REG3_Base_address 0 (word 76)"
T0 = 1
NOT_OBSERVED = f"not observed: {UNOBSERVED}\n"


@pytest.fixture(scope="module")
def kernel(
    tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[int], Path]:
    """The kernel with one of the waits."""
    tool("riscv64-unknown-elf-gcc")
    folder = tmp_path_factory.mktemp("kernels")

    def made(wait: int) -> Path:
        path = folder / f"{wait}.elf"
        if not path.exists():
            build(KERNEL, "T0", path, defines=(f"WAIT={wait}",))
        return path

    return made


@pytest.fixture
def run(
    kernel: Callable[[int], Path], capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str]]:
    """Run it with options; exit status, and what was printed."""

    def ran(wait: int, *options: str) -> tuple[int, str]:
        status = main(["run", "--elf", f"t0={kernel(wait)}", *options])
        captured = capsys.readouterr()
        return status, captured.out + captured.err

    return ran


def test_a_race_is_shown_with_both_lines(run: Callable[..., tuple[int, str]]) -> None:
    status, said = run(WITHOUT, "--races")
    assert status == 0
    lines = said.splitlines()
    at = lines.index(f"RACE 1  write, then read: once  {PLACE}")
    *words, cycle = lines[at + 1].split()
    assert words == ["T0", "sw", "kernel.c:35", "main", "0x000060a0", "in", "cycle"]
    assert "RDCFG  kernel.c:41 main" in lines[at + 2]
    assert int(cycle) < int(lines[at + 2].split()[-1])
    assert "TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::TRISC_CFG) before kernel.c:41" in " ".join(
        line.strip() for line in lines
    )
    assert "1 race" in lines


@pytest.mark.parametrize(("wait", "status"), [(WITHOUT, 9), (RIGHT, 0), (WRONG, 9)])
def test_the_exit_status(run: Callable[..., tuple[int, str]], wait: int, status: int) -> None:
    assert run(wait, "--races", "--error-exitcode", "9")[0] == status
    assert ("no races" in run(wait, "--races")[1]) == (status == 0)


def test_what_went_wrong_otherwise_has_its_own_status(run: Callable[..., tuple[int, str]]) -> None:
    assert run(WITHOUT, "--races", "--error-exitcode", "9", "--max-cycles", "50")[0] == 1


def test_files(run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    names = [tmp_path / f"races{ending}" for ending in (".sarif", ".json", ".xml")]
    options = [word for name in names for word in ("--races-to", str(name))]
    _, said = run(WITHOUT, "--races", *options)
    assert all(f"wrote the races to {name}\n" in said for name in names)
    sarif, plain = (json.loads(name.read_text()) for name in names[:2])
    (result,) = sarif["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 41
    assert result["partialFingerprints"]["tensixRace/v1"] == plain["races"][0]["identity"]
    assert ET.parse(names[2]).getroot().get("failures") == "1"


def test_a_baseline_and_suppressions(run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    before, rows = tmp_path / "before.json", tmp_path / "rows"
    run(WITHOUT, "--races", "--races-to", str(before))
    strict = ("--races", "--error-exitcode", "9")
    status, said = run(WRONG, *strict, "--races-baseline", str(before))
    assert (status, "no races; 1 in the baseline" in said) == (0, True)
    rows.write_text("line kernel.c:41 the example shows it\nsymbol nothing for a test\n")
    status, said = run(WITHOUT, *strict, "--races-suppressions", str(rows))
    assert status == 0
    assert "no races; 1 suppressed\n" in said
    assert f"suppresses nothing: {rows}:2: symbol nothing\n" in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--races-to", "x.json"], "--races-to is about races: add --races"),
        (["--error-exitcode", "3"], "--error-exitcode is about races: add --races"),
        (["--races", "--races-to", "x.txt"], "x.txt: the name has to end in .sarif, .json or"),
        (["--races", "--races-baseline", "/none"], "/none: cannot be read: No such file"),
        (["--races", "--races-suppressions", "/none"], "/none: cannot be read: No such file"),
        (["--races", "--schedule", "sc"], "--races: races cannot be observed in schedule sc"),
        (["--races", "--error-exitcode", "256"], "'256' is no exit status from 0 to 255"),
        (["--races=often"], "invalid choice: 'often'"),
    ],
)
def test_wrong_options(run: Callable[..., tuple[int, str]], options: list[str], said: str) -> None:
    status, text = run(WITHOUT, *options)
    assert status == 2
    assert said in text
    assert text.startswith("tensix-gdb: ") or "tensix-gdb: " in text


def test_a_file_that_cannot_be_written_loses_nothing(
    run: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    full, path = tmp_path / "full.json", tmp_path / "there.json"
    full.symlink_to("/dev/full")
    status, text = run(WITHOUT, "--races", "--races-to", str(full), "--races-to", str(path))
    assert status == 2
    assert (
        f"{full}: cannot be written: No space left on device\nwrote the races to {path}\n" in text
    )
    assert f"RACE 1  write, then read: once  {PLACE}\n" in text
    assert len(json.loads(path.read_text("utf-8"))["races"]) == 1


def test_a_recording_is_observed_when_it_is_replayed(
    run: Callable[..., tuple[int, str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "run.recording")
    run(WITHOUT, "--record-to", path)
    assert main(["replay", path, "--races", "--error-exitcode", "9"]) == 9
    said = capsys.readouterr().out
    assert f"RACE 1  write, then read: once  {PLACE}\n" in said
    assert "equal: " in said
    assert main(["replay", path]) == 0
    assert "RACE" not in capsys.readouterr().out
    assert main(["replay", path, "--races", "--serve"]) == 2
    assert "leave out --serve" in capsys.readouterr().err


def test_monitor_races(kernel: Callable[[int], Path]) -> None:
    machine = Machine(engine="reference", schedule=Execution(Schedule.LATENCY))
    machine.load(T0, read_elf(str(kernel(WITHOUT))))
    with pytest.raises(TargetError, match="begin with `monitor races on`"):
        monitor_races(machine, 0, [])
    assert monitor_races(machine, 0, ["on"]) == "Races are observed from cycle 0 on.\n"
    assert monitor_races(machine, 0, []) == f"{NOT_OBSERVED}no races\n"
    machine.run(1000)
    listed = monitor_races(machine, 0, [])
    assert listed == (
        f"RACE 1  write, then read: once  {PLACE}: kernel.c:35 main, then kernel.c:41 main\n"
        f"{NOT_OBSERVED}1 race\n"
    )
    assert monitor_races(machine, 0, ["1"]).startswith("RACE 1  write, then read")
    assert monitor_races(machine, 0, ["promises"]) == "The run relies on no promise.\n"
    for words, said in (
        (["2"], "there is no report 2"),
        (["0"], "there is no report 0"),
        (["x"], "there is no report x"),
        (["1", "2"], "does not know '2'"),
        (["on", "often"], "does not know 'often'"),
    ):
        with pytest.raises(TargetError, match=said):
            monitor_races(machine, 0, words)
    now = machine.S.tile.cycle
    on = monitor_races(machine, 0, ["on", "strict"])
    assert on == f"Races are observed from cycle {now} on.\n"
    assert monitor_races(machine, 0, []) == f"{NOT_OBSERVED}no races\n"
    machine.close()


def test_observing_changes_nothing(kernel: Callable[[int], Path]) -> None:
    ends = []
    for observed in (False, True):
        with Tile(t0=kernel(WITHOUT), schedule="latency") as tile:
            if observed:
                tile.observe_races()
            tile.run_to_end()
            ends.append((tile.cycle, tile.hash()))
    assert ends[0] == ends[1]


def test_a_machine_in_sc() -> None:
    machine = Machine(engine="reference")
    machine.reschedule(Schedule.SC)
    with pytest.raises(TargetError, match="cannot be observed in schedule sc"):
        monitor_races(machine, 0, ["on"])
    machine.close()


def test_races_in_pytest(kernel: Callable[[int], Path]) -> None:
    with Tile(t0=kernel(WITHOUT), schedule="latency") as tile:
        with pytest.raises(NotObservable):
            assert tile.races == []
        tile.observe_races()
        tile.run_to_end()
        (race,) = tile.races
        assert (race.verdict, race.place) == ("race", PLACE)
        assert (race.earlier.what, race.earlier.place) == ("sw", "kernel.c:35 main")
        assert (race.later.what, race.later.place) == ("RDCFG", "kernel.c:41 main")
        assert race.fix == "TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::TRISC_CFG)"
        assert repr(tile.races) == f"[<RACE 1  write, then read: once  {PLACE}>]"
        assert tile.races.explanation()[0] == "1 report of accesses that nothing orders"
        assert tile.races.explanation()[1:] == race.text.splitlines()
    with Tile(t0=kernel(RIGHT), schedule="latency") as tile:
        tile.observe_races()
        tile.run_to_end()
        assert tile.races == []


def test_checks_of_synchronisation(run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    path, report = tmp_path / "races.json", tmp_path / "races.sarif"
    options = ("--races", "--races-checks", "S2,S11", "--races-to", str(path))
    status, said = run(WRONG, *options, "--races-to", str(report), "--error-exitcode", "9")
    assert status == 9
    assert "S2 2  a wait that holds nothing: once  " in said
    assert "\n1 race, 1 finding of a check\n" in said
    found = json.loads(path.read_text("utf-8"))
    assert found["checks"] == ["S2", "S11"]
    assert [race["check"] for race in found["races"]] == [None, "S2"]
    (results,) = (run["results"] for run in json.loads(report.read_text("utf-8"))["runs"])
    assert [one["ruleId"] for one in results] == ["race", "S2"]
    baseline = ("--races-baseline", str(path), "--error-exitcode", "9")
    assert run(WRONG, *options[:3], *baseline)[0] == 0


def test_no_such_check(run: Callable[..., tuple[int, str]]) -> None:
    status, said = run(WRONG, "--races", "--races-checks", "S13")
    assert status == 2
    assert "'S13' is no check" in said
    status, said = run(WRONG, "--races-checks", "S1")
    assert status == 2
    assert "--races-checks is about races: add --races" in said


def test_checks_in_gdb(kernel: Callable[[int], Path]) -> None:
    machine = Machine(engine="reference", schedule=Execution(Schedule.LATENCY))
    machine.load(T0, read_elf(str(kernel(WRONG))))
    assert monitor_races(machine, 0, ["on", "S2"]).startswith("Races are observed")
    machine.run(1000)
    assert "S2 2  a wait that holds nothing" in monitor_races(machine, 0, [])
    assert "block mask" in monitor_races(machine, 0, ["2"])
    listed = monitor_races(machine, 0, ["checks"]).splitlines()
    assert [line.split()[:2] for line in listed if line.split()[1] == "on"] == [["S2", "on"]]
    for words in (["on", "S99"], ["on", "strict", "S1", "x"], ["checks", "x"]):
        with pytest.raises(TargetError):
            monitor_races(machine, 0, words)
    machine.close()
