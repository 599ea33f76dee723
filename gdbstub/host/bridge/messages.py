# SPDX-License-Identifier: Apache-2.0
"""Messages of Tenstorrent's user-mode driver to a simulator (tt-umd, simulation_device.fbs).

Each is one flatbuffer: a command, a core, an address, a size in bytes and data in words. The driver
writes and resets without an answer; a read is answered by one message with the data.
"""

from __future__ import annotations

import enum
import struct
from dataclasses import dataclass
from functools import lru_cache

import flatbuffers

MAX_BYTES = 1 << 24  # of one message; the driver sends a large transfer in parts
_FIELDS = 5  # command, data, core, address, size
_CORE_BYTES = 16  # two numbers of 64 bits
_I8, _U16, _U32, _I32, _U64, _CORE = (
    struct.Struct(kind).unpack_from for kind in ("<b", "<H", "<I", "<i", "<Q", "<QQ")
)


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
    """Read the one table that a message is, as flatbuffers' internals page has it.

    Not by the library: it takes ten times as long, and an operation on all tiles is thousands of
    messages.
    """
    (at,) = _U32(raw, 0)
    places = at - _I32(raw, at)[0]  # of the table that says where the fields are
    if places < 0:
        raise IndexError
    command, data, core, addr, size = _offsets(raw[places : places + _U16(raw, places)[0]])
    number = _I8(raw, at + command)[0] if command else 0
    try:
        known = Command(number)
    except ValueError:
        raise MessageError(f"command {number} is not one of Blackhole's") from None
    return Message(
        known,
        _CORE(raw, at + core) if core else (0, 0),
        _U64(raw, at + addr)[0] if addr else 0,
        _U32(raw, at + size)[0] if size else 0,
        _vector(raw, at + data) if data else b"",
    )


@lru_cache(maxsize=64)
def _offsets(places: bytes) -> tuple[int, ...]:
    """Return where each field is, from the start of its table; 0 where the sender has left one
    out."""
    count = (len(places) - 4) // 2
    if count < 0:
        raise IndexError
    found = struct.unpack_from(f"<{count}H", places, 4)[:_FIELDS]
    return found + (0,) * (_FIELDS - len(found))


def _vector(raw: bytes, at: int) -> bytes:
    start = at + _U32(raw, at)[0]
    end = start + 4 + 4 * _U32(raw, start)[0]
    if end > len(raw):
        raise IndexError
    return raw[start + 4 : end]


__all__ = ["Command", "Message", "MessageError", "decode", "encode"]
