# SPDX-License-Identifier: Apache-2.0
"""vFile: the ELFs that the user named, as they were loaded, for clients without a copy of them.

GDB asks for them when it was started without a file and reads symbols from `target:`. Only the
named paths can be opened, only for reading; no packet opens a file of the machine that the server
runs on: what is read are the bytes that were loaded, with lines that GDB would forget. Errors are
those of the File-I/O appendix of the GDB manual.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.handler import FILES
from tensix_gdb.gdbstub.protocol.rsp.framing import PACKET_SIZE, escape
from tensix_gdb.gdbstub.protocol.rsp.packets import files as packets

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.capabilities import Files

ENOENT, EBADF, EROFS, EMFILE = 2, 9, 30, 24
WRITING = 0x3 | 0x8 | 0x200 | 0x400  # O_WRONLY, O_RDWR, O_APPEND, O_CREAT, O_TRUNC
# GDB holds each library of each process open, 1,400 on a chip. The content of a file is there once.
MAX_OPEN, MAX_HELD_BYTES = 4096, 512 << 20
REGULAR, READABLE = 0o100000, 0o444
BLOCK = 512
LONGEST_PIECE = PACKET_SIZE - 32  # of a file in one packet, with its escapes


def _failed(errno: int) -> bytes:
    return b"F-1,%x" % errno


def _content(loaded: Files, name: bytes) -> bytes | None:
    path = name.decode("utf-8", "surrogateescape")
    for file in loaded.files():
        if file.path == path:
            return file.shown()
    return None


def file_system(client: Client, loaded: Files, packet: packets.FileSystem) -> bytes:
    return b"F0"


def open_file(client: Client, loaded: Files, packet: packets.FileOpen) -> bytes:
    content = _content(loaded, packet.name)
    if content is None:
        return _failed(ENOENT)
    if packet.flags & WRITING:
        return _failed(EROFS)
    if len(client.open_files) >= MAX_OPEN or _held(client) > MAX_HELD_BYTES:
        return _failed(EMFILE)
    fd = next(n for n in range(1, MAX_OPEN + 1) if n not in client.open_files)
    client.open_files[fd] = content
    return b"F%x" % fd


def _held(client: Client) -> int:
    """Return the bytes that the client's open files keep in memory."""
    contents = {id(content): len(content) for content in client.open_files.values()}
    return sum(contents.values())


def read_file(client: Client, loaded: Files, packet: packets.FileRead) -> bytes:
    content = client.open_files.get(packet.fd)
    if content is None:
        return _failed(EBADF)
    # GDB reads here and there, and keeps the last answer: one that is the whole file spares some
    # ten others, each of which it takes apart byte by byte. Of a longer file it gets the usual
    # half: any byte may need an escape. The length comes first.
    rest = content[packet.offset : packet.offset + min(packet.count, LONGEST_PIECE)]
    escaped = escape(rest)
    if len(content) > LONGEST_PIECE or len(escaped) > LONGEST_PIECE:
        rest = rest[: LONGEST_PIECE // 2]
        escaped = escape(rest)
    return b"F%x;%b" % (len(rest), escaped)


def file_status(client: Client, loaded: Files, packet: packets.FileStatus) -> bytes:
    return _status(client.open_files.get(packet.fd), EBADF)


def file_status_by_name(client: Client, loaded: Files, packet: packets.FileStatusByName) -> bytes:
    return _status(_content(loaded, packet.name), ENOENT)


def _status(content: bytes | None, errno: int) -> bytes:
    """`struct stat` as the protocol has it: 64 bytes, most significant byte first."""
    if content is None:
        return _failed(errno)
    size = len(content)
    blocks = -(-size // BLOCK)
    stat = struct.pack(
        ">7I3Q3I", 0, 0, REGULAR | READABLE, 1, 0, 0, 0, size, BLOCK, blocks, 0, 0, 0
    )
    return b"F%x;%b" % (len(stat), escape(stat))


def close_file(client: Client, loaded: Files, packet: packets.FileClose) -> bytes:
    return b"F0" if client.open_files.pop(packet.fd, None) is not None else _failed(EBADF)


HANDLERS = (
    FILES.handles(packets.FileSystem, file_system),
    FILES.handles(packets.FileOpen, open_file),
    FILES.handles(packets.FileRead, read_file),
    FILES.handles(packets.FileStatus, file_status),
    FILES.handles(packets.FileStatusByName, file_status_by_name),
    FILES.handles(packets.FileClose, close_file),
)
