# SPDX-License-Identifier: Apache-2.0
"""Messages of Tenstorrent's user-mode driver to a simulator (tt-umd, simulation_device.fbs).

Each is one flatbuffer: a command, a core, an address, a size in bytes and data in words. The driver
writes and resets without an answer; a read is answered by one message with the data.
"""

from __future__ import annotations

import enum
import struct
from dataclasses import dataclass

import flatbuffers
from flatbuffers import number_types as kinds
from flatbuffers.encode import Get
from flatbuffers.packer import uoffset
from flatbuffers.table import Table

MAX_BYTES = 1 << 24  # of one message; the driver sends a large transfer in parts
# Where the fields are in the table of pointers to them.
_COMMAND, _DATA, _CORE, _ADDRESS, _SIZE = (4 + 2 * field for field in range(5))
_CORE_BYTES = 16  # two numbers of 64 bits


class Command(enum.IntEnum):
    """DEVICE_COMMAND. Other numbers are those of another chip (Quasar)."""

    WRITE = 0
    READ = 1
    ALL_TENSIX_RESET_DEASSERT = 2
    ALL_TENSIX_RESET_ASSERT = 3
    START = 4
    EXIT = 5  # also the sign of life that a simulator sends first
    # Sent by the simulator; the driver answers a read of its memory with the same command.
    AXI_RAM_WRITE_NOTIFICATION = 10
    AXI_RAM_READ_NOTIFICATION = 11


class MessageError(ValueError):
    """One sentence about bytes that are no message, or a command that this chip does not have."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `size` is what a READ wants; `data` is padded to whole words on the wire."""

    command: Command
    core: tuple[int, int] = (0, 0)
    addr: int = 0
    size: int = 0
    data: bytes = b""


def encode(message: Message) -> bytes:
    """Encode a message."""
    builder = flatbuffers.Builder(len(message.data) + 128)
    padded = message.data + bytes(-len(message.data) % 4)
    data = _words(builder, padded)
    builder.StartObject(5)
    builder.PrependInt8Slot(0, message.command, 0)
    builder.PrependUOffsetTRelativeSlot(1, data, 0)
    builder.Prep(8, _CORE_BYTES)
    builder.PrependUint64(message.core[1])
    builder.PrependUint64(message.core[0])
    builder.PrependStructSlot(2, builder.Offset(), 0)
    builder.PrependUint64Slot(3, message.addr, 0)
    builder.PrependUint32Slot(4, message.size, 0)
    builder.Finish(builder.EndObject())
    return bytes(builder.Output())


def _words(builder: flatbuffers.Builder, data: bytes) -> int:
    builder.StartVector(4, len(data) // 4, 4)
    builder.head -= len(data)
    builder.Bytes[builder.head : builder.head + len(data)] = data
    return int(builder.EndVector())


def decode(raw: bytes) -> Message:
    """Decode a message. MessageError when `raw` has none."""
    if len(raw) > MAX_BYTES:
        raise MessageError(f"a message of {len(raw)} bytes is longer than {MAX_BYTES}")
    try:
        return _decode(raw)
    except (struct.error, IndexError, TypeError) as problem:
        raise MessageError(f"{len(raw)} bytes that are no DeviceRequestResponse") from problem


def _decode(raw: bytes) -> Message:
    table = Table(bytearray(raw), Get(uoffset, raw, 0))
    number = _scalar(table, _COMMAND, kinds.Int8Flags)
    try:
        command = Command(number)
    except ValueError:
        raise MessageError(f"command {number} is not one of Blackhole's") from None
    core = (0, 0)
    if offset := table.Offset(_CORE):
        core = struct.unpack_from("<QQ", raw, table.Pos + offset)
    data = b""
    if offset := table.Offset(_DATA):
        start, length = table.Vector(offset), table.VectorLen(offset) * 4
        if start < 0 or start + length > len(raw):
            raise IndexError
        data = bytes(raw[start : start + length])
    return Message(
        command,
        core,
        _scalar(table, _ADDRESS, kinds.Uint64Flags),
        _scalar(table, _SIZE, kinds.Uint32Flags),
        data,
    )


def _scalar(table: Table, field: int, kind: type) -> int:
    offset = table.Offset(field)
    return int(table.Get(kind, table.Pos + offset)) if offset else 0


__all__ = ["Command", "Message", "MessageError", "decode", "encode"]
