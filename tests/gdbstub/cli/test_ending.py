# SPDX-License-Identifier: Apache-2.0
"""However a command is ended, its files are written, and the exit status says by what."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tensix_gdb.core.semihosting.operations import Op
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.starter import STDIN, VARIABLE
from tests.core.semihosting.program import data, program
from tests.elf_maker import make_elf, words
from tests.gdbstub.cli.terminal import ROOT, SECONDS, TENSIX_GDB, finish, in_terminal, start
from tests.gdbstub.host.simulator.driver import started
from tests.gdbstub.wire import frame
from tests.programs.build import DEMO

B = f"--elf=b={DEMO / 'b.elf'}"
PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
SIGNALS = [signal.SIGTERM, signal.SIGHUP]
NAMES = ("recording", "coverage", "profile")
SPIN = 0x0000006F


@pytest.fixture
def outputs(tmp_path: Path) -> dict[str, Path]:
    return {name: tmp_path / name for name in NAMES}


def options(outputs: dict[str, Path]) -> list[str]:
    """Of a command that writes all of them."""
    return [
        f"--record-to={outputs['recording']}",
        f"--coverage={outputs['coverage']}",
        f"--profile={outputs['profile']}",
    ]


def all_are_written(outputs: dict[str, Path]) -> bool:
    """True if each is whole."""
    return (
        main(["replay", str(outputs["recording"])]) == 0
        and "end_of_record" in outputs["coverage"].read_text()
        and "B, functions" in outputs["profile"].read_text()
    )


@contextmanager
def listening(
    *arguments: str, command: Sequence[str] = TENSIX_GDB, stdin: int | None = None
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server, and its port."""
    options = ["serve", B, "--port", "0", *arguments]
    with start(options, command=command, stdin=stdin, **PIPES) as server:
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline().split("port ")[1].split(";")[0])
            server.stdout.readline()
            yield server, port
        finally:
            server.kill()


def step(port: int) -> None:
    """Let the tile execute an instruction."""
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as client:
        client.sendall(b"+" + frame(b"QStartNoAckMode") + b"+" + frame(b"s"))
        heard = b""
        while b"$T05" not in heard:
            came = client.recv(4096)
            assert came, f"the server ends the connection after {heard!r}"
            heard += came


@contextmanager
def served(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A server whose tile has executed an instruction."""
    with listening(*arguments) as (server, port):
        step(port)
        yield server


@pytest.mark.parametrize("number", SIGNALS)
def test_a_server(outputs: dict[str, Path], number: signal.Signals) -> None:
    with served(*options(outputs)) as server:
        server.send_signal(number)
        out, err = server.communicate(timeout=SECONDS)
    assert (server.returncode, err) == (128 + number, "")
    assert out.startswith("stopped\ncoverage ")
    assert all_are_written(outputs)


def test_a_server_ends_with_the_program_that_has_started_it(outputs: dict[str, Path]) -> None:
    """Where that has asked for it: an editor's adapter, as it may be killed. What it writes to its
    server is not read."""
    command = ("env", f"{VARIABLE}={STDIN}", *TENSIX_GDB)
    with listening(*options(outputs), command=command, stdin=subprocess.PIPE) as (server, port):
        assert server.stdin is not None
        server.stdin.write("something\n")
        server.stdin.flush()
        step(port)
        assert server.poll() is None
        out, err = server.communicate(timeout=SECONDS)  # closes its standard input
    assert (server.returncode, err) == (143, "")
    assert out.startswith("stopped\ncoverage ")
    assert all_are_written(outputs)


def test_a_server_that_is_told_twice(outputs: dict[str, Path]) -> None:
    """As by a terminal that is closed. The second time nothing is interrupted."""
    with served(*options(outputs)) as server:
        for _ in range(5):
            server.send_signal(signal.SIGHUP)
        _, err = server.communicate(timeout=SECONDS)
    assert (server.returncode, err) == (129, "")
    assert all_are_written(outputs)


def test_what_is_ignored_stays_ignored() -> None:
    """`nohup` ignores SIGHUP, and a script SIGINT for what it puts into the background."""
    command = ("sh", "-c", 'trap "" INT HUP; exec "$@"', "sh", *TENSIX_GDB)
    with listening(command=command) as (server, port):
        for number in (signal.SIGINT, signal.SIGHUP):
            server.send_signal(number)
        step(port)
        server.terminate()
        out, err = server.communicate(timeout=SECONDS)
    assert (server.returncode, out, err) == (143, "stopped\n", "")


@pytest.fixture
def elf(tmp_path: Path) -> Path:
    """Writes a line, and then goes round in a circle."""
    path = tmp_path / "spins.elf"
    code = program([(Op.SYS_WRITE0, data(0))])
    path.write_bytes(make_elf([(0, words(*code, SPIN)), (data(0), b"here\n\0")]))
    return path


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT])
def test_a_run(elf: Path, outputs: dict[str, Path], tmp_path: Path, number: signal.Signals) -> None:
    core, trace = tmp_path / "core", tmp_path / "trace.json"
    arguments = ["run", f"--elf=b={elf}", "--semihosting", *options(outputs)]
    arguments += ["--core", str(core), "--trace", str(trace), "--engine", "reference"]
    with start(arguments, **PIPES) as run:
        try:
            assert run.stdout is not None
            assert run.stdout.readline() == "here\n"
            run.send_signal(number)
            out, err = run.communicate(timeout=SECONDS)
        finally:
            run.kill()
    assert (run.returncode, err) == (128 + number, "")
    assert out.startswith("interrupted after ")
    assert main(["replay", str(outputs["recording"])]) == 0
    assert "B, functions" in outputs["profile"].read_text()
    assert main(["core", str(core)]) == 0
    assert trace.read_text().rstrip().endswith("]}")


def test_a_terminal_that_is_closed(elf: Path, outputs: dict[str, Path]) -> None:
    """Nothing can be said any more; what is to be written is."""
    arguments = ["run", f"--elf=b={elf}", "--semihosting", *options(outputs)]
    with in_terminal(arguments) as terminal:
        terminal.wait_for(b"here")
        process = terminal._process
    _, status = os.waitpid(process, 0)
    assert os.waitstatus_to_exitcode(status) == 129
    assert main(["replay", str(outputs["recording"])]) == 0


TEXT_THAT_CANNOT_BE_WRITTEN = """
import signal, sys
from tensix_gdb.gdbstub.cli import main

def run(arguments):
    print("text")
    main.end_signal.number = signal.SIGHUP
    raise KeyboardInterrupt

main._run = run
sys.exit(main.main(["demo"]))
"""


def test_text_that_is_left_and_cannot_be_written() -> None:
    """Python ends with status 120 when it fails to write it."""
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-E", "-c", TEXT_THAT_CANNOT_BE_WRITTEN]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=SECONDS)
    assert (done.returncode, done.stderr) == (129, b"")


def test_a_simulator(tmp_path: Path) -> None:
    folder, recording = tmp_path / "simulator", tmp_path / "recording"
    assert (
        main(["simulator", str(folder), "--port=0", "--tiles=1x1", "--record-to", str(recording)])
        == 0
    )
    with started(folder) as driver:
        driver.word(0)
        status, said = driver.end_server(signal.SIGHUP)
    assert status == 129, said
    assert main(["replay", str(recording)]) == 0


@pytest.mark.parametrize("number", SIGNALS)
def test_a_server_with_its_gdb(tmp_path: Path, number: signal.Signals) -> None:
    """GDB goes with it."""
    gdb, recording = tmp_path / "debugger", tmp_path / "recording"
    gdb.write_text("#!/bin/sh\necho $$\nexec sleep 1000\n")
    gdb.chmod(0o755)
    arguments = ["gdb", B, "--gdb", str(gdb), "--record-to", str(recording)]
    with start(arguments, **PIPES) as server:
        try:
            assert server.stdout is not None
            child = int(server.stdout.readline())
            server.send_signal(number)
            _, err = server.communicate(timeout=SECONDS)
        finally:
            server.kill()
    assert (server.returncode, err) == (128 + number, "")
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    assert main(["replay", str(recording)]) == 0


# Ctrl-C before anything is there


RUN, SERVE = ["run", B], ["serve", B, "--port", "0"]


@pytest.mark.parametrize(
    ("arguments", "module"),
    [
        *(
            (RUN, name)
            for name in (
                "tensix_gdb.gdbstub.cli.main",
                "argparse",
                "tensix_gdb.gdbstub.cli.parser",
                "tensix_gdb.core.machine.machine",
            )
        ),
        (RUN, "tensix_gdb.core.engine.background"),
        *((SERVE, name) for name in ("tensix_gdb.gdbstub.cli.serve", "trio")),
        (["isa"], "tensix_gdb.core.explain.instruction"),
        (["demo"], "tensix_gdb.gdbstub.demo.steps"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_ctrl_c_while_modules_are_loaded(tmp_path: Path, arguments: list[str], module: str) -> None:
    """The process ends as by the signal, or in order, and says nothing."""
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTED_IMPORT)
    path = os.pathsep.join((str(tmp_path), str(ROOT)))
    environment = {**os.environ, "PYTHONPATH": path, "INTERRUPTED": module}
    status, out, err = finish(arguments, env=environment)
    assert status in (-signal.SIGINT, 130)
    assert (out, err) == ("", "")


# Presses Ctrl-C when the module is found, which is when it is about to be loaded.
INTERRUPTED_IMPORT = """\
import os, sys, _signal
class Finder:
    def find_spec(name, path=None, target=None):
        if name == os.environ["INTERRUPTED"]:
            _signal.raise_signal(_signal.SIGINT)
sys.meta_path.insert(0, Finder)
"""
