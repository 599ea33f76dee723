# SPDX-License-Identifier: Apache-2.0
"""Recordings: whatever was done to a tile, it is replayed to the same state, here and elsewhere."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.examples.tensix.threads import SOURCE, THREADS
from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES, T0
from tensix_gdb.core.debug.named_pauses import NamedPause
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.recording.file import Recording, read_recording, write_recording
from tensix_gdb.core.recording.replay import Replay
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.main import main
from tests.core.ordering import window
from tests.gdb.harness import ROOT, serve
from tests.gdbstub.tensix.programs import five, gdb, refused, run, work_of
from tests.machines import compiled_for, machine_on
from tests.patience import HANG
from tests.pythons import pythons

SCHEDULES = (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM)
MOP = 1 + SOURCE.index("    MOP();")


def meddle(machine: Machine, seed: int, work: int) -> None:
    """Run, and do between what a debugger or a host may do, as the seed says."""
    chance = random.Random(seed)
    for _ in range(40):
        stop = machine.run(chance.randrange(1, 120))
        if stop is not None and stop.thread is None:
            machine.resume_from(stop.hart)
        hart = chance.randrange(HARTS)
        match chance.randrange(12):
            case 0:
                machine.poke(hart, 0x30000 + chance.randrange(64), chance.randbytes(9))
            case 1:
                machine.write_x(hart, chance.randrange(5, 8), chance.getrandbits(32))
            case 2:
                machine.step(hart)
            case 3:
                machine.freeze([other for other in range(HARTS) if other != hart])
            case 4:
                machine.freeze([])
            case 5:
                machine.add_break(work, 2)
            case 6:
                machine.disarm()
            case 7:
                machine.outside.dram[1].write(chance.randrange(1 << 20), b"host")
            case 8:
                machine.faults.set(chance.choice(("all=count", "missing=ignore", "all=stop")))
            case 9 if chance.randrange(4) == 0:
                machine.reset()
            case 10 if machine.S.tile.cycle > 300:
                kept = machine.snapshot()
                machine.run(chance.randrange(1, 60))
                machine.restore(kept)
            case _:
                pass


def saved(machine: Machine, path: Path) -> Recording:
    assert machine.runner.recorder is not None
    with path.open("wb") as out:
        write_recording(out, machine.runner.recorder, machine, "1.2.3", "a test")
    return read_recording(str(path), LAYOUT)


def played_again(machine: Machine, path: Path) -> Machine:
    """Somebody else's tile that has played what was recorded of this one, and is in its state."""
    recording = saved(machine, path)
    again = recording.machine("compiled")
    replay = Replay(recording, again)
    for _ in replay.play():
        pass
    assert str(replay.difference) == "None"
    assert again.hash() == machine.hash()
    return again


@pytest.mark.sample(4, "four seeds of one kind of test")
@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda schedule: schedule.name)
@pytest.mark.parametrize("seed", range(4))
def test_a_tile_that_everybody_meddles_with(schedule: Schedule, seed: int, tmp_path: Path) -> None:
    elfs = list(five(tmp_path).values())
    machine = machine_on("compiled", schedule, seed)
    for hart, path in enumerate(elfs):
        machine.load(hart, read_elf(path))
    recorder = machine.start_recording()
    meddle(machine, seed, work_of(elfs[2]))
    recorder.check()
    meddle(machine, seed + 100, work_of(elfs[2]))
    recording = saved(machine, tmp_path / "a.recording")
    for engine in ("compiled", "reference"):
        again = recording.machine(engine)
        replay = Replay(recording, again)
        for _ in replay.play():
            pass
        assert str(replay.difference) == "None"
        assert replay.checks >= 2  # more when they come so slowly that there is one by the clock
        assert again.hash() == machine.hash()
        assert again.outside.dram[1].hash() == machine.outside.dram[1].hash()
        again.close()
    machine.close()


def test_pauses_that_are_drawn_and_named(tmp_path: Path) -> None:
    machine = machine_on("compiled", Schedule.RANDOM, 15)
    window.load(machine)
    machine.start_recording()
    machine.run(3000)
    machine.pauses.add(NamedPause(False, T0, window.LOAD_AT, nth=9, cycles=777))
    machine.run(9000)
    assert [over for _, _, over in machine.pauses] == [True]
    assert machine.S.pause.count > 3
    played_again(machine, tmp_path / "pauses.recording").close()
    machine.close()


def test_sigterm_ends_a_server_that_a_script_has_put_into_the_background(tmp_path: Path) -> None:
    # There the shell has SIGINT ignored.
    elf, file = THREADS.elfs(tmp_path)["T1"], tmp_path / "background.recording"
    command = [
        sys.executable,
        "-m",
        "tensix_gdb.gdbstub",
        "serve",
        "--port",
        "0",
        "--record-to",
        str(file),
    ]
    with subprocess.Popen(
        ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *command, "--elf", f"t1={elf}"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            while "gdb-multiarch" not in process.stdout.readline():
                assert process.poll() is None
            process.terminate()
            assert process.wait(HANG) == 128 + signal.SIGTERM
        finally:
            process.kill()
    assert main(["replay", str(file)]) == 0


def test_what_gdb_does_is_in_it_and_gdb_goes_back_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elf, file = THREADS.elfs(tmp_path)["T1"], tmp_path / "gdb.recording"
    with serve({"T1": elf}, "--record-to", str(file), "--record") as server:
        said = gdb(
            server.port,
            # In the middle of four instructions that the hart would push at once.
            *(f"break mop.c:{MOP + 2}", "continue", "stepi", "stepi"),
            *("set var $x28 = 0x1234", "monitor break gate ADDDMAREG nth 2", "delete", "continue"),
            *("print $gpr[5]", "stepi", "print $gpr[5]", "reverse-stepi", "print $gpr[5]"),
            *("set $sem.is.value[1] = 2", "monitor delete all", "continue"),
            *("monitor reset halt", "tbreak compute", "continue"),
            elf=elf,
        )
    assert "received signal" in said
    assert main(["replay", str(file)]) == 0
    out = capsys.readouterr().out
    assert "equal: " in out
    with serve_recording(file) as port:
        said = gdb(
            port,
            "thread 3",
            "info symbol $pc",
            "break set_up_mop",
            "reverse-continue",
            "continue",
            "reverse-continue",
            elf=elf,
        )
    assert "compute in section .text" in said
    assert "hit Breakpoint 1, set_up_mop" in said


class serve_recording:
    """`replay --serve` on a free port."""

    def __init__(self, file: Path) -> None:
        command = [
            sys.executable,
            "-m",
            "tensix_gdb.gdbstub",
            "replay",
            str(file),
            "--serve",
            "--port",
            "0",
        ]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> int:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if "target remote" in line:
                return int(line.rpartition(":")[2].rstrip().rstrip("'"))
        raise AssertionError("the server does not listen")

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


# Of a processor without extensions. LLVM optimizes little, which takes a tenth of the time.
GENERIC = """
import sys
from tensix_gdb.core.engine import compiled, jit
compiled.compile_now.__kwdefaults__["level"] = jit.QUICK
binding = jit.llvm()
binding.get_host_cpu_name = lambda: "x86-64"
class Features(dict):
    def flatten(self):
        return ""
binding.get_host_cpu_features = lambda: Features()
from tensix_gdb.gdbstub.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def elsewhere(folder: Path, code: str, *words: str) -> str:
    """As on another machine: a home and a folder with nothing in them, and little in the
    environment."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    environment = {"HOME": str(home), "PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]}
    environment |= {"PYTHONHASHSEED": "12345", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(
        command, env=environment, cwd=home, capture_output=True, text=True, timeout=HANG
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def hash_in(lines: list[str]) -> str:
    """The hash that `run` has said."""
    (line,) = [line for line in lines if "hash " in line]
    return line.rpartition("hash ")[2]


@pytest.mark.long("tests/gdbstub/cli/test_poor_machines.py; recordings in this file")
def test_on_a_processor_without_extensions_in_an_empty_home(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elfs, file = five(tmp_path), tmp_path / "run.recording"
    said = run(capsys, elfs, "--schedule", "random:9", "--record-to", str(file))
    told = hash_in(said)
    for elf in elfs.values():
        elf.unlink()
    out = elsewhere(tmp_path, GENERIC, "replay", str(file), "--engine", "compiled")
    assert out.rstrip().endswith(f"hash {told}"), out
    assert "equal: " in out


@pytest.mark.long("recordings by this Python")
def test_by_other_versions_of_python(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elfs, file = five(tmp_path), tmp_path / "run.recording"
    told = hash_in(run(capsys, elfs, "--record-to", str(file)))
    # Their packages are this one's: with the reference engine all of them are Python alone.
    places = os.pathsep.join(
        (str(ROOT / "scripts/package"), *(path for path in sys.path if "site-packages" in path))
    )
    environment = {**os.environ, "PYTHONPATH": places, "PYTHONDONTWRITEBYTECODE": "1"}
    found = 0
    for version, python in pythons().items():
        if version == f"3.{sys.version_info.minor}":
            continue
        command = [python, "-m", "tensix_gdb.gdbstub", "replay", str(file), "--engine", "reference"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT)
        assert done.stdout.rstrip().endswith(f"hash {told}"), done.stdout + done.stderr
        found += 1
    if not found:
        pytest.skip("there is no other version of Python")


def test_the_checked_build_has_the_same_hash(tmp_path: Path) -> None:
    machine = machine_on("compiled", Schedule.RANDOM, 3)
    machine.load(2, read_elf(THREADS.elfs(tmp_path)["T1"]))
    machine.start_recording()
    machine.run(400)
    recording = saved(machine, tmp_path / "a.recording")
    again = recording.machine("reference")
    again.engine = compiled_for(again.record, again.arch, checked=True)
    replay = Replay(recording, again)
    for _ in replay.play():
        pass
    assert replay.difference is None


Change = Callable[[dict[str, object], bytearray], None]


def changed(file: Path, out: Path, change: Change) -> Path:
    with zipfile.ZipFile(file) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    index, data = json.loads(content["recording.json"]), bytearray(content["data.bin"])
    change(index, data)
    content |= {"recording.json": json.dumps(index).encode(), "data.bin": bytes(data)}
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in content.items():
            archive.writestr(name, text)
    return out


def test_differences_and_what_is_no_recording(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elfs, file, other = five(tmp_path), tmp_path / "run.recording", tmp_path / "other"
    run(capsys, elfs, "--record-to", str(file))

    def said(change: Change) -> tuple[int, str]:
        status = main(["replay", str(changed(file, other, change))])
        captured = capsys.readouterr()
        return status, captured.out + captured.err

    def a_bit(index: dict[str, object], data: bytearray) -> None:
        data[LAYOUT.slot("l1", "word").offset + L1_BYTES - 1] ^= 1

    status, text = said(a_bit)
    assert status == 1
    assert text.rstrip().rpartition("\n")[2].startswith("equal up to cycle 0; different at cycle ")
    assert text.rstrip().endswith(": l1")
    for name, value, words in (
        ("layout", "x", "its record of the tile has another layout"),
        ("format", 9, "a recording of format 9"),
        ("kind", "x", "no recording of tensix-gdb"),
        ("size", 1 << 40, "a damaged recording: its end is missing"),
        ("steps", [{"to": 1}], "a damaged recording"),
        ("programs", [{"hart": 9, "path": "x", "bias": 0}], "is for no hart"),
    ):
        status, text = said(lambda index, data, n=name, v=value: index.update({n: v}))  # type: ignore[misc]
        assert (status, words in text) == (2, True), text
    other.write_bytes(b"hello")
    assert "is not one of a packet log" in refused(capsys, "replay", str(other))
    assert "is no recording" in refused(capsys, "replay", str(other), "--serve")
    whole = file.read_bytes()
    other.write_bytes(whole[:300] + b"xxxx" + whole[304:])
    assert "damaged" in refused(capsys, "replay", str(other))
    assert "leave out --elf" in refused(capsys, "replay", str(file), f"--elf=b={elfs['B']}")
    buffer = io.BytesIO()
    zipfile.ZipFile(buffer, "w").close()
    other.write_bytes(buffer.getvalue())
    assert "damaged" in refused(capsys, "replay", str(other))
    command = ("run", f"--elf=b={elfs['B']}", "--record-to", str(tmp_path / "none" / "x"))
    assert "No such file or directory" in refused(capsys, *command)
