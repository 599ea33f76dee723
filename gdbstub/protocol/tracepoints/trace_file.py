# SPDX-License-Identifier: Apache-2.0
"""The trace of a client, as it goes into a trace file (GDB manual, Trace File Format).

`raw` is the part of the file after its header, which GDB writes. A register block is what the
answer to `g` is, and GDB writes the size of that answer into the header.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tensix_gdb.gdbstub.protocol.tracepoints.frames import Action, Frame, Trace

REGISTERS = "R1ffffffff"  # x0 to x31 and the pc, whatever was asked for
MAX_OF_A_BLOCK = 0xFFFF


def raw(frames: Sequence[Frame]) -> bytes:
    """Return the frames: of each the tracepoint's number, its length, and blocks; a frame 0 is the
    end."""
    out = bytearray()
    for frame in frames:
        blocks = b"".join(_blocks(frame))
        out += frame.tracepoint.to_bytes(2, "little") + len(blocks).to_bytes(4, "little") + blocks
    return bytes(out) + bytes(6)


def _blocks(frame: Frame) -> Iterator[bytes]:
    yield b"R" + frame.registers
    for addr, data in frame.memory:
        for at in range(0, len(data), MAX_OF_A_BLOCK):
            piece = data[at : at + MAX_OF_A_BLOCK]
            yield (
                b"M" + (addr + at).to_bytes(8, "little") + len(piece).to_bytes(2, "little") + piece
            )
    for number, value in frame.variables.items():
        yield b"V" + number.to_bytes(4, "little") + value.to_bytes(8, "little", signed=True)


def definitions(trace: Trace) -> list[bytes]:
    """Return the tracepoints as the client defined them: place, actions, and what was typed."""
    out = []
    for tracepoint in trace.tracepoints.values():
        place = f"{tracepoint.number:x}:{tracepoint.addr:x}"
        condition = "".join(f":X{len(c):x},{c.hex()}" for c in tracepoint.conditions)
        out.append(
            f"T{place}:{'E' if tracepoint.enabled else 'D'}:0:{tracepoint.pass_count:x}{condition}"
        )
        out += [f"A{place}:{_action(action)}" for action in tracepoint.actions]
        out += [
            f"Z{place}:{kind}:{at:x}:{size:x}:{text}" for kind, at, size, text in tracepoint.sources
        ]
    return [line.encode("ascii") for line in out]


def _action(action: Action) -> str:
    """Return a line for each: those of a trace file have to be short."""
    match action.kind:
        case "registers":
            return REGISTERS
        case "memory":
            base, offset, length = action.numbers
            return f"M{base:x},{offset:x},{length:x}"
        case _:
            return f"X{len(action.program):x},{action.program.hex()}"


def variables(trace: Trace) -> list[bytes]:
    """Return the trace state variables: number, first value, kind and name."""
    return [
        b"%x:%x:%x:%b" % (number, value, builtin, name.hex().encode("ascii"))
        for number, (value, builtin, name) in trace.names.items()
    ]
