# SPDX-License-Identifier: Apache-2.0
"""Several tiles as the simulator of one host: accesses by core, time, what is refused."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import (
    RESET_PC,
    SOFT_RESET_BIT,
    SOFT_RESET_HARTS,
    T0,
    T1,
    B,
)
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.host.library.build import LIBRARY
from tensix_gdb.gdbstub.tensix.corefile.elf import machine_from, read_core
from tests.assembler import SPIN, asm, li
from tests.core.chip.programs import (
    ATOMIC,
    BROADCAST,
    COPY,
    DATA,
    INCREMENT,
    MARKED,
    READ,
    RESULT,
    SEMAPHORE,
    WRITE,
    at,
    barrier,
    copy_word,
    request,
    store,
)
from tests.core.chip.programs import wait_for as waits_for
from tests.gdbstub.host.library.host import run
from tests.gdbstub.host.simulator.driver import B_RUNS, Driver, started
from tests.gdbstub.host.simulator.test_simulator import LOOKS, Debugger

NEAR, FAR = (1, 2), (2, 3)
DONE, COUNT = 0x7000, 0x4000
BYTES = bytes(range(64))
Folder = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Writes the folder of a simulator of 2x2 tiles with these options."""

    def write(*options: str) -> Path:
        assert main(["simulator", str(tmp_path), "--port", "0", "--tiles", "2x2", *options]) == 0
        return tmp_path

    return write


def load(driver: Driver, core: tuple[int, int], words: list[int]) -> None:
    driver.core = core
    driver.reset()
    driver.write(0, b"".join(word.to_bytes(4, "little") for word in [*words, SPIN]))
    driver.reset(B_RUNS)


def wait_for(driver: Driver, addr: int, value: int) -> None:
    """As a host: read until it is there."""
    for _ in range(50):
        if driver.word(addr) == value:
            return
    pytest.fail(f"{addr:#x} is not {value}")


def test_a_write_from_tile_to_tile(folder: Folder) -> None:
    # Translation of coordinates is on: those of NoC 0 mean a Tensix tile on both.
    sends = [
        *request(WRITE | MARKED, DATA, at(NEAR), COPY, at(FAR), len(BYTES), niu=1),
        *barrier(1),
        *store(DONE, 1),
    ]
    with started(folder()) as driver:
        driver.core = NEAR
        driver.write(DATA, BYTES)
        load(driver, NEAR, sends)
        wait_for(driver, DONE, 1)
        driver.core = FAR
        assert driver.read(COPY, len(BYTES)) == BYTES
        driver.core = NEAR
        assert driver.read(COPY, len(BYTES)) == bytes(len(BYTES))
        assert "Traceback" not in driver.end()


def test_dram_is_one_for_all_and_time_passes_only_while_the_host_waits(folder: Folder) -> None:
    counts = [*li(10, COUNT), asm("addi", rd=11, rs1=11, imm=1), asm("sw", rs1=10, rs2=11)]
    counts.append(asm("jal", imm=-8))
    with started(folder("--cycles", "300")) as driver:
        driver.core = (0, 1)
        driver.write(0x1000, b"dram")
        load(driver, NEAR, counts)
        load(driver, FAR, counts)
        assert driver.word(COUNT) == 0, "the host has not waited yet"
        assert driver.word(COUNT) == 0, "the first read that repeats one"
        first = driver.word(COUNT)
        assert 0 < first < 300, "time has passed, and no more than the host has waited for"
        driver.write(0x8000, b"none")
        assert driver.word(COUNT) == first, "an access that is no wait takes no time"
        driver.core = (0, 11)
        assert driver.read(0x1000) == b"dram"
        driver.end()


def test_a_multicast_over_a_hole_is_said_once(folder: Folder) -> None:
    there = at((3, 3)) | at(NEAR) << 12
    sends = request(WRITE | MARKED | BROADCAST, DATA, at(NEAR), COPY, there, len(BYTES))
    with started(folder()) as driver:
        driver.core = NEAR
        driver.write(DATA, BYTES)
        load(driver, NEAR, [*sends, *barrier(0), *sends, *barrier(0), *store(DONE, 1)])
        wait_for(driver, DONE, 1)
        driver.core = FAR
        assert driver.read(COPY, len(BYTES)) == BYTES
        said = driver.end()
    hole = "sends to a rectangle that has no tile at 3-2 3-3: nothing there receives it"
    assert said.count("1-2 B at 0x") == said.count(hole) == 2, said  # two lines of the program


def test_what_is_read_of_a_core_that_is_not_there_is_zero(folder: Folder) -> None:
    with started(folder("--faults", "unimplemented=count")) as driver:
        driver.core = (3, 2)
        driver.write(0, b"lost")
        assert driver.read(0) == bytes(4)
        said = driver.end()
    for sentence in (
        "core 3-2 is not there: what is written to it is lost",
        "core 3-2 is not there: what is read from it is zero",
    ):
        assert said.count(sentence) == 1, said


def sends_to(there: tuple[int, int]) -> list[int]:
    return [
        *request(WRITE | MARKED, DATA, at(NEAR), COPY, at(there), len(BYTES)),
        *barrier(0),
        *store(DONE, 1),
    ]


def test_the_same_calls_come_to_the_same_states(
    folder: Folder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With any number of threads, recorded and replayed, on both engines."""
    hashes = set()

    def replay(file: Path, *options: str) -> None:
        capsys.readouterr()
        assert main(["replay", str(file), *options]) == 0
        said = capsys.readouterr().out
        found = re.fullmatch(r"equal: 4 tiles, (\d+) cycles with 3 inputs, hash (\w+)\n", said)
        assert found, said
        hashes.add(found.groups())

    for threads in (1, 4):
        file = tmp_path / f"{threads}.recording"
        observed = ("--races",) if threads == 4 else ()  # its clocks are no state
        options = ("--record-to", str(file), "--threads", str(threads), *observed)
        with started(folder(*options)) as driver:
            driver.core = NEAR
            driver.write(DATA, BYTES)
            load(driver, NEAR, sends_to(FAR))
            wait_for(driver, DONE, 1)
            load(driver, FAR, sends_to(NEAR))
            wait_for(driver, DONE, 1)
            driver.core = (0, 1)
            driver.write(0x1000, b"dram")
            driver.end()
        replay(file, "--threads", str(5 - threads))
    replay(file, "--engine", "reference")
    assert len(hashes) == 1


def told(debugger: Debugger, line: str) -> str:
    """Return what a `monitor` command says."""
    debugger.send(b"qRcmd," + line.encode().hex().encode())
    said = b""
    while (answer := debugger.answer()) != b"OK":
        said += bytes.fromhex(answer.removeprefix(b"O").decode())
    return said.decode()


def test_a_client_goes_back_while_the_host_waits(folder: Folder) -> None:
    with started(folder("--record", "--cycles", "300")) as driver:
        driver.core = NEAR
        load(driver, NEAR, sends_to(FAR))
        driver.write(DATA, BYTES)
        wait_for(driver, DONE, 1)
        debugger = Debugger(driver)
        debugger.ask(b"?")
        said = re.search(r"the chip is at cycle (\d+)", told(debugger, "record"))
        assert said
        assert int(said[1]) > 0
        assert "The chip is at cycle 0" in told(debugger, "goto 0")
        driver.ask(DATA, len(BYTES))
        for _ in range(LOOKS // 8):
            assert "cycle 0, 4 tiles" in told(debugger, "chip")
        assert not driver.is_answered()
        assert "The chip is at cycle 1" in told(debugger, "goto 1")
        debugger.ask(b"D")
        debugger.socket.close()
        assert driver.answer() == BYTES, "the last client has gone: it is in the present"
        assert driver.word(DONE) == 1
        assert "Traceback" not in driver.end()


def test_core_files_of_the_chip_and_of_a_tile(
    folder: Folder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, one = str(tmp_path / "chip.core"), str(tmp_path / "tile.core")
    with started(folder()) as driver:
        driver.core = NEAR
        driver.write(DATA, BYTES)
        load(driver, NEAR, sends_to(FAR))
        wait_for(driver, DONE, 1)
        capsys.readouterr()
        port = str(driver.port())
        assert main(["core", "--port", port, whole]) == 0
        said = capsys.readouterr().out
        found = re.search(r"core file .*, cycle (\d+), hash (\w+)\n +taken while the chip", said)
        assert found, said
        assert main(["core", "--port", port, whole]) == 0, "a core file may be replaced"
        assert main(["core", "--port", port, "--tile", "2-3", one]) == 0
        assert main(["core", "--port", port, "--tile", "9-9", one]) == 2
        assert "there is no tile 9-9: they are 1-2 to 2-3" in capsys.readouterr().err
        driver.end()
    assert main(["core", one]) == 0
    assert "a Blackhole tile in cycle" in capsys.readouterr().out
    note = read_core(one)
    with contextlib.closing(machine_from(note, "reference")) as machine:
        assert machine.peek(B, COPY, len(BYTES)) == BYTES
    assert main(["core", whole]) == 0
    said = capsys.readouterr().out
    assert (
        f"4 tiles of a Blackhole chip in cycle {found[1]}, schedule latency, hash {found[2]}"
        in (said)
    )
    assert "y=3  .....  ....." in said
    assert main(["replay", whole]) == 0
    assert f"equal: 4 tiles, {found[1]} cycles with 0 inputs, hash {found[2]}" in (
        capsys.readouterr().out
    )
    assert main(["serve", "--core", whole]) == 2
    assert "tensix-gdb replay --serve" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["0x3", "20x20", "15x1", "1x11", "2", "2x", "-1x2", "axb", ""])
def test_no_grid(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulator", str(tmp_path), f"--tiles={text}"]) == 2
    said = capsys.readouterr().err
    assert "name columns and rows of tiles, from 1x1 to 14x10" in said
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())


def release(
    driver: Driver, core: tuple[int, int], harts: tuple[int, ...], words: list[int]
) -> None:
    """Give T cores a program, and let them leave reset."""
    driver.core = core
    for hart in harts:
        driver.write(
            RESET_PC[hart], b"".join(word.to_bytes(4, "little") for word in [*words, SPIN])
        )
    value = SOFT_RESET_HARTS & ~sum(1 << SOFT_RESET_BIT[hart] for hart in harts)
    driver.reset(value)


def test_what_is_written_of_each_tile(folder: Folder, tmp_path: Path) -> None:
    runs, profile, info = (tmp_path / name for name in ("runs.txt", "profile.json", "cov.info"))
    options = ["--runs", str(runs), "--profile", str(profile), "--coverage", str(info)]
    with started(folder(*options, "--pause", "2-3.T0@0x6000:5000", "--cycles", "20000")) as driver:
        release(driver, NEAR, (T0,), store(DONE, 1))
        release(driver, FAR, (T0,), store(DONE, 2))
        wait_for(driver, DONE, 2)
        driver.core = NEAR
        wait_for(driver, DONE, 1)
        said = driver.end()
    lines = {row["tile"]: row for row in map(json.loads, runs.read_text().splitlines())}
    assert set(lines) == {"1-2", "2-3"}
    executed = {tile: row["instructions"][T0] for tile, row in lines.items()}
    assert executed["2-3"] + 900 < executed["1-2"], "one has paused for 5000 cycles"
    for tile, row in lines.items():
        path = tmp_path / f"profile-{tile}.json"
        assert f"profile {path}: {row['cycles']} cycles" in said
        assert json.loads(path.read_text())["profiles"]
    assert not (tmp_path / "profile-2-2.json").exists(), "nothing ran on it"
    assert f"coverage {info}: nothing has source lines" in said


def test_races_of_each_tile(folder: Folder, tmp_path: Path) -> None:
    """T0 and T1 of one tile store to a word, which nothing orders; the other tile has T0 alone."""
    with started(folder("--races", "--races-to", str(tmp_path / "races.json"))) as driver:
        release(driver, NEAR, (T0, T1), store(DONE, 1))
        release(driver, FAR, (T0,), store(DONE, 1))
        wait_for(driver, DONE, 1)
        said = driver.end()
    assert "tensix-gdb: races of run 1 of tile 1-2" in said
    assert "of tile 2-3" not in said
    assert "tensix-gdb: 1 report of races in 2 runs of 4 tiles" in said
    assert (tmp_path / "races-1-2-1.json").exists()


def test_a_race_of_two_tiles_is_one_report(folder: Folder) -> None:
    """The same program on both: its lines are one kind, with a count of tiles at the end."""
    with started(folder("--races")) as driver:
        for tile in (NEAR, FAR):
            release(driver, tile, (T0, T1), store(DONE, 1))
        wait_for(driver, DONE, 1)
        driver.core = NEAR
        wait_for(driver, DONE, 1)
        said = driver.end()
    assert said.count("RACE 1  write, then write") == 1, said
    assert "2 tiles (1-2, 2-3): RACE  write, then write: " in said, said
    assert "tensix-gdb: 1 report of races in 2 runs of 4 tiles" in said, said


def test_a_host_that_waits_in_its_own_manner_is_not_observed(folder: Folder) -> None:
    """Without tt-metal's firmware nothing says how the host learns that it may read."""
    with started(folder("--races")) as driver:
        release(driver, NEAR, (T0,), store(DONE, 1) + store(DATA + 32, 7))
        wait_for(driver, DONE, 1)
        while driver.read(DATA, len(BYTES))[32] != 7:
            pass
        said = driver.end()
    assert "tensix-gdb: no races in 1 runs of 4 tiles" in said, said


@pytest.mark.parametrize("waits", [False, True])
def test_a_race_between_tiles(folder: Folder, waits: bool) -> None:
    """A semaphore by another NoC than the data: a barrier is what orders them."""
    sends = [
        *request(WRITE | MARKED, DATA, at(NEAR), COPY, at(FAR), len(BYTES), niu=1),
        *(barrier(1) if waits else ()),
        *request(ATOMIC, SEMAPHORE, at(FAR), 0, 0, INCREMENT, data=1),
        *store(DONE, 1),
    ]
    takes = [*waits_for(SEMAPHORE, 1), *copy_word(COPY + len(BYTES) - 4, RESULT), *store(DONE, 1)]
    with started(folder("--races")) as driver:
        release(driver, FAR, (T0,), takes)
        release(driver, NEAR, (T0,), sends)
        wait_for(driver, DONE, 1)
        driver.core = FAR
        wait_for(driver, DONE, 1)
        assert driver.word(SEMAPHORE) == 1
        said = driver.end()
    assert ("tensix-gdb: races of run 1 of tile 2-3" in said) == (not waits), said
    assert ("NoC 1 of tile 1-2" in said or "NoC 1 of tile (1, 2)" in said) == (not waits)
    assert f"{'no' if waits else 1} report" in said or "no races" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--keep", "x"], "--keep keeps one tile"),
        (["--pause", "9-9.T0@0x0:5"], "there is no tile 9-9: they are 1-2 to 2-3"),
        (["--record-to", "x", "--profile", "y"], "would be counted again"),
        (["--profile", "nowhere/x"], "there is no such directory"),
    ],
)
def test_what_several_tiles_do_not_have(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulator", str(tmp_path), "--tiles", "2x2", *words]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_no_recording_of_the_memory_of_a_host(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder("--record")
    monkeypatch.setenv("TT_METAL_SIMULATOR", str(path / LIBRARY))
    monkeypatch.delenv("TT_METAL_SLOW_DISPATCH_MODE", raising=False)
    monkeypatch.delenv("TT_METAL_DRAM_BACKED_CQ", raising=False)
    status, _, (refused, _) = run(path / LIBRARY, "lib.init()")
    assert status == 1
    assert "set TT_METAL_DRAM_BACKED_CQ=1" in refused


def test_options_that_know_one_tile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulator", str(tmp_path), "--tiles", "2x1", "--stop-at-end"]) == 2
    said = capsys.readouterr().err
    assert "tiles" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("words", ["--web 0", "--check leaks", "--races strict", "--schedule sc"])
def test_options_that_know_a_chip(words: str, tmp_path: Path) -> None:
    assert main(["simulator", str(tmp_path), "--tiles", "2x1", *words.split()]) == 0
    assert f" {words} " in (tmp_path / "serve.sh").read_text("utf-8")


PCIE, HERE = (2, 0), 0x20000000  # part of an address in the host's memory
FROM_HOST = [
    *request(READ, HERE, at(PCIE), DATA, at(NEAR), 64),
    *barrier(0),
    *request(WRITE | MARKED, DATA, at(NEAR), HERE + 0x100, at(PCIE), 64),
    *barrier(0),
    *store(DONE, 1),
]


def test_memory_of_the_host(folder: Folder) -> None:
    """Its callbacks are called while it waits for what it reads."""
    with started(folder()) as driver:
        driver.set_memory(HERE, BYTES)
        load(driver, NEAR, FROM_HOST)
        wait_for(driver, DONE, 1)
        assert driver.memory(HERE + 0x100) == BYTES
        driver.end()


def test_tiles_run_while_the_host_waits_for_its_own_memory(folder: Folder) -> None:
    """It reads nothing, and says that time passes."""
    with started(folder()) as driver:
        driver.set_memory(HERE, BYTES)
        load(driver, NEAR, FROM_HOST)
        for _ in range(50):
            driver.clock(1)
            if driver.memory(HERE + 0x100):
                break
        assert driver.memory(HERE + 0x100) == BYTES
        wait_for(driver, DONE, 1)
        driver.end()


def test_a_host_that_vanishes_while_a_tile_reads_its_memory(folder: Folder) -> None:
    with started(folder()) as driver:
        driver.set_memory(HERE, b"")  # of which a read takes for ever
        load(driver, NEAR, FROM_HOST)
        load(driver, FAR, [SPIN])
        driver.core = NEAR
        driver.ask(DONE)
        driver.ask(DONE)
        assert driver.answer() == bytes(4)
        assert driver.answer() == b"reads"
        said = driver.vanish()
    assert said.count("the host has gone: what is read from its memory is zero") == 1, said
    assert "Traceback" not in said
