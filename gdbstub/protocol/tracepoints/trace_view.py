# SPDX-License-Identifier: Apache-2.0
"""A frame of a trace as if it were the target: what was collected, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tensix_gdb.gdbstub.protocol.target import Memory, Region, Target, TargetError
from tensix_gdb.gdbstub.protocol.tracepoints.frames import Frame


def view(target: Target, frame: Frame) -> Target:
    """Return the target as it was at a frame, as far as that was collected."""
    return replace(
        target, registers=_FrameRegisters(target, frame), memory=_FrameMemory(target.memory, frame)
    )


class _FrameRegisters:
    """The `Registers` capability."""

    def __init__(self, target: Target, frame: Frame) -> None:
        self._target = target
        self._frame = frame

    def absent(self, thread: int) -> int:
        return 0

    def read_general(self, thread: int) -> bytes:
        return self._frame.registers

    def write_general(self, thread: int, data: bytes) -> None:
        raise _past()

    def read_register(self, thread: int, number: int) -> bytes | None:
        return self._frame.registers[4 * number : 4 * number + 4] or None

    def write_register(self, thread: int, number: int, data: bytes) -> None:
        raise _past()

    def read_pc(self, thread: int) -> int:
        return self._frame.pc

    def write_pc(self, thread: int, addr: int) -> None:
        raise _past()

    def expedited(self, thread: int) -> Mapping[int, bytes]:
        return {}


class _FrameMemory:
    """The `Memory` capability."""

    def __init__(self, memory: Memory, frame: Frame) -> None:
        self._memory = memory
        self._frame = frame

    def read_memory(self, thread: int, addr: int, length: int) -> bytes:
        data, known = bytearray(length), bytearray(length)
        # What was collected first lies on top.
        for start, piece in reversed(self._frame.memory):
            skipped = max(addr - start, 0)
            at = max(start - addr, 0)
            piece = piece[skipped : skipped + max(length - at, 0)]
            data[at : at + len(piece)] = piece
            known[at : at + len(piece)] = b"\1" * len(piece)
        end = known.find(0)
        out = bytes(data if end < 0 else data[:end])
        if not out:
            raise TargetError(f"{addr:#010x} was not collected")
        return out

    def write_memory(self, thread: int, addr: int, data: bytes) -> None:
        raise _past()

    def region(self, thread: int, addr: int) -> Region:
        return self._memory.region(thread, addr)


def _past() -> TargetError:
    return TargetError("what was collected cannot be changed; `tfind none` goes back to the tile")
