# SPDX-License-Identifier: Apache-2.0
"""m, M, x, X, qCRC, qSearch:memory: memory as the current thread sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gdbstub.commands.handler import Handler
from gdbstub.rsp import packets, replies
from gdbstub.rsp.framing import PACKET_SIZE, escape
from gdbstub.target import TargetError

if TYPE_CHECKING:
    from gdbstub.session import Session

PIECE = 0x10000  # bytes read at once by commands that go over much memory
MOST_SEARCHED = 1 << 28  # bytes; the address space below has far fewer that can be read


def _read(session: Session, addr: int, length: int, most: int) -> bytes:
    """Read what one reply can carry; GDB asks again for the rest."""
    return session.target.memory.read_memory(session.general_thread, addr, min(length, most))


def read_hex(session: Session, packet: packets.ReadMemory) -> bytes:
    data = _read(session, packet.addr, packet.length, PACKET_SIZE // 2)
    return data.hex().encode("ascii")


def read_binary(session: Session, packet: packets.ReadBinary) -> bytes:
    # Every byte may need an escape.
    return b"b" + escape(_read(session, packet.addr, packet.length, PACKET_SIZE // 2 - 1))


def write(session: Session, packet: packets.WriteMemory | packets.WriteBinary) -> bytes:
    if len(packet.data) != packet.length:
        return replies.E_MALFORMED
    # A write of nothing is how clients ask whether `X` is known.
    if packet.length:
        session.target.memory.write_memory(session.general_thread, packet.addr, packet.data)
    return replies.OK


def _crc32(data: bytes, crc: int) -> int:
    for byte in data:
        crc = ((crc << 8) & 0xFFFFFFFF) ^ _CRC_TABLE[(crc >> 24) ^ byte]
    return crc


def _crc_table() -> list[int]:
    table = []
    for byte in range(256):
        crc = byte << 24
        for _ in range(8):
            crc = (crc << 1) ^ (0x04C11DB7 if crc & 0x80000000 else 0)
        table.append(crc & 0xFFFFFFFF)
    return table


_CRC_TABLE = _crc_table()


def checksum(session: Session, packet: packets.Crc) -> bytes:
    """CRC-32 with polynomial 0x04c11db7, most significant bit first, from 0xffffffff."""
    crc, addr, left = 0xFFFFFFFF, packet.addr, packet.length
    while left:
        data = _read(session, addr, left, PIECE)
        crc = _crc32(data, crc)
        addr, left = addr + len(data), left - len(data)
    return b"C%08x" % crc


def search(session: Session, packet: packets.SearchMemory) -> bytes:
    """Find the first place of a pattern. Memory that cannot be read ends the search."""
    if not packet.pattern or packet.length > MOST_SEARCHED:
        return replies.E_MALFORMED
    addr, left, kept = packet.addr, packet.length, b""
    while left:
        try:
            data = _read(session, addr, left, PIECE)
        except TargetError:
            if addr == packet.addr:
                raise
            break
        window = kept + data
        at = window.find(packet.pattern)
        if at >= 0:
            return b"1,%x" % (addr - len(kept) + at)
        kept = window[-(len(packet.pattern) - 1) :] if len(packet.pattern) > 1 else b""
        addr, left = addr + len(data), left - len(data)
    return b"0"


HANDLERS = {
    packets.ReadMemory: Handler(read_hex),
    packets.WriteMemory: Handler(write),
    packets.ReadBinary: Handler(read_binary),
    packets.WriteBinary: Handler(write),
    packets.Crc: Handler(checksum),
    packets.SearchMemory: Handler(search),
}
