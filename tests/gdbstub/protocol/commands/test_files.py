# SPDX-License-Identifier: Apache-2.0
"""The pieces of a file that GDB gets: all of it in one packet, where that is possible."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tensix_gdb.gdbstub.protocol.commands.files import read_file
from tensix_gdb.gdbstub.protocol.rsp.framing import PACKET_SIZE, unescape
from tensix_gdb.gdbstub.protocol.rsp.packets.files import FileRead

HALF = PACKET_SIZE // 2 - 16


def piece(content: bytes, offset: int = 0) -> bytes:
    """The piece of a file that GDB gets."""
    client = SimpleNamespace(open_files={1: content})
    packet = FileRead(fd=1, count=PACKET_SIZE, offset=offset)
    reply = read_file(client, None, packet)  # type: ignore[arg-type]
    assert len(reply) <= PACKET_SIZE
    length, _, data = reply.partition(b";")
    assert int(length[1:], 16) == len(unescape(data))
    return unescape(data)


@pytest.mark.parametrize(
    ("content", "count"),
    [
        pytest.param(b"ELF " * 7000, 28_000, id="short"),
        pytest.param(b"}" * (HALF + 1), HALF, id="all of it is escaped"),
        pytest.param(b"}" * HALF, HALF, id="escaped, and fits"),
        pytest.param(bytes(PACKET_SIZE), HALF, id="long"),
    ],
)
def test_one_packet(content: bytes, count: int) -> None:
    assert piece(content) == content[:count]


def test_the_pieces_are_the_file() -> None:
    content = bytes(range(256)) * 300
    got = b""
    while len(got) < len(content):
        more = piece(content, len(got))
        assert more
        got += more
    assert got == content
