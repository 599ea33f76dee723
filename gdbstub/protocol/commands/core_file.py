# SPDX-License-Identifier: Apache-2.0
"""The object `tensix-core` of qXfer: a core file of the whole tile, for `tensix-gdb core`.

A client reads it from offset 0 on, piece by piece, and it is the tile as it was when the first
piece was asked for, whatever runs meanwhile. It is kept until the last piece is read, the client
begins again, or leaves; for a few clients at a time, because each may be megabytes. A
client that only looks may read it too: nothing changes by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.rsp.framing import PACKET_SIZE
from tensix_gdb.gdbstub.protocol.rsp.packets import general
from tensix_gdb.gdbstub.protocol.rsp.replies import piece
from tensix_gdb.gdbstub.protocol.target import TargetError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.capabilities import CoreFile

OBJECT = "tensix-core"
MAX_AT_A_TIME = 4
NO_SUCH = b"E00"


def read_part(client: Client, core_file: CoreFile, packet: general.ReadObject) -> bytes:
    """Return the answer to a packet that asks for a part of it."""
    if packet.offset == 0:
        client.core_file = b""
        if client.tile.keeping_core_files() >= MAX_AT_A_TIME:
            raise TargetError(
                f"{MAX_AT_A_TIME} clients are reading core files now: try again in a moment"
            )
        running_for = client.running_for()
        client.core_file = core_file.content(running_for=running_for, part=packet.annex)
        if not client.core_file:
            return NO_SUCH
        client.stream.end_batch = True
    content = client.core_file
    if not content:
        raise TargetError("a core file is read from its beginning on")
    length = min(packet.length, PACKET_SIZE // 2 - 1)
    if packet.offset + length >= len(content):
        client.core_file = b""
    return piece(content, packet.offset, length)
