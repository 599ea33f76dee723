# SPDX-License-Identifier: Apache-2.0
"""A command that a warm process does says, and ends as, what it does by itself."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.vscode.plan import plan_for
from tests.dap import extension
from tests.elf_maker import make_elf, words
from tests.gdbstub.warm.warm import TENSIX_GDB, TOLD, handed, is_done_here, warm
from tests.patience import turns

SPIN = 0x0000006F
MEBIBYTES = 200  # that it may have, with what it shares with its copies
KERNEL = "// RUN: tensix-gdb run --elf b=spin.elf\nint main(void)\n{\n}\n"


@pytest.fixture(scope="module")
def process() -> Iterator[tuple[subprocess.Popen[str], str]]:
    with warm() as made:
        yield made


@pytest.fixture
def environment(process: tuple[subprocess.Popen[str], str]) -> dict[str, str]:
    return handed(process[1])


@pytest.fixture
def spin(tmp_path: Path) -> Path:
    """A program that does not end."""
    path = tmp_path / "spin.elf"
    path.write_bytes(make_elf([(0, words(SPIN))]))
    return path


def serve(spin: Path, environment: dict[str, str]) -> subprocess.Popen[str]:
    """A server that listens."""
    command = [*TENSIX_GDB, "serve", "--elf", f"b={spin.name}", "--port", "0"]
    process = subprocess.Popen(
        command, cwd=spin.parent, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert "listening on" in process.stdout.readline()
    process.stdout.readline()
    return process


@pytest.mark.parametrize(
    "command",
    [
        ("disasm", "0x02000000"),
        ("run", "--help"),
        ("nonsense",),
        ("run", "--elf", "b=none.elf"),
        ("vscode", "--plan", "kernel.c"),
    ],
    ids=lambda command: command[0],
)
def test_it_says_the_same(
    command: tuple[str, ...], environment: dict[str, str], spin: Path
) -> None:
    """In the folder where it was typed, to the files and with the status that are its own."""
    (spin.parent / "kernel.c").write_text(KERNEL, "utf-8")
    said = [
        subprocess.run([*TENSIX_GDB, *command], cwd=spin.parent, env=each, capture_output=True)
        for each in (os.environ, environment)
    ]
    assert said[0].stdout or said[0].stderr
    assert len({(one.returncode, one.stdout, one.stderr) for one in said}) == 1


def test_a_copy_does_it(environment: dict[str, str], tmp_path: Path) -> None:
    assert not is_done_here(environment, tmp_path)
    assert is_done_here({**environment, "TENSIX_GDB_CACHE": str(tmp_path)}, tmp_path)
    assert is_done_here(handed(str(tmp_path / "none")), tmp_path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_copy(
    number: signal.Signals, environment: dict[str, str], spin: Path
) -> None:
    """With the output and the status that it has by itself."""
    with serve(spin, environment) as server:
        server.send_signal(number)
        assert server.stdout is not None
        assert server.stdout.read() == "stopped\n"
    assert server.returncode == (0 if number == signal.SIGINT else 128 + number)


def test_a_copy_ends_when_its_client_is_killed(environment: dict[str, str], spin: Path) -> None:
    with serve(spin, environment) as server:
        server.kill()
        assert server.stdout is not None
        assert server.stdout.read() == "stopped\n"  # the copy has its other end


def test_it_has_one_thread_and_bounded_memory(
    process: tuple[subprocess.Popen[str], str], environment: dict[str, str], tmp_path: Path
) -> None:
    """No other thread: a lock that it holds would stay locked in a copy."""
    assert not is_done_here(environment, tmp_path)  # all is loaded
    status = Path(f"/proc/{process[0].pid}/status").read_text("ascii")
    rows = dict(line.split(":", 1) for line in status.splitlines())
    assert int(rows["Threads"]) == 1
    assert int(rows["VmRSS"].split()[0]) < MEBIBYTES << 10


def test_it_ends_with_the_editor(spin: Path) -> None:
    """And with it what it does; its socket is gone. A plan is made while it loads."""
    (spin.parent / "kernel.c").write_text(KERNEL, "utf-8")
    with warm() as (process, socket):
        plan = [*TOLD, "vscode", "--plan", "kernel.c"]
        made = subprocess.run(
            plan, cwd=spin.parent, env=handed(socket), capture_output=True, text=True, check=True
        )
        assert "spin.elf" in made.stdout
        assert "gdbstub.cli.main" not in made.stderr
        server = serve(spin, handed(socket))
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait() == 0
        assert not Path(socket).parent.exists()
        with server:
            assert server.stdout is not None
            assert server.stdout.read() == "stopped\n"


def test_it_does_nothing_with_files_that_have_changed(tmp_path: Path) -> None:
    """Older than what is there is what it has loaded: it ends, and the command is done anew."""
    (tmp_path / "later.py").write_text("ANSWER = 1\n", "utf-8")
    begin = (
        f"import sys; sys.path.append({str(tmp_path)!r}); import later; "
        "from tensix_gdb.gdbstub.__main__ import main; sys.exit(main())"
    )
    with warm(TENSIX_GDB[0], "-c", begin) as (process, socket):
        assert not is_done_here(handed(socket), tmp_path)
        os.utime(tmp_path / "later.py", ns=(1, 1))
        assert is_done_here(handed(socket), tmp_path)
        assert process.wait() == 0


@pytest.mark.gdb
def test_a_session_of_a_copy(
    process: tuple[subprocess.Popen[str], str],
    spin: Path,
    tool: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the extension begins it: the adapter starts a server, and its end is the server's."""
    monkeypatch.setenv("TENSIX_GDB_WARM", process[1])
    kernel = spin.parent / "kernel.c"
    kernel.write_text(KERNEL, "utf-8")
    assert plan_for(kernel).serve[:3] == ["serve", "--elf", "b=spin.elf"]
    children = Path(f"/proc/{process[0].pid}/task/{process[0].pid}/children")
    with extension.session(kernel, spin.parent, tool) as made:
        assert made.event("stopped")["reason"] == "entry"
        (copy,) = children.read_text("ascii").split()
        assert made.ask("threads")["threads"]
    for _ in turns():
        if copy not in children.read_text("ascii").split():
            break
