# SPDX-License-Identifier: Apache-2.0
"""A host with the library of a tile, as Tenstorrent's driver is one, and a debugger."""

import json
import os
import re
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import L1_BYTES, SOFT_RESET_HARTS
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.race.findings import UNOBSERVED
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.host.simulator.life import has_reports
from tests.assembler import SPIN, asm, li
from tests.gdbstub import wire
from tests.gdbstub.host.simulator.driver import B_RUNS, Driver, started
from tests.patience import HANG, turns
from tests.programs.build import PROGRAMS, ROOT, build

COUNT = 0x4000
SOFT_RESET_0 = 0xFFB121B0
TILE = (1, 2)
# Packets of a debugger while the host waits for an answer. One that does not wait for the debugger
# comes after a few turns of the event loop, each after some hundred packets.
LOOKS = 4000
# Count at COUNT for ever.
COUNTING = [
    *li(10, COUNT),
    asm("addi", rd=11, rs1=11, imm=1),
    asm("sw", rs1=10, rs2=11),
    asm("jal", imm=-8),
]
Folder = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Folder:
    """Writes the folder of a simulator with these options."""

    def write(*options: str) -> Path:
        words = ["simulator", str(tmp_path), "--port", "0", "--tiles", "1x1", *options]
        assert main(words) == 0
        assert f"TT_METAL_SIMULATOR={tmp_path}/libtensix-gdb.so" in capsys.readouterr().out
        return tmp_path

    return write


def load(driver: Driver, words: list[int]) -> None:
    """Load as a host does: everything in reset, the program, B let go."""
    driver.reset()
    driver.write(0, b"".join(word.to_bytes(4, "little") for word in words))
    driver.reset(B_RUNS)


def test_a_program_runs_while_the_host_polls(folder: Folder) -> None:
    with started(folder()) as driver:
        load(driver, COUNTING)
        seen = [driver.wait(COUNT) for _ in range(5)]
        assert seen == sorted(set(seen)), seen
        assert driver.end().count("Traceback") == 0


def test_the_same_calls_give_the_same_execution(folder: Folder) -> None:
    def counts() -> list[int]:
        with started(folder("--cycles", "777", "--schedule", "random:5")) as driver:
            load(driver, COUNTING)
            found = []
            for cycles in (100, 500, 777):
                driver.clock(cycles)
                found += [driver.wait(COUNT) for _ in range(2)]
            return found

    seen = counts()
    assert seen[-1] > 100
    assert seen == counts()


def test_dram_and_cores_that_are_not_there(folder: Folder) -> None:
    with started(folder("--faults", "unimplemented=count")) as driver:
        driver.core = (0, 1)
        driver.write(0x1000, b"dram")
        driver.core = (0, 11)  # another port of the same channel
        assert driver.read(0x1000) == b"dram"
        driver.core = (5, 5)
        driver.write(0, b"lost")
        assert driver.read(0) == bytes(4)
        driver.core = TILE
        assert driver.read(0xFFB00000) == bytes(4)
        said = driver.end()
    assert "core 5-5 is not there" in said
    assert "0xffb00000 is nothing that the NoC reaches" in said


# An instruction that no core has, and the push of one that the coprocessor has not.
@pytest.mark.parametrize("word", [0xFFFFFFFF, 0])
def test_a_fault_is_said_once_and_the_host_goes_on(folder: Folder, word: int) -> None:
    with started(folder()) as driver:
        load(driver, [word, SPIN])
        for _ in range(3):
            assert driver.word(0) == word
        load(driver, COUNTING)
        assert driver.wait(COUNT) < driver.wait(COUNT)
        said = driver.end()
    assert said.count("B at 0x0000000") == 1, said


class Debugger:
    """A client of the simulator's port, which the simulator has printed."""

    def __init__(self, driver: Driver, after: str = "") -> None:
        """Attaches when the simulator has said `after`."""
        assert driver.process.stdout is not None
        line = driver.process.stdout.readline()
        found = re.search(r"at port (\d+)", line)
        assert found, line
        while after not in line:
            line = driver.process.stdout.readline()
        self.socket = socket.create_connection(("127.0.0.1", int(found[1])), 30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""

    def send(self, payload: bytes) -> None:
        self.socket.sendall(wire.frame(payload))

    def ask(self, payload: bytes) -> bytes:
        self.send(payload)
        return self.answer()

    def answer(self) -> bytes:
        while (found := re.search(rb"\$[^#]*#..", self.received)) is None:
            self.received += self.socket.recv(4096)
        self.received = self.received[found.end() :]
        self.socket.sendall(b"+")
        return wire.answers(found[0])[0]


def test_the_host_waits_while_a_person_looks(folder: Folder) -> None:
    with started(folder()) as driver:
        load(driver, COUNTING)
        before = driver.wait(COUNT)
        debugger = Debugger(driver)
        assert debugger.ask(b"?").startswith(b"T")
        driver.ask(COUNT)
        # Whatever is looked at is stopped, and the host has no answer yet.
        first = debugger.ask(b"m%x,4" % COUNT)
        for _ in range(LOOKS):
            assert debugger.ask(b"m%x,4" % COUNT) == first
        assert not driver.is_answered()
        # The client goes: the host continues, with a tile that has had time.
        debugger.ask(b"D")
        debugger.socket.close()
        after = int.from_bytes(driver.answer(), "little")
        assert after - before > 1000


@pytest.mark.parametrize("options", [(), ("--record",)])
def test_a_debugger_continues_while_the_host_has_all_harts_in_reset(
    folder: Folder, options: tuple[str, ...]
) -> None:
    """It waits for the host, as for a board whose reset is held; with a history, too."""
    with started(folder(*options)) as driver:
        driver.reset()
        debugger = Debugger(driver)
        assert debugger.ask(b"?").startswith(b"T")
        debugger.send(b"vCont;c")
        driver.write(0, b"".join(word.to_bytes(4, "little") for word in COUNTING))
        driver.clock(1000)
        driver.reset(B_RUNS)
        seen = 0
        while not seen:  # the client runs it, at its own speed
            seen = driver.wait(COUNT)
        debugger.socket.settimeout(0.05)
        with pytest.raises(TimeoutError):
            debugger.answer()  # it runs
        debugger.socket.settimeout(30)
        debugger.socket.sendall(b"\x03")
        assert debugger.answer().startswith(b"T02")
        debugger.socket.close()


ALL_BUT_T0 = SOFT_RESET_HARTS & ~(1 << 12)


@pytest.mark.parametrize("who", ["the host", "B"])
def test_stop_at_entry(folder: Folder, who: str) -> None:
    with started(folder("--stop-at-entry")) as driver:
        driver.reset()
        driver.write(0x6000, b"".join(w.to_bytes(4, "little") for w in (*li(5, 7), SPIN)))
        if who == "B":
            lets_go = [*li(10, SOFT_RESET_0), *li(11, ALL_BUT_T0 & ~(1 << 11))]
            load(driver, [*lets_go, asm("sw", rs1=10, rs2=11), SPIN])
        else:
            driver.reset(ALL_BUT_T0)
        driver.send(b"c", size=2000)
        debugger = Debugger(driver, "waiting for a debugger")
        debugger.ask(b"?")
        # T0 has not executed anything.
        assert debugger.ask(b"Hg2") == b"OK"
        assert debugger.ask(b"p20") == (0x6000).to_bytes(4, "little").hex().encode()
        debugger.send(b"vCont;c")
        assert driver.answer() == b""
        debugger.socket.close()


def test_a_debugger_that_is_there_before_the_entry(folder: Folder) -> None:
    """It has continued the tile when B lets T0 go, and T0 runs."""
    with started(folder("--stop-at-entry")) as driver:
        driver.reset()
        stores = [*li(5, 7), *li(6, COUNT), asm("sw", rs1=6, rs2=5), SPIN]
        driver.write(0x6000, b"".join(word.to_bytes(4, "little") for word in stores))
        debugger = Debugger(driver)
        assert debugger.ask(b"?").startswith(b"T")
        debugger.send(b"vCont;c")
        lets_go = [*li(10, SOFT_RESET_0), *li(11, ALL_BUT_T0 & ~(1 << 11))]
        load(driver, [*lets_go, asm("sw", rs1=10, rs2=11), SPIN])
        for _ in turns(0):
            if driver.wait(COUNT) == 7:
                break
        debugger.socket.close()


def test_what_a_run_has_cost(folder: Folder, tmp_path: Path) -> None:
    file = tmp_path / "runs"
    with started(folder("--runs", str(file), "--faults", "all=count")) as driver:
        driver.reset()
        # What T0 loads from is nowhere.
        program = [*li(10, 0x40000000), asm("lw", rd=11, rs1=10), SPIN]
        driver.write(0x6000, b"".join(word.to_bytes(4, "little") for word in program))
        driver.reset(ALL_BUT_T0)
        driver.clock(2000)
        driver.reset()
        driver.end()
    (line,) = [json.loads(line) for line in file.read_text().splitlines()]
    assert line["cycles"] >= 2000
    assert line["instructions"][1] > 100
    assert line["instructions"][0] == 0
    assert line["tensix"] == [0, 0, 0]
    assert line["seconds"] > 0
    assert [text.count("0x40000000") for text in line["faults"]] == [1]


def test_the_performance_counters_of_each_run(folder: Folder, tmp_path: Path) -> None:
    file = tmp_path / "runs"
    with started(folder("--runs", str(file))) as driver:
        driver.reset()
        # T0 starts the bank of the FPU in the first run, and does nothing in the second.
        programs = ([*li(10, 0xFFB12020), *li(11, 1), asm("sw", rs1=10, rs2=11), SPIN], [SPIN])
        for program in programs:
            driver.write(0x6000, b"".join(word.to_bytes(4, "little") for word in program))
            driver.reset(ALL_BUT_T0)
            driver.clock(2000)
            driver.reset()
            driver.write(0xFFB12020, (2 * (program is programs[0])).to_bytes(4, "little"))
        driver.end()
    first, second = [json.loads(line) for line in file.read_text().splitlines()]
    assert first["perf"]["FPU cycles"] > 1000
    assert "FPU_COUNTER" not in first["perf"], "it is 0"
    assert "perf" not in second


@pytest.mark.parametrize("keep", [False, True], ids=["alone", "with --keep"])
def test_the_races_of_each_run(folder: Folder, tmp_path: Path, keep: bool) -> None:
    """With the lines of the file that --elf names; the second run has the right wait. To keep what
    each begins with changes nothing."""
    kernel = ROOT / "scripts/examples/c10/kernel.c"
    elfs = [
        build(kernel, "T0", tmp_path / f"t0-{wait}.elf", defines=(f"WAIT={wait}",))
        for wait in (0, 1)
    ]
    options = [
        "--races",
        "--races-checks",
        "S1",
        "--races-to",
        str(tmp_path / "races.json"),
        *(["--keep", str(tmp_path / "kept")] if keep else []),
        "--elf",
    ]
    with started(folder(*options, f"t0={tmp_path}/t0-*.elf")) as driver:
        for elf in elfs:
            driver.reset()
            for segment in read_elf(elf).segments:
                if segment.addr < L1_BYTES:
                    driver.write(segment.addr, segment.data)
            driver.reset(ALL_BUT_T0)
            driver.clock(4000)
        driver.reset()
        said = driver.end()
    assert "tensix-gdb: races of run 1\nRACE 1  write, then read: once  cfg THCON_SEC0_REG3" in said
    assert "  sw     kernel.c:35 main" in said
    assert f"tensix-gdb: races of run 2\nnot observed: {UNOBSERVED}\nno races\n" in said
    first, second = (json.loads((tmp_path / f"races-{n}.json").read_text()) for n in (1, 2))
    assert [len(one["races"]) for one in (first, second)] == [1, 0]
    assert [one["checks"] for one in (first, second)] == [["S1"], ["S1"]]


def test_what_each_run_leaves(folder: Folder, tmp_path: Path) -> None:
    kernel = ROOT / "scripts/examples/state/kernel.c"
    named = tmp_path / "kernel.elf"
    elfs = [
        build(kernel, "T0", tmp_path / f"{mended}.elf", defines=(f"MENDED={mended}",))
        for mended in (1, 0)
    ]
    kept = tmp_path / "state.json"
    options = ["--elf", f"t0={named}", "--check", "leaks", "--races-to", str(kept)]
    with started(folder(*options)) as driver:
        for elf in elfs:
            named.write_bytes(elf.read_bytes())
            driver.reset()
            for segment in read_elf(elf).segments:
                if segment.addr < L1_BYTES:
                    driver.write(segment.addr, segment.data)
            driver.reset(ALL_BUT_T0)
            driver.clock(8000)
        driver.reset()
        said = driver.end()
    assert "tensix-gdb: findings of run 1\n" in said
    found = [json.loads((tmp_path / f"state-{n}.json").read_text())["races"] for n in (1, 2)]
    assert [[one["check"] for one in each] for each in found] == [[], ["K1", "K3"]]


def begin_a_run(driver: Driver) -> None:
    """T0 runs for ever."""
    driver.reset()
    driver.write(0x6000, SPIN.to_bytes(4, "little"))
    driver.reset(ALL_BUT_T0)


def test_what_was_found_is_said_when_the_host_goes(folder: Folder, tmp_path: Path) -> None:
    """Not when the debugger goes that keeps the tile: whoever waits for the reports has them."""
    life, script = tmp_path / "life", folder("--races") / "serve.sh"
    script.write_text(script.read_text().replace(" --serve", f" --life {life} --serve"))
    with started(tmp_path) as driver:
        assert driver.process.stdout is not None
        begin_a_run(driver)
        driver.word(0)
        debugger = Debugger(driver)
        debugger.ask(b"?")
        debugger.send(b"vCont;c")
        driver.word(0)
        assert has_reports(life)
        driver.close()
        while not driver.process.stdout.readline().startswith("tensix-gdb: races of run 1"):
            pass
        while has_reports(life):
            driver.process.stdout.readline()
        assert driver.process.poll() is None
        debugger.socket.close()
        said, _ = driver.process.communicate(timeout=HANG)
        assert "races of run" not in said


def test_a_signal_ends_a_run_that_hangs_with_its_report(folder: Folder) -> None:
    with started(folder("--races")) as driver:
        begin_a_run(driver)
        driver.word(0)
        status, said = driver.end_server()
    assert status == 128 + signal.SIGTERM
    assert "tensix-gdb: races of run 1\n" in said


def test_races_are_not_observed_in_sc(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulator", str(tmp_path), "--tiles", "1x1", "--races", "--schedule", "sc"]) == 2
    assert "races cannot be observed in schedule sc" in capsys.readouterr().err


def let_go(driver: Driver, elf: Path) -> None:
    """Start a program of B as a host does: everything in reset, its bytes, B let go."""
    driver.reset()
    for segment in read_elf(elf).segments:
        if segment.addr < L1_BYTES:
            driver.write(segment.addr, segment.data)
    driver.reset(B_RUNS)
    driver.clock(4000)


@pytest.mark.parametrize("killed", [False, True])
def test_what_the_hosts_program_has_executed(folder: Folder, tmp_path: Path, killed: bool) -> None:
    elf, other, named = (tmp_path / name for name in ("a.elf", "other.elf", "kernel.elf"))
    build(PROGRAMS / "five.c", "B", elf, defines=("HART=0",))
    build(PROGRAMS / "five.c", "B", other, defines=("HART=3",))
    info, profile = tmp_path / "kernel.info", tmp_path / "profile.txt"
    options = ["--elf", f"b={named}", "--coverage", str(info), "--profile", str(profile)]
    with started(folder(*options)) as driver:
        # Its file is not there yet when the driver starts the simulator.
        let_go(driver, elf)
        named.write_bytes(elf.read_bytes())
        let_go(driver, elf)
        debugger = Debugger(driver, f"{named}: there is no such file")
        assert str(named).encode() in debugger.ask(b"qXfer:exec-file:read::0,1000")
        debugger.ask(b"D")
        debugger.socket.close()
        named.write_bytes(other.read_bytes())
        let_go(driver, other)
        if killed:
            _, said = driver.end_server()
        else:
            said = driver.end()
    assert "Traceback" not in said
    assert "never awaited" not in said
    assert said.count(f"{named} is another program than before") == 1
    assert f"coverage {info}: " in said
    lines = info.read_text().splitlines()
    assert any(line.startswith("SF:") and line.endswith("five.c") for line in lines)
    executed = [line for line in lines if line.startswith("DA:") and not line.endswith(",0")]
    assert len(executed) > 3
    assert "B, functions" in profile.read_text()
    assert "  main " in profile.read_text()


def test_of_a_pattern_it_is_the_file_that_the_host_has_loaded(
    folder: Folder, tmp_path: Path
) -> None:
    built = tmp_path / "built"
    for number in (1, 2, 3):
        (built / str(number)).mkdir(parents=True)
        elf = built / str(number) / "kernel.elf"
        build(PROGRAMS / "five.c", "B", elf, defines=(f"HART={number}",))
        os.utime(elf, (number, number))
    (built / "3" / "kernel.elf").write_bytes(b"no ELF")
    with started(folder("--elf", f"b={built}/**/kernel.elf")) as driver:
        let_go(driver, built / "1" / "kernel.elf")
        debugger = Debugger(driver)
        assert debugger.ask(b"qXfer:exec-file:read::0,1000").endswith(b"/built/1/kernel.elf")
        debugger.ask(b"D")
        debugger.socket.close()
        driver.reset()
        driver.write(0, SPIN.to_bytes(4, "little"))
        driver.reset(B_RUNS)
        driver.word(0)
        assert "not what the host has loaded for B" in driver.end()


def test_counts_and_a_history_are_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["simulator", str(tmp_path / "simulator"), "--tiles", "1x1"]
    words += ["--record", "--coverage", "x"]
    assert main(words) == 2
    assert "would be counted again" in capsys.readouterr().err
    assert not (tmp_path / "simulator").exists()


def command(debugger: Debugger, text: str) -> None:
    """A monitor command that says something."""
    said = debugger.ask(b"qRcmd," + text.encode("ascii").hex().encode("ascii"))
    while said.startswith(b"O") and said != b"OK":
        said = debugger.answer()
    assert said == b"OK"


def test_the_hosts_accesses_are_gone_back_over_and_replayed(
    folder: Folder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there, file, cycles = 0x5000, tmp_path / "host.recording", 2000
    options = ("--record", "--record-to", str(file), "--cycles", str(cycles))
    with started(folder(*options)) as driver:
        load(driver, COUNTING)
        for value in range(1, 9):
            driver.clock(cycles)
            driver.write(there, value.to_bytes(4, "little"))
            driver.clock(cycles)
            driver.word(COUNT)
        debugger = Debugger(driver)
        debugger.ask(b"?")

        def word(addr: int) -> int:
            return int.from_bytes(bytes.fromhex(debugger.ask(b"m%x,4" % addr).decode()), "little")

        assert word(there) == 8
        counted = word(COUNT)
        # Each round of the loop has twice so many cycles.
        seen = {}
        for value in (3, 0, 7, 1):
            command(debugger, f"goto {cycles * 2 * value}")
            assert word(there) == value
            seen[value] = word(COUNT)
        assert seen[0] < seen[1] < seen[3] < seen[7] < counted
        # The host waits while a client looks at the past, and while it goes through it again.
        driver.ask(COUNT)
        for _ in range(LOOKS):
            assert word(there) == 1
        assert not driver.is_answered()
        debugger.ask(b"D")
        debugger.socket.close()
        assert int.from_bytes(driver.answer(), "little") > counted
        assert driver.word(there) == 8
        assert driver.end().count("Traceback") == 0
    assert main(["replay", str(file)]) == 0
    assert "equal: " in capsys.readouterr().out
