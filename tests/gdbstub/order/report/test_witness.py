# SPDX-License-Identifier: Apache-2.0
"""The other order of a report: `run --late`, `monitor races witness`, `break race`, `tile.witness`,
`races=` of the marker, and `check --pair`; of the kernel of test_commands.py."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.protocol.target import Target, TargetError
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tensix_gdb.gdbstub.testing.tile import Tile
from tests.gdbstub.order.report.test_commands import RIGHT, T0, WITHOUT, WRONG, kernel, run
from tests.gdbstub.testing.test_pytest_plugin import PLUGIN

pytest_plugins = ["pytester"]
__all__ = ["kernel", "run"]
HELD = re.compile(
    r"RACE 1 goes the other way, too: the sw is held from cycle (\d+) on, and RDCFG is over at the "
    r"start of\n"
    r"    cycle (\d+)\.\n"
    r"    RDCFG finds 0x1000, and 0x2000 in the observed run: cfg THCON_SEC0_REG3_Base_address 0 "
    r"\(word\n    76\)\.\n"
)


def loaded(kernel: Callable[[int], Path], wait: int = WITHOUT) -> Machine:
    machine = Machine(engine="reference", schedule=Execution(Schedule.LATENCY))
    machine.load(T0, read_elf(str(kernel(wait))))
    return machine


def ask(target: Target, line: str) -> str:
    assert target.monitor is not None
    return target.monitor.command(2, line, running=False)


def cycles_of(said: str) -> tuple[int, int]:
    """From which cycle on the sw is held, and the one in which RDCFG is over."""
    found = HELD.match(said)
    assert found is not None, said
    first, last = (int(group) for group in found.groups())
    assert first < last
    return first, last


def test_run_late(run: Callable[..., tuple[int, str]]) -> None:
    status, said = run(WITHOUT, "--late", "1")
    assert status == 0
    at = said.index("RACE 1 goes")
    _, last = cycles_of(said[at:])
    ended = re.fullmatch(
        r"    T0 paused at ebreak, 0x0000605c, _start at crt0\.S:38, after \d+ instructions\n"
        r"    .+ after (\d+) cycles\n"
        r"    local T0 0xffb00000:4 \(seen\): 0x2000 before, 0x1000 now\n"
        r"    gpr T0 4: 0x2000 before, 0x1000 now\n",
        HELD.sub("", said[at:]),
    )
    assert ended is not None, said
    assert int(ended[1]) > last
    assert run(WITHOUT, "--late", "2")[1].endswith(
        "--late 2: there is no such report; the run has 1 report\n"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--late", "0"], "'0' is no number of a report"),
        (["--late", "1", "--until", "main"], "--late runs the program again: leave out --until"),
        (["--late", "1", "--seeds", "2"], "leave out --"),
        (["--late", "1", "--schedule", "sc"], "cannot be observed in schedule sc"),
    ],
)
def test_wrong_options(run: Callable[..., tuple[int, str]], options: list[str], said: str) -> None:
    status, text = run(WITHOUT, *options)
    assert status == 2
    assert said in text


def test_monitor_races_witness(kernel: Callable[[int], Path]) -> None:
    machine = loaded(kernel)
    target = tensix_target(machine)
    ask(target, "races on")
    machine.run(1000)
    with pytest.raises(TargetError, match="there is no report 2"):
        ask(target, "races witness 2")
    with pytest.raises(TargetError, match="there is no report without a number"):
        ask(target, "races witness")
    said = ask(target, "races witness 1")
    first, last = cycles_of(said)
    assert HELD.sub("", said).startswith("The tile is there: `continue` continues")
    assert machine.S.tile.cycle == last
    assert ask(target, "record").startswith(f"Recorded from cycle {first} to {last}")
    assert ask(target, f"goto {first + 2}").startswith(f"The tile is at cycle {first + 2}.")
    ask(target, f"goto {last}")
    machine.run(1000)
    assert machine.S.gpr.word[4] == 0x1000
    assert "1 race" in ask(target, "races")
    machine.close()


def test_the_history_leads_to_the_witness(kernel: Callable[[int], Path]) -> None:
    """With `monitor record on` before, the history has another end."""
    machine = loaded(kernel)
    target = tensix_target(machine, record=True)
    ask(target, "races on")
    assert isinstance(target.reverse, TileHistory)
    assert target.reverse.history is not None
    target.reverse.history.resume()
    machine.run(1000)
    target.reverse.history.suspend()
    _, last = cycles_of(ask(target, "races witness 1"))
    assert ask(target, "record").startswith(f"Recorded from cycle 0 to {last}")
    assert ask(target, "goto 10").startswith("The tile is at cycle 10.")
    machine.close()


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_break_race(kernel: Callable[[int], Path], engine: str) -> None:
    machine = Machine(engine=engine, schedule=Execution(Schedule.LATENCY))
    machine.load(T0, read_elf(str(kernel(WITHOUT))))
    target = tensix_target(machine)
    assert ask(target, "break race") == (
        "Races are observed from cycle 0 on.\n"
        "The tile stops at the second access of each new report.\n"
    )
    stop = machine.run(1000)
    assert stop is not None
    assert (stop.kind, stop.thread) == (StopKind.RACE, 0)
    found = re.fullmatch(
        r"RACE 1: write, then read of cfg THCON_SEC0_REG3_Base_address 0 \(word 76\), and "
        r"nothing orders them:\n"
        r"    T0 sw in cycle (\d+), 0x000060a0, main at kernel\.c:35\n"
        r"    thread 0 configuration RDCFG in cycle (\d+), 0x000060a4, main at kernel\.c:41",
        stop.text,
    )
    assert found is not None, stop.text
    assert int(found[1]) < int(found[2]) == machine.S.tile.cycle - 1
    stop = machine.run(1000)
    assert stop is not None
    assert stop.kind is StopKind.EBREAK
    stopped = machine.hash()
    assert ask(target, "break race off") == "The tile does not stop at races.\n"
    machine.reset()
    stop = machine.run(1000)
    assert stop is not None
    assert (stop.kind, machine.hash()) == (StopKind.EBREAK, stopped)
    with pytest.raises(TargetError, match="does not know 'on'"):
        ask(target, "break race on")
    machine.close()


def test_tile_witness(kernel: Callable[[int], Path]) -> None:
    with Tile(t0=kernel(WITHOUT), schedule="latency") as tile:
        tile.observe_races()
        with pytest.raises(LookupError, match="there is no race 1: 0 reports"):
            tile.witness()
        tile.run_to_end()
        found = tile.witness(tile.races[0])
        assert (found.possible, found.outcome) == (True, "possible")
        assert (found.before, found.now) == (0x2000, 0x1000)
        assert HELD.fullmatch(f"{found.text}\n")
        assert cycles_of(f"{found.text}\n")[1] == tile.cycle
        assert tile.run().reason == "ebreak"
        assert tile.machine.S.gpr.word[4] == 0x1000
        assert tile.witness(1).possible


MARKED = """
import pytest
@pytest.mark.tile(t0="t0.elf", races={races})
def test_it(tile):
    tile.run_to_end()
"""


def test_the_marker_fails_a_test_with_a_race(
    pytester: pytest.Pytester, kernel: Callable[[int], Path]
) -> None:
    (pytester.path / "t0.elf").write_bytes(kernel(WITHOUT).read_bytes())
    (pytester.path / "known.txt").write_text("symbol main because\n")
    pytester.makepyfile(MARKED.format(races=True))
    result = pytester.runpytest_inprocess(*PLUGIN)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["RACE 1  write, then read: once*", "1 race"])
    pytester.makepyfile(MARKED.format(races="True, races_suppressions='known.txt'"))
    pytester.runpytest_inprocess(*PLUGIN).assert_outcomes(passed=1)
    pytester.makepyfile(MARKED.format(races="None, schedule='latency'"))
    pytester.runpytest_inprocess(*PLUGIN).assert_outcomes(passed=1)
    pytester.runpytest_inprocess(*PLUGIN, "--tile-races").assert_outcomes(failed=1)
    known = "--tile-races-suppressions=known.txt"
    pytester.runpytest_inprocess(*PLUGIN, "--tile-races", known).assert_outcomes(passed=1)
    pytester.makepyfile(MARKED.format(races="'often'"))
    result = pytester.runpytest_inprocess(*PLUGIN)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*races='often' is neither True, False nor 'strict'*"])


def test_the_marker_lets_a_test_without_races_pass(
    pytester: pytest.Pytester, kernel: Callable[[int], Path]
) -> None:
    (pytester.path / "t0.elf").write_bytes(kernel(RIGHT).read_bytes())
    pytester.makepyfile(MARKED.format(races="'strict'"))
    pytester.runpytest_inprocess(*PLUGIN).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("wait", "lines", "status", "said"),
    [
        (WITHOUT, ("kernel.c:35", "kernel.c:41"), 1, "no: both orders are possible\n"),
        (WITHOUT, ("kernel.c:41", "kernel.c:35"), 1, "no: both orders are possible\n"),
        (WRONG, ("kernel.c:35", "kernel.c:41"), 1, "no: both orders are possible\n"),
        (RIGHT, ("kernel.c:35", "kernel.c:41"), 0, "yes: "),
        (WITHOUT, ("kernel.c:31", "kernel.c:45"), 3, "unknown: this run has no accesses"),
    ],
)
def test_check_pair(
    kernel: Callable[[int], Path],
    capsys: pytest.CaptureFixture[str],
    wait: int,
    lines: tuple[str, str],
    status: int,
    said: str,
) -> None:
    assert main(["check", "--pair", *lines, f"t0={kernel(wait)}"]) == status
    text = capsys.readouterr().out
    assert text.startswith(said)
    if status == 1:
        assert text.endswith(
            ": 2 outcomes; with TTI_STALLWAIT(p_stall::STALL_CFG, p_stall::TRISC_CFG) 1\n"
        )


def test_check_as_json(kernel: Callable[[int], Path], capsys: pytest.CaptureFixture[str]) -> None:
    lines = ("kernel.c:35", "kernel.c:41")
    assert main(["check", "--json", "--pair", *lines, f"t0={kernel(WITHOUT)}"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["answer"] == "no"
    assert document["witness"]["outcome"] == "possible"
    assert (document["proof"]["outcomes"], document["proof"]["with_fix"]) == (2, 1)
    assert main(["check", "--pair", "kernel.c", "x", f"t0={kernel(WITHOUT)}"]) == 2
    assert "type FILE:LINE twice" in capsys.readouterr().err


def test_check_of_a_folder(
    kernel: Callable[[int], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And what is refused: no programs, a line without code."""
    (tmp_path / "t0.elf").write_bytes(kernel(WITHOUT).read_bytes())
    lines = ("kernel.c:35", "kernel.c:41")
    assert main(["check", "--pair", *lines, "--dir", str(tmp_path)]) == 1
    assert capsys.readouterr().out.startswith("no: ")
    assert main(["check", "--pair", *lines]) == 2
    assert "or their folder with --dir" in capsys.readouterr().err
    assert main(["check", "--pair", "kernel.c:999", lines[1], "--dir", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said == f"tensix-gdb: --pair kernel.c:999: no such line with code in {tmp_path}/t0.elf\n"
