# SPDX-License-Identifier: Apache-2.0
"""Around the calls: ends of either side, forks, threads, two hosts, a debugger."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.gdbstub.host.library.host import folder, library, run, start
from tests.patience import HANG

__all__ = ["library"]

# B runs `jal x0, 0`, and the host asks for a word that does not change.
RUNS = """
    lib.init()
    lib.poke(0, (0x6F).to_bytes(4, "little"))
    lib.poke(SOFT_RESET, (0x47000).to_bytes(4, "little"))
    lib.peek(SOFT_RESET)
    print("runs", flush=True)
"""
POLLS = "\n    while True: lib.peek(0x100); lib.clock()\n"


def servers_of(host: subprocess.Popen[str]) -> list[int]:
    """The processes that a host has started and that are there."""
    out = subprocess.run(
        ["ps", "-o", "pid=,stat=", "--ppid", str(host.pid)],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    rows = (line.split() for line in out.splitlines())
    return [int(pid) for pid, state in rows if not state.startswith("Z")]


def gone(pid: int) -> bool:
    """True when a process ends."""
    limit = monotonic() + HANG
    while monotonic() < limit:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        except OSError:
            return True
        if state[0] == "Z":
            return True
        sleep(0.02)
    return False


def test_the_server_is_killed(library: Path) -> None:
    """The host, which waits for it, says so and ends."""
    with start(library, RUNS + POLLS) as host:
        assert host.stdout is not None
        host.stdout.readline()
        (server,) = servers_of(host)
        os.kill(server, signal.SIGKILL)
        _, lines = host.communicate(timeout=HANG)
    assert host.returncode == 1
    assert lines.splitlines()[-1] == (
        "tensix-gdb: the tiles' server has ended before the program was done; the lines above say "
        "what it knew"
    )


def test_the_host_is_killed(library: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The server leaves a core file, and ends."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "tensix-gdb").mkdir()
    with start(library, RUNS + POLLS) as host:
        assert host.stdout is not None
        host.stdout.readline()
        (server,) = servers_of(host)
        host.kill()
        _, lines = host.communicate(timeout=HANG)
        assert gone(server)
    path = tmp_path / "tensix-gdb" / "host-gone.core"
    assert lines.splitlines()[-1] == (
        "tensix-gdb: the host has ended without closing its device, while tiles ran; "
        f"`tensix-gdb replay --serve {path}` shows them"
    )
    assert path.read_bytes()[:4] == b"\x7fELF"


def test_ctrl_c_while_the_host_waits(library: Path) -> None:
    """A host in C++ ends by itself; one that handles the signal, as Python does, cannot while it is
    in a call, and is ended by the second."""
    held = RUNS.replace(
        'print("runs"', "signal.signal(signal.SIGINT, lambda *_: None)\n    print('runs'"
    )
    with start(library, "    import signal" + held + POLLS) as host:
        assert host.stdout is not None
        host.stdout.readline()
        (server,) = servers_of(host)
        for _ in range(2):
            os.killpg(host.pid, signal.SIGINT)
            sleep(0.5)
        host.communicate(timeout=HANG)
        assert gone(server)
    assert host.returncode == 130


@pytest.mark.long("test_ctrl_c_while_the_host_waits")
def test_ctrl_c_of_a_host_that_goes_on(library: Path) -> None:
    """One that handles it, as a session of Python does, has its tiles after it. At the second one
    the server looks at once if the host is in a call, which it else does after some seconds."""
    statements = """
        import signal, time
        signal.signal(signal.SIGINT, lambda *_: None)
        lib.init()
        lib.poke(0x100, b"kept")
        print("runs", flush=True)
        time.sleep(2)
        print(lib.peek(0x100))
        lib.exit()
    """
    with start(library, statements) as host:
        assert host.stdout is not None
        host.stdout.readline()
        for _ in range(2):
            os.killpg(host.pid, signal.SIGINT)
            sleep(0.5)
        said, _ = host.communicate(timeout=HANG)
    assert (host.returncode, said) == (0, "b'kept'\n")


def test_a_host_that_exits_without_exit(library: Path) -> None:
    """Its status is its own."""
    status, said, lines = run(library, RUNS + "    sys.stdout.flush()\n    os._exit(7)\n")
    assert (status, said) == (7, "runs\n")
    assert len(lines) == 1
    assert lines[0].startswith("tensix-gdb: the host has ended without closing its device")


def test_a_library_that_is_never_opened(library: Path) -> None:
    assert run(library, "pass") == (0, "", [])


def test_opened_and_closed_again(library: Path) -> None:
    """Each time the tiles are new, also after a driver that only looked."""
    statements = """
        for number in range(4):
            lib.init()
            print(lib.peek(0x100))
            if number % 2:
                lib.poke(0x100, b"used")
            lib.exit()
        lib.init()
        print(lib.peek(0x100))
        lib.exit()
    """
    status, said, lines = run(library, statements)
    assert (status, lines) == (0, [])
    assert set(said.split("\n")) == {"b'\\x00\\x00\\x00\\x00'", ""}


@pytest.mark.long("test_opened_and_closed_again")
def test_opened_and_closed_twelve_times(library: Path) -> None:
    """Descriptors that one of them leaves would be as many as are allowed here."""
    statements = """
        for number in range(12):
            lib.init()
            lib.poke(0x100, b"used")
            lib.exit()
        print(len(os.listdir("/proc/self/fd")))
    """
    status, said, _ = run(library, statements)
    assert (status, int(said) < 12) == (0, True)


def test_a_fork(library: Path) -> None:
    """A child of the host has no tiles; its parent's are as before, and end with the parent."""
    statements = """
        lib.init()
        child = os.fork()
        if not child:
            lib.clock()
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        lib.poke(0x100, b"mine")
        print(lib.peek(0x100))
        lib.exit()
    """
    status, said, lines = run(library, statements)
    assert (status, said) == (0, "1\nb'mine'\n")
    assert lines == [
        "tensix-gdb: libttsim_clock: this is a fork of the process that has the tiles, and has "
        "none itself: open the device after the fork"
    ]


def test_a_fork_with_tiles_of_its_own(library: Path) -> None:
    statements = """
        lib.init()
        lib.poke(0x100, b"mine")
        child = os.fork()
        lib.init() if not child else None
        print(lib.peek(0x100), flush=True)
        lib.exit()
        os.waitpid(child, 0) if child else os._exit(0)
    """
    status, said, lines = run(library, statements)
    assert (status, lines) == (0, [])
    assert sorted(said.split()) == ["b'\\x00\\x00\\x00\\x00'", "b'mine'"]


def test_calls_from_two_threads(library: Path) -> None:
    """They come one after the other; a call from a callback is refused."""
    statements = """
        import threading
        lib.init()
        def count(number):
            data = ctypes.create_string_buffer(4)
            for turn in range(300):
                lib.code.libttsim_tile_wr_bytes(1, 2, 64 * number, turn.to_bytes(4, "little"), 4)
                lib.code.libttsim_tile_rd_bytes(1, 2, 64 * number, data, 4)
                assert data.raw == turn.to_bytes(4, "little")
        threads = [threading.Thread(target=count, args=(number,)) for number in range(2)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print("done")
        lib.exit()
    """
    assert run(library, statements) == (0, "done\n", [])


def test_two_hosts_at_once(library: Path) -> None:
    statements = """
        lib.init()
        lib.poke(0x100, os.getpid().to_bytes(4, "little"))
        sys.stdout.flush()
        assert lib.peek(0x100) == os.getpid().to_bytes(4, "little")
        lib.exit()
    """
    with start(library, statements) as one, start(library, statements) as other:
        ends = [host.communicate(timeout=HANG) for host in (one, other)]
    assert (one.returncode, other.returncode) == (0, 0), ends
    ports = {re.search(r"at port (\d+)", lines) for _, lines in ends}
    assert len(ports) == 2


def test_a_full_ring(library: Path) -> None:
    """Megabytes of writes, of all sizes, while nothing waits: none is lost or out of order."""
    statements = """
        import random
        rng, size = random.Random(5), 1 << 20
        lib.init()
        mine = bytearray(size)
        for _ in range(3000):
            data = rng.randbytes(rng.choice((1, 4, 7, 64, 4096, 70000)))
            at = rng.randrange(size - len(data))
            mine[at : at + len(data)] = data
            lib.poke(at, data)
        print(lib.peek(0, size) == bytes(mine))
        lib.exit()
    """
    assert run(library, statements) == (0, "True\n", [])


def test_the_folder_is_incomplete(tmp_path: Path) -> None:
    """The library without its folder says what writes one."""
    made = folder(tmp_path)
    (tmp_path / "serve.sh").unlink()
    status, _, lines = run(made, "lib.init()")
    assert status == 1
    assert lines == [
        "tensix-gdb: libttsim_init: there is no serve.sh beside this library: `tensix-gdb "
        "simulator DIR` writes a folder with both"
    ]


def test_a_server_that_cannot_start(tmp_path: Path) -> None:
    """Its own line says why, and the host ends."""
    made = folder(tmp_path)
    script = tmp_path / "serve.sh"
    with suppress(OSError):
        script.write_text(script.read_text().replace("--tiles 1x1", "--tiles 99x1"))
    status, _, lines = run(made, "lib.init()")
    assert status == 1
    assert lines[0].startswith("tensix-gdb: --tiles 99x1: name columns and rows of tiles")
    assert lines[1].startswith(
        "tensix-gdb: the tiles' server has ended before the program was done"
    )


def test_no_memory(library: Path) -> None:
    """The host has none for the channel, or the server has none for the tile."""
    limited = """
        import resource
        used = int(open("/proc/self/statm").read().split()[0]) * 4096
        resource.setrlimit(resource.RLIMIT_AS, (used + {more}, -1))
        lib.init()
    """
    status, _, lines = run(library, limited.replace("{more}", "(1 << 20)"))
    assert (status, lines) == (
        1,
        [
            "tensix-gdb: libttsim_init: no memory to share with the tiles' server: Cannot allocate "
            "memory"
        ],
    )
    status, _, lines = run(library, limited.replace("{more}", "(16 << 20)"))
    assert status == 1
    assert lines[-1].startswith("tensix-gdb: the tiles' server has ended before the program was")
    assert not [line for line in lines if "Traceback" in line]


def test_the_description_of_another_chip(tmp_path: Path) -> None:
    """A driver that takes the tile for a Wormhole configures windows of other sizes."""
    made = folder(tmp_path)
    status, _, lines = run(made, "lib.init()\nlib.write(BAR0 + 0x1FC00530, bytes(8))")
    assert (status, lines) == (
        1,
        [
            "tensix-gdb: libttsim_pci_mem_wr_bytes: registers of BAR 0 take one aligned word, not "
            "8 bytes at 0x1fc00530"
        ],
    )
