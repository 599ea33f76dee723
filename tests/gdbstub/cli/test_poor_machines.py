# SPDX-License-Identifier: Apache-2.0
"""Too little memory, too few open files, packages that are missing: one sentence each."""

from __future__ import annotations

import contextlib
import importlib
import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop
from tensix_gdb.gdbstub.cli.failures import sentence
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.cli.options.table import COMMANDS
from tensix_gdb.gdbstub.usage import OUT_OF_MEMORY
from tests.gdbstub.cli.terminal import ROOT, SECONDS, TENSIX_GDB, finish, start
from tests.gdbstub.wire import frame
from tests.programs.build import DEMO

B = f"--elf=b={DEMO / 'b.elf'}"
RUN = ["run", B, "--max-cycles", "100"]
SERVE = ["serve", B, "--port", "0", "--engine", "reference"]
LITMUS = ["litmus", str(ROOT / "tests" / "ordering" / "011-store-buffering.litmus")]
SHORT = f"tensix-gdb: {OUT_OF_MEMORY}\n"


def limited(option: str, value: int) -> tuple[str, ...]:
    """The command, with a limit of the shell."""
    return ("sh", "-c", f'ulimit {option} {value}; exec "$@"', "sh", *TENSIX_GDB)


# Memory


@pytest.mark.parametrize("megabytes", [20, 40, 60])
@pytest.mark.parametrize("arguments", [RUN, SERVE, LITMUS, ["isa"]], ids=lambda words: words[0])
def test_no_memory_at_the_start(arguments: list[str], megabytes: int) -> None:
    """For modules, or for the tile. Some commands need no more than that.

    Python may have something to say before: hashlib logs that it cannot be loaded, and a generator
    that cannot end is named. Python aborts where it has no memory for MemoryError itself.
    """
    status, out, err = finish(arguments, command=limited("-v", megabytes << 10))
    if status == 0:
        assert out
        assert arguments == ["isa"]
    elif status == -signal.SIGABRT:
        assert "Cannot recover from MemoryErrors" in err
    else:
        assert status == 2
        assert err.endswith(SHORT)


GROWTH = """
import re, sys
from tensix_gdb.gdbstub.cli.options.table import COMMANDS
from tensix_gdb.gdbstub.cli.parser import loaded, parser

def size():
    with open("/proc/self/status") as status:
        return int(re.search("VmSize:(.*)kB", status.read())[1]) / 1024

parser()
row = COMMANDS[sys.argv[1]]
loaded(row.options)
before = size()
loaded(row.run)
print(size() - before)
"""


@pytest.mark.parametrize("command", [name for name, row in COMMANDS.items() if row.mib > 1])
def test_modules_take_what_a_command_asks_for(command: str) -> None:
    """Not more, or a command would be refused that could run. What Python takes from the system
    for the same modules differs by up to 1.6 MiB from one process to the next."""
    told = subprocess.run(
        [sys.executable, "-c", GROWTH, command], capture_output=True, text=True, check=True
    )
    assert 0.5 * float(told.stdout) < COMMANDS[command].mib < float(told.stdout)


@pytest.mark.parametrize("megabytes", [130, 180, 230, 250, 260])
def test_no_memory_for_the_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, megabytes: int
) -> None:
    """The reference engine does with less; and it is not pip that can help. Of the least here, 64
    MiB are the record of the tile, most of which nothing touches."""
    monkeypatch.setenv("TENSIX_GDB_CACHE", str(tmp_path / "objects"))
    status, out, err = finish(RUN, command=limited("-v", megabytes << 10))
    assert status == 1
    assert out.startswith("still running after 100 cycles: ")
    assert "pip install" not in err
    if err:  # it may be over before the compiler knows
        (line,) = err.splitlines()
        assert line.startswith("tensix-gdb: ")
        assert line.endswith("; continuing with the reference engine, which is slower")


def test_no_memory_for_the_engine_that_is_wanted() -> None:
    status, out, err = finish([*RUN, "--engine", "compiled"], command=limited("-v", 150 << 10))
    assert (status, out) == (2, "")
    assert err.startswith("tensix-gdb: llvmlite cannot be used (")
    assert err.endswith("); allow more memory (`ulimit -v`), or choose `--engine reference`\n")


@contextmanager
def served(
    *arguments: str, command: Sequence[str] = TENSIX_GDB
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server and its port."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with start([*SERVE, *arguments], command=command, **pipes) as server:
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline().split("port ")[1].split(";")[0])
            server.stdout.readline()
            yield server, port
        finally:
            server.kill()


def ask(client: socket.socket, payload: bytes) -> bytes:
    """Send a packet; what comes until there is an answer or the connection ends."""
    client.sendall(frame(payload))
    heard = b""
    while b"#" not in heard:
        more = client.recv(1 << 16)
        if not more:
            return b""
        heard += more
    return heard


WHOLE_TILE = b"qXfer:tensix-core:read::0,100"
# malloc gives large blocks back at once, so the next one needs memory that the process has not.
NO_SPARE = ("env", "MALLOC_MMAP_THRESHOLD_=65536", "MALLOC_TRIM_THRESHOLD_=65536", *TENSIX_GDB)


@pytest.mark.parametrize("runs", [True, False])
@pytest.mark.parametrize("client", [1, 2])
def test_no_memory_while_it_serves(tmp_path: Path, runs: bool, client: int) -> None:
    """The server ends with all of its clients, and what is to be written is written."""
    recording, coverage = tmp_path / "recording", tmp_path / "coverage"
    outputs = [f"--record-to={recording}", f"--coverage={coverage}"]
    with (
        served(*outputs, "--engine", "reference", command=NO_SPARE) as (server, port),
        contextlib.ExitStack() as all_,
    ):
        clients = [
            all_.enter_context(socket.create_connection(("127.0.0.1", port), timeout=SECONDS))
            for _ in range(3)
        ]
        assert b"$OK" in ask(clients[0], b"QStartNoAckMode")
        clients[0].sendall(b"+")
        assert ask(clients[0], b"s").startswith(b"$T05")
        # It may have what it has, and soon needs more.
        pages = int(Path(f"/proc/{server.pid}/statm").read_text().split()[0])
        limit = pages * resource.getpagesize()
        resource.prlimit(server.pid, resource.RLIMIT_AS, (limit, limit))
        if runs:
            clients[0].sendall(frame(b"c"))
        with contextlib.suppress(OSError):
            for _ in range(100):
                if not ask(clients[client], WHOLE_TILE):
                    break
        out, err = server.communicate(timeout=SECONDS)
    assert (server.returncode, err) == (2, SHORT)
    assert "coverage " in out
    assert main(["replay", str(recording)]) == 0
    assert "end_of_record" in coverage.read_text()


def test_no_memory_while_it_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in Python's memory: in what a run takes."""
    run_before = Machine.run

    def run(machine: Machine, cycles: int) -> Stop | None:
        if machine.S.tile.cycle:
            raise MemoryError
        return run_before(machine, 100)

    monkeypatch.setattr(Machine, "run", run)
    names = ("record-to", "coverage", "profile", "core")
    outputs = {name: tmp_path / name for name in names}
    given = [f"--{name}={path}" for name, path in outputs.items()]
    assert main(["run", B, "--engine", "reference", *given]) == 2
    assert capsys.readouterr().out.startswith(f"{OUT_OF_MEMORY}, after 100 cycles: B at ")
    monkeypatch.setattr(Machine, "run", run_before)
    assert main(["replay", str(outputs["record-to"])]) == 0
    assert main(["core", str(outputs["core"])]) == 0
    assert "end_of_record" in outputs["coverage"].read_text()
    assert "B, functions" in outputs["profile"].read_text()


# Open files


@pytest.mark.parametrize("number", [7, 8, 9, 10])
def test_no_files_at_the_start(number: int) -> None:
    status, out, err = finish(SERVE, command=limited("-n", number))
    assert (status, out) == (2, "")
    assert err in (
        "tensix-gdb: the system gives no more open files; allow more (`ulimit -n`)\n",
        "tensix-gdb: cannot listen on 127.0.0.1 port 0: too many open files\n",
    )


def test_few_files_are_enough() -> None:
    with served(command=limited("-n", 16)) as (server, port):
        with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as client:
            assert b"$OK" in ask(client, b"QStartNoAckMode")
        server.terminate()
        assert server.communicate(timeout=SECONDS)[1] == ""


# Packages


def without(package: str, folder: Path) -> dict[str, str]:
    """An environment in which it is not installed."""
    text = f"raise ModuleNotFoundError(\"No module named '{package}'\", name='{package}')\n"
    (folder / f"{package}.py").write_text(text)
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}


@pytest.mark.parametrize(
    ("package", "name"), [("trio", "trio"), ("elftools", "pyelftools"), ("construct", "construct")]
)
def test_a_package_that_is_not_installed(tmp_path: Path, package: str, name: str) -> None:
    status, out, err = finish(SERVE, env=without(package, tmp_path))
    assert (status, out) == (2, "")
    assert err == f"tensix-gdb: {package} is not installed; type `pip install {name}`\n"


def test_a_module_of_this_program_that_is_missing_is_a_defect() -> None:
    """No package can be installed for it."""
    with pytest.raises(ModuleNotFoundError) as missing:
        importlib.import_module("tensix_gdb.core.none_such")
    assert sentence(missing.value) == ""


@pytest.mark.parametrize("command", ["run", "serve", "litmus", "replay", "core"])
def test_the_compiled_engine_without_llvmlite(tmp_path: Path, command: str) -> None:
    files = {"replay": tmp_path / "recording", "core": tmp_path / "core"}
    arguments = {
        "run": RUN,
        "serve": SERVE,  # the last of two engines counts
        "litmus": LITMUS,
        "replay": ["replay", str(files["replay"])],
        "core": ["serve", "--core", str(files["core"]), "--port", "0"],
    }[command]
    if command in files:
        option = {"replay": "--record-to", "core": "--core"}[command]
        assert main([*RUN, "--engine", "reference", option, str(files[command])]) == 1
    status, _, err = finish([*arguments, "--engine", "compiled"], env=without("llvmlite", tmp_path))
    assert status == 2
    assert err == (
        "tensix-gdb: llvmlite cannot be used (llvmlite is not installed); install it with"
        " `pip install llvmlite`, or choose `--engine reference`\n"
    )
