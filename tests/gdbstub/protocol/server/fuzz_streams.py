# SPDX-License-Identifier: Apache-2.0
"""Streams of packets that no debugger would send, each from a seed.

mutated     a session from a transcript, with packets changed, repeated, swapped, left out, spliced
random      packets of every form, in any order, with fields that are likely to hurt
noise       bytes: garbage, frames cut off or damaged, packets that are too long, interrupts

A stream is a list of (client, `Chunk`); what a chunk must bring back is known for the first two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tensix_gdb.gdbstub.protocol.commands import HANDLERS
from tensix_gdb.gdbstub.protocol.rsp.framing import PACKET_SIZE
from tensix_gdb.gdbstub.protocol.rsp.grammar import _FIELD
from tensix_gdb.gdbstub.protocol.rsp.packet import PATTERNS
from tests.gdbstub import wire

FOLDER = Path(__file__).resolve().parents[1] / "session"
CLIENTS = 3
LENGTH = 300  # packets in a stream
_BYTE = re.compile(rb"\\x([0-9a-f]{2})")


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes that a client sends; the payload when it is one well-formed packet."""

    data: bytes
    payload: bytes | None = None


INTERRUPT = Chunk(b"\x03")


def framed(payload: bytes) -> Chunk:
    """A packet."""
    return Chunk(wire.frame(payload), payload)


def sessions() -> list[list[bytes]]:
    """Return what clients send in the transcripts, one list for each."""
    found = []
    for path in sorted(FOLDER.glob("*/*.rsp")):
        packets = []
        for line in path.read_text("ascii").splitlines():
            what, _, rest = line.partition(" ")
            data = _BYTE.sub(lambda m: bytes([int(m[1], 16)]), rest.encode("latin-1"))
            if what == "mon":
                packets.append(b"qRcmd," + data.hex().encode("ascii"))
            elif what == "->":
                packets.append(b"\x03" if rest == "^C" else data)
        found.append(packets)
    return found


SESSIONS = sessions()
assert SESSIONS, f"there are no transcripts in {FOLDER}"

# Numbers: edges of the tile's memories, of 32 bits, of a packet.
NUMBERS = (
    *(0, 1, 2, 3, 4, 5, 8, 0x20, 0x21, 0x41, 0x6000, 0xA000, 0x10000, 0x17FFFF, 0x180000),
    *(0xFFB00000, 0xFFB00100, 0xFFB00FFF, 0xFFB01000, 0xFFB12000, 0xFFB121B0, 0xFFE40000),
    *(0xFFE80000, 0xFFEC0000, 0xFFFFFFFC, 0xFFFFFFFF, 1 << 32, (1 << 63) - 1, (1 << 64) - 1),
    *(PACKET_SIZE // 2, PACKET_SIZE, 0x7FFFFFFF, 0x80000000),
)
WORDS = (
    *("help", "status", "reset", "reset halt", "halt", "map", "step-limit 50", "step-limit x"),
    *("ebreak after", "ebreak at", "schedule", "schedule sc", "riscv info", "st", "x" * 200, ""),
    *("step-limit 99999999999", "schedule random:7", "schedule latency"),
)
ACTIONS = ("c", "s", "t", "C05", "S0b", "r8,14", "r0,ffffffff", "r8,8", "x", "")
THREADS = (
    *("-1", "0", "1", "2", "3", "4", "5", "6", "p1.1", "p1.-1", "p2.1", "ffffffff", "z"),
    *("p2.2", "p2.6", "p3.-1", "p3.0", "p-1.-1", "p9.1", "p0.0"),
)
TEXTS = ("", "1", "swbreak+;error-message+", "multiprocess+;swbreak+", "x" * 50, "\xff")
OBJECTS = ("features", "memory-map", "threads", "exec-file", "libraries", "osdata", "x", "")


def _number(random: Random) -> str:
    if random.random() < 0.3:
        return f"{random.randrange(0x40):x}"
    value = random.choice(NUMBERS) + random.choice((0, 0, 0, 1, 2, -1))
    return f"{max(value, 0):x}"


def _field(random: Random, name: str, kind: str) -> bytes:
    """A field of a packet; now and then one of another kind."""
    if random.random() < 0.02:
        kind = random.choice(("hex", "digit", "char", "word", "text", "binary", "bytes", "thread"))
    match kind:
        case "hex":
            return _number(random).encode("ascii")
        case "digit":
            return b"%d" % random.randrange(10)
        case "char":
            return random.choice((b"g", b"c", b"x"))
        case "word":
            return random.choice((*OBJECTS, "target.xml", "", "processes")).encode("ascii")
        case "thread":
            return random.choice(THREADS).encode("ascii")
        case "bytes":
            if name == "command":
                return random.choice(WORDS).encode("ascii").hex().encode("ascii")
            if name == "name":
                return random.choice(("/nowhere/0.elf", "/etc/passwd", "")).encode().hex().encode()
            return random.randbytes(random.choice((0, 1, 4, 4, 4, 132, 2000))).hex().encode("ascii")
        case "binary":
            return random.randbytes(random.choice((0, 1, 4, 4, 40, 3000)))
    if name == "actions":
        few = [random.choice(ACTIONS) for _ in range(random.randrange(1, 4))]
        return ";".join(
            f"{one}:{random.choice(THREADS)}" if random.random() < 0.6 else one for one in few
        ).encode("ascii")
    return random.choice(TEXTS).encode("latin-1")


def packet(random: Random) -> bytes:
    """A packet of one of the forms."""
    text = random.choice(FORMS)
    out, skipping = b"", False
    for name, kind, bracket, literal in _FIELD.findall(text):
        if bracket:
            skipping = bracket == "[" and random.random() < 0.5
        elif not skipping:
            out += literal.encode("ascii") if literal else _field(random, name, kind)
    length = re.fullmatch(rb"([MX][0-9a-f]+,)[0-9a-f]+(:.*)", out, re.DOTALL)
    if length and random.random() < 0.8:
        size = len(length[2]) - 1
        out = b"%b%x%b" % (length[1], size // 2 if out[:1] == b"M" else size, length[2])
    return out


FORMS = [PATTERNS[packet].text for packet in HANDLERS]


def mutated(random: Random, payload: bytes) -> bytes:
    """A packet with something changed in it."""
    data = bytearray(payload)
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(data) + 1)
        match random.randrange(6):
            case 0 if at < len(data):
                data[at] = random.randrange(256)
            case 1 if at < len(data):
                data[at] ^= 1 << random.randrange(8)
            case 2:
                data[at:at] = random.choice((b",", b":", b";", b"0", b"f", b"-1", b"}", b"\0"))
            case 3:
                del data[at : at + random.choice((1, 2, 8))]
            case 4:
                data[at:at] = data[at : at + 8] * random.choice((1, 3, 100))
            case _:
                data[at : at + 8] = _number(random).encode("ascii")
    return bytes(data[: PACKET_SIZE // 3])


def mutated_session(random: Random) -> Iterator[tuple[int, Chunk]]:
    """A real session, damaged."""
    client, left = 0, LENGTH
    while left:
        source = random.choice(SESSIONS)
        start = 0 if random.random() < 0.5 else random.randrange(len(source))
        for payload in source[start : start + 80]:
            chance = random.random()
            if chance < 0.08:
                continue
            if chance < 0.16:
                payload = random.choice(random.choice(SESSIONS))
            if payload == b"\x03":
                yield client, INTERRUPT
                continue
            if chance > 0.6:
                payload = mutated(random, payload)
            for _ in range(2 if 0.16 < chance < 0.2 else 1):
                yield client, framed(payload)
                left -= 1
                if not left:
                    return
            if random.random() < 0.02:
                client = random.randrange(CLIENTS)


def random_packets(random: Random) -> Iterator[tuple[int, Chunk]]:
    """Packets of every form in any order."""
    client = 0
    for _ in range(LENGTH):
        if random.random() < 0.05:
            client = random.randrange(CLIENTS)
        yield client, INTERRUPT if random.random() < 0.05 else framed(packet(random))


def noise(random: Random) -> Iterator[tuple[int, Chunk]]:
    """Bytes that are hardly packets."""
    for _ in range(LENGTH):
        whole = wire.frame(packet(random))
        match random.randrange(8):
            case 0:
                data = random.randbytes(random.choice((1, 10, 300)))
            case 1:
                data = whole[: random.randrange(len(whole))]
            case 2:
                data = whole[:-2] + b"zz"
            case 3:
                data = whole[:-1] + b"%x" % random.randrange(16)
            case 4:
                data = b"+" * random.randrange(9) + b"-" * random.randrange(9) + b"\x03"
            case 5 if random.random() < 0.02:
                data = b"$" + b"m" * (PACKET_SIZE + random.randrange(9)) + b"#00"
            case 6:
                data = whole + wire.frame(packet(random)) + whole[:5]
            case _:
                data = whole
        yield random.randrange(CLIENTS), Chunk(data)


KINDS = (mutated_session, random_packets, noise)
