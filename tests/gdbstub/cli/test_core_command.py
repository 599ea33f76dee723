# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb core`: writes the tile of a running server, and says what a core file holds."""

from __future__ import annotations

import contextlib
import socket
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import NC
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.build import build_machine
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.protocol.rsp.framing import encode, escape
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of, machine_from, read_core
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.elf_maker import make_elf, words
from tests.gdb.harness import ROOT, serve
from tests.gdbstub import wire
from tests.gdbstub.tensix.programs import five, gdb, refused, run
from tests.gdbstub.tiles import Client, new_tile
from tests.patience import HANG
from tests.tools import find_tool

XFER_BYTES = 0x3FFF
PATIENCE = HANG


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines of a command that succeeds."""
    assert main(list(arguments)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out.splitlines()


def piece(client: Client, offset: int) -> bytes:
    """An answer: the letter, and bytes."""
    question = f"qXfer:tensix-core:read::{offset:x},{XFER_BYTES:x}"
    return wire.binary(client.send(wire.frame(question.encode("ascii")))[-1])


def fetched(client: Client, content: bytes = b"") -> bytes:
    """The rest of a core file."""
    while True:
        answer = piece(client, len(content))
        assert answer[:1] in (b"l", b"m")
        content += answer[1:]
        if answer[:1] == b"l":
            return content


# A server's tile


def test_as_the_tile_stands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elfs, file = five(tmp_path), tmp_path / "tile.core"
    with serve(elfs) as server:
        port = ("--port", str(server.port))
        first = said(capsys, "core", *port, str(file))
        assert first[0].startswith(f"core file {file}, cycle 0, hash ")
        said_by_gdb = gdb(server.port, "break main", "continue", elf=elfs["T1"])
        assert "hit Breakpoint 1" in said_by_gdb
        again = said(capsys, "core", *port, str(file))
    assert again[0] != first[0], "a core file may be written over"
    assert "main at five.c:" in again[1]
    assert again[1].endswith(": breakpoint")
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".")] == []
    lines = said(capsys, "core", str(file))
    assert lines[0].startswith(f"{file}: a Blackhole tile in cycle ")
    assert lines[1] == again[1]
    assert again[0].endswith(read_core(str(file)).hash)


def test_from_inside_gdb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elfs, file, second = five(tmp_path), tmp_path / "tile.core", tmp_path / "second.core"
    script = ROOT / "gdbstub" / "inside" / "tensix.py"
    with serve(elfs) as server:
        out = gdb(
            server.port,
            f"source {script}",
            "break main",
            "continue",
            f"tensix-core {file}",
            "tensix-core /nowhere/at/all",
            "tensix-core",
            "detach",
            elf=elfs["T1"],
        )
        said(capsys, "core", "--port", str(server.port), str(second))
    assert f"Saved corefile {file}\n" in out
    assert "/nowhere/at/all: No such file or directory" in out
    assert "Type `tensix-core FILE`." in out
    assert read_core(str(file)).hash == read_core(str(second)).hash


def shared(elfs: dict[str, Path]) -> SharedTile:
    """A tile in which no time passes but what the test lets pass."""
    harts = [(number, str(path)) for number, path in enumerate(elfs.values())]
    return SharedTile(tensix_target(build_machine(harts, "compiled", "latency")), run_at_once=False)


def test_while_it_runs_for_another_client(tmp_path: Path) -> None:
    elfs = five(tmp_path)
    tile, other = shared(elfs), shared(elfs)
    driver, onlooker = Client(tile, "driver"), Client(tile, "onlooker")
    for one in (driver, Client(other, "driver")):
        one.send(wire.frame(b"vCont;c"))
    tile.advance_to(1000)
    content = piece(onlooker, 0)[1:]
    while len(content) < 20 * XFER_BYTES:
        tile.advance_to(tile.target.execution.clock() + 10)  # it is the tile as it was all the same
        content += piece(onlooker, len(content))[1:]
    file = tmp_path / "tile.core"
    file.write_bytes(fetched(onlooker, content))
    assert tile.running
    note = read_core(str(file))
    assert note.header["cycle"] == 1000
    assert note.ending == "taken while the tile ran for driver, in cycle 1000"
    # And it has changed nothing: a tile that nobody has asked is in the same state as late.
    other.advance_to(tile.target.execution.clock())
    assert fetched(Client(tile, "later")) == fetched(Client(other, "later"))


def test_what_the_server_keeps_is_bounded() -> None:
    tile = new_tile()
    clients = [Client(tile, f"client {number}") for number in range(5)]
    clients[4].ask("qSupported:error-message+")
    for client in clients[:4]:
        assert piece(client, 0)[:1] == b"m"
    assert piece(clients[4], 0) == (
        b"E.4 clients are reading core files now: try again in a moment"
    )
    fetched(clients[0])
    assert piece(clients[4], 0)[:1] == b"m", "one has read all of it"
    assert piece(clients[0], 0)[:1] == b"E"
    clients[1].session.end()
    assert piece(clients[0], 0)[:1] == b"m", "one has left"
    assert piece(clients[2], 0)[:1] == b"m", "one begins again"
    fetched(clients[2])
    assert piece(clients[2], XFER_BYTES)[:1] == b"E", "nothing is kept behind the end"
    assert clients[2].ask("qXfer:tensix-core:read:annex:0,fff") == b"E00"
    assert clients[2].ask("qXfer:tensix-core:write::0:00") == b""


def test_a_target_without_it_does_not_offer_it() -> None:
    tile = SharedTile(replace(new_tile().target, core_file=None))
    client = Client(tile, "client")
    assert b"qXfer:tensix:read+" in client.ask("qSupported")
    assert b"tensix-core" not in client.ask("qSupported")
    assert client.ask("qXfer:tensix-core:read::0,fff") == b""


# What is no server of ours


@dataclass
class Fake:
    """A server that answers what it is told to."""

    answer: Callable[[bytes], bytes | None]
    port: int = 0
    asked: list[bytes] = field(default_factory=list)

    def attend(self, listener: socket.socket) -> None:
        """One client, until the answer is None."""
        client, _ = listener.accept()
        with client:
            client.settimeout(PATIENCE)
            came = b""
            while True:
                while b"#" not in came or len(came) < came.index(b"#") + 3:
                    more = client.recv(4096)
                    if not more:
                        return
                    came += more
                payload = came[came.index(b"$") + 1 : came.index(b"#")]
                came = came[came.index(b"#") + 3 :]
                self.asked.append(payload)
                data = self.answer(payload)
                if data is None:
                    return
                client.sendall(data)


@contextmanager
def fake(answer: Callable[[bytes], bytes | None]) -> Iterator[Fake]:
    """Such a server on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE)
        found = Fake(answer, listener.getsockname()[1])

        def attend() -> None:
            with contextlib.suppress(ConnectionError):  # the client may leave at any time
                found.attend(listener)

        thread = threading.Thread(target=attend, daemon=True)
        thread.start()
        yield found
        thread.join(PATIENCE)


@cache
def whole() -> bytes:
    """A core file."""
    return core_of(Machine(engine="reference", schedule=Schedule.SC), "a test")


def answering(payload: bytes, *, last: int = 1 << 30, damage: int = -1) -> bytes | None:
    """As our server does, up to an offset, and one packet with a wrong checksum."""
    if payload.startswith(b"qSupported"):
        return b"+" + encode(b"PacketSize=8000;QStartNoAckMode+;qXfer:tensix-core:read+")
    if payload == b"QStartNoAckMode":
        return b"+" + encode(b"OK")
    offset = int(payload.split(b":")[4].split(b",")[0], 16)
    if offset >= last:
        return None
    content = whole()
    letter = b"l" if offset + XFER_BYTES >= len(content) else b"m"
    data = encode(letter + escape(content[offset : offset + XFER_BYTES]))
    # Text of a program may come at any time, and notifications.
    data = encode(b"O68690a") + b"%Stop:T05#" + b"%02x" % (sum(b"Stop:T05") % 256) + data
    return data[:-2] + b"00" if offset == damage else data


def test_the_other_side_of_the_wire(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tile.core"
    with fake(answering) as server:
        lines = said(capsys, "core", "--port", str(server.port), str(file))
    assert lines[1].strip() == "a test"
    assert file.read_bytes() == whole()


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (lambda payload: None, "has closed the connection"),
        (lambda payload: b"HTTP/1.1 400 Bad Request\r\n\r\n", "is no GDB server"),
        (lambda payload: b"+" + encode(b"PacketSize=1000;vContSupported+"), "gives no core files"),
        (lambda payload: answering(payload, last=3 * XFER_BYTES), "has closed the connection"),
        (lambda payload: answering(payload, damage=2 * XFER_BYTES), "arrived damaged"),
        (
            lambda payload: (
                (encode(b"E.busy with others") if b"tensix-core:read" in payload else None)
                or answering(payload)
            ),
            "refuses it: busy with others",
        ),
        (
            lambda payload: (
                (encode(b"lhello") if b"tensix-core:read" in payload else None)
                or answering(payload)
            ),
            "not a core file",
        ),
    ],
    ids=["closes", "http", "qemu", "vanishes", "damages", "refuses", "lies"],
)
def test_servers_that_give_none(
    answer: Callable[[bytes], bytes | None],
    why: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "tile.core"
    before = whole()
    file.write_bytes(before)
    with fake(answer) as server:
        assert why in refused(capsys, "core", "--port", str(server.port), str(file))
    assert file.read_bytes() == before, "what was there is there"
    assert list(tmp_path.iterdir()) == [file]


def test_where_nothing_can_be_had_or_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
    file = tmp_path / "tile.core"
    assert f"no server listens at 127.0.0.1:{port}" in refused(
        capsys, "core", "--port", port, str(file)
    )
    assert "cannot be reached" in refused(
        capsys, "core", "--host", "no.such.host.invalid", str(file)
    )
    assert not file.exists()
    elf = tmp_path / "b.elf"
    elf.write_bytes(make_elf([(0, words(19))]))
    assert "is there and is no core file" in refused(capsys, "core", "--port", port, str(elf))
    with fake(answering) as server:
        name = str(tmp_path / "none" / "tile.core")
        assert "cannot be written" in refused(capsys, "core", "--port", str(server.port), name)
    with fake(answering) as server:
        said(capsys, "core", "--port", str(server.port), "/dev/null")
    assert Path("/dev/null").is_char_device()


# What is in one


def test_what_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elfs, file = five(tmp_path), tmp_path / "tile.core"
    ended = run(capsys, elfs, "--until", "work", "--schedule=random:7", "--core", str(file))
    note = read_core(str(file))
    lines = said(capsys, "core", str(file))
    assert lines[0] == (
        f"{file}: a Blackhole tile in cycle {note.header['cycle']}, schedule random:7, "
        f"hash {note.hash}"
    )
    assert lines[1].strip() == ended[0]
    marked = [line for line in lines if line.startswith("  * ")]
    assert len(marked) == 1
    assert ended[0].split(":")[0].split(" at ", 1)[1] in marked[0]
    for hart, elf in elfs.items():
        assert f"  {hart:2}  {elf}, {elf.stat().st_size} bytes, no build id" in lines
    assert not any("another one" in line for line in lines)
    assert f"  tensix-gdb serve --core {file}" in lines
    assert lines[-1].endswith(f"-ex 'core {file}'")
    assert not any("GDB does not see it" in line for line in lines)

    elfs["T2"].unlink()
    machine = machine_from(note, "reference")
    machine.outside.dram[3].write(0x5000, b"far away")
    file.write_bytes(core_of(machine, "a test"))
    lines = said(capsys, "core", str(file))
    assert "schedule random:7" in lines[0], "the seed is handed on"
    assert "another one" in lines[lines.index(next(x for x in lines if str(elfs["T2"]) in x)) + 1]
    assert "  DRAM 3, 4 KiB between 0x5000 and 0x5fff; GDB does not see it" in lines


def test_a_fault_and_a_build_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elf, file = tmp_path / "bad.elf", tmp_path / "tile.core"
    elf.write_bytes(make_elf([(0, words(0x00000013, 0xFFFFFFFF))]))
    ended = run(capsys, {"nc": elf}, "--core", str(file))
    lines = said(capsys, "core", str(file))
    assert lines[1].strip() == ended[0]
    assert f"  * {NC + 1} NC" in "\n".join(lines), "the hart of the fault comes first"
    built = five(tmp_path)["B"]
    named = tmp_path / "named.elf"
    identity = tmp_path / "identity"
    identity.write_bytes(struct.pack("<3I", 4, 8, 3) + b"GNU\0" + bytes.fromhex("0123456789abcdef"))
    option = f"--add-section=.note.gnu.build-id={identity}"
    objcopy = find_tool("riscv64-unknown-elf-objcopy")
    subprocess.run([objcopy, option, str(built), str(named)], check=True)
    run(capsys, {"b": named}, "--until", "work", "--core", str(file))
    lines = said(capsys, "core", str(file))
    assert any(line.endswith("build id 0123456789abcdef") for line in lines)


def test_what_cannot_be_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, content = tmp_path / "tile.core", whole()
    assert "cannot be read" in refused(capsys, "core", str(file))
    for data, why in (
        (b"hello", "no ELF file"),
        (content[:100], "truncated"),
        (content[:-1], "truncated"),
        (make_elf([(0, words(19))]), "not a core file that tensix-gdb has written"),
    ):
        file.write_bytes(data)
        assert why in refused(capsys, "core", str(file))
