# SPDX-License-Identifier: Apache-2.0
"""m, M, x, X, qCRC, qSearch:memory: memory as the current thread sees it."""

from __future__ import annotations

import zlib
from binascii import hexlify

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.handler import handles
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.rsp.framing import PACKET_SIZE, escape
from tensix_gdb.gdbstub.protocol.rsp.packet import Malformed
from tensix_gdb.gdbstub.protocol.rsp.packets import registers_memory as packets
from tensix_gdb.gdbstub.protocol.target import TargetError

SCAN_BYTES = 0x10000  # read at once by commands that go over much memory
MAX_LOOKED_OVER = 16 << 20  # bytes for one packet: some milliseconds


def _read(client: Client, addr: int, length: int, most: int) -> bytes:
    """Read what one reply can carry; GDB asks again for the rest."""
    return client.target.memory.read_memory(
        client.selection.general_thread, addr, min(length, most)
    )


def read_hex(client: Client, packet: packets.ReadMemory) -> bytes:
    data = _read(client, packet.addr, packet.length, PACKET_SIZE // 2)
    return hexlify(data)


def read_binary(client: Client, packet: packets.ReadBinary) -> bytes:
    """GDB expects a `b` first. LLDB does not, and asks for nothing to see whether `x` is known.

    So does GDB; nothing can be read everywhere.
    """
    if not packet.length:
        return replies.OK if client.features.thread_suffix else b"b"
    # Every byte may need an escape.
    data = escape(_read(client, packet.addr, packet.length, PACKET_SIZE // 2 - 1))
    return data if client.features.thread_suffix else b"b" + data


def write(client: Client, packet: packets.WriteMemory | packets.WriteBinary) -> bytes:
    if len(packet.data) != packet.length:
        raise Malformed(f"{len(packet.data)} bytes came, {packet.length} were announced")
    # A write of nothing is how clients ask whether `X` is known.
    if packet.length:
        client.target.memory.write_memory(client.selection.general_thread, packet.addr, packet.data)
    return replies.OK


_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def _crc32(data: bytes, crc: int) -> int:
    """Continue a CRC-32 of polynomial 0x04c11db7 that takes the most significant bit first.

    zlib's has the same polynomial but takes the least significant bit first, and inverts before
    and after: so everything goes in and comes out mirrored and inverted. Python's own loop would
    take a second for all of L1.
    """
    mirrored = int(f"{crc:032b}"[::-1], 2) ^ 0xFFFFFFFF
    result = zlib.crc32(data.translate(_MIRRORED), mirrored) ^ 0xFFFFFFFF
    return int(f"{result:032b}"[::-1], 2)


def _limit(client: Client, length: int) -> None:
    """Other clients wait meanwhile: not too long."""
    if length > MAX_LOOKED_OVER:
        raise TargetError(f"{length} bytes are too many; ask for {MAX_LOOKED_OVER} at most")
    client.stream.end_batch = True


def checksum(client: Client, packet: packets.QCrc) -> bytes:
    """Return the checksum of `compare-sections`, from 0xffffffff on."""
    _limit(client, packet.length)
    crc, addr, left = 0xFFFFFFFF, packet.addr, packet.length
    while left:
        data = _read(client, addr, left, SCAN_BYTES)
        crc = _crc32(data, crc)
        addr, left = addr + len(data), left - len(data)
    return b"C%08x" % crc


def search(client: Client, packet: packets.SearchMemory) -> bytes:
    """Find the first place of a pattern. Memory that cannot be read on the way is an error."""
    if not packet.pattern:
        raise TargetError("there is nothing to search for")
    _limit(client, packet.length)
    addr, left, kept = packet.addr, packet.length, b""
    while left:
        data = _read(client, addr, left, SCAN_BYTES)
        window = kept + data
        at = window.find(packet.pattern)
        if at >= 0:
            return b"1,%x" % (addr - len(kept) + at)
        kept = window[-(len(packet.pattern) - 1) :] if len(packet.pattern) > 1 else b""
        addr, left = addr + len(data), left - len(data)
    return b"0"


HANDLERS = (
    handles(packets.ReadMemory, read_hex),
    handles(packets.WriteMemory, write, changes=True),
    handles(packets.ReadBinary, read_binary),
    handles(packets.WriteBinary, write, changes=True),
    handles(packets.QCrc, checksum),
    handles(packets.SearchMemory, search),
)
