# SPDX-License-Identifier: Apache-2.0
"""Bytes and packets: what is framed comes out again, however it arrives, and nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensix_gdb.gdbstub.protocol.commands import HANDLERS
from tensix_gdb.gdbstub.protocol.rsp import framing
from tensix_gdb.gdbstub.protocol.rsp.framing import (
    PACKET_SIZE,
    Ack,
    Damaged,
    Decoder,
    Event,
    Interrupt,
    Packet,
    TooLong,
)
from tensix_gdb.gdbstub.protocol.rsp.packet import PATTERNS, Malformed, parse
from tests.gdbstub import wire

LIMIT = 64
PIECES = st.one_of(
    st.binary(max_size=20).map(wire.frame),
    st.binary(max_size=20),
    st.sampled_from([b"+", b"-", b"\x03", b"$m0", b"$m0,4#zz", b"#", b"$", b"}", b"$" + b"a" * 99]),
)


def events(data: bytes, cuts: list[int]) -> list[Event]:
    """Return what a decoder makes of these bytes when they arrive cut at these places."""
    return list(taken(Decoder(LIMIT), data, cuts))


def taken(decoder: Decoder, data: bytes, cuts: list[int]) -> Iterator[Event]:
    """The events of a decoder that is fed these bytes."""
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    for start, end in pairwise(places):
        decoder.feed(data[start:end])
        while (event := decoder.event()) is not None:
            yield event
        assert not decoder.more


@given(st.lists(PIECES), st.lists(st.integers(0, 10_000), max_size=8))
def test_it_does_not_matter_how_bytes_arrive(pieces: list[bytes], cuts: list[int]) -> None:
    data = b"".join(pieces)
    assert events(data, cuts) == events(data, []) == events(data, list(range(len(data))))


@given(st.lists(PIECES), st.lists(st.integers(0, 10_000), max_size=8))
def test_it_does_not_matter_when_events_are_taken(pieces: list[bytes], cuts: list[int]) -> None:
    """One for each piece that arrives, the rest at the end."""
    data = b"".join(pieces)
    decoder = Decoder(LIMIT)
    found: list[Event | None] = []
    for start, end in pairwise([0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]):
        decoder.feed(data[start:end])
        found.append(decoder.event())
    found += taken(decoder, b"", [])
    assert [event for event in found if event is not None] == events(data, [])


@given(st.lists(st.binary(max_size=20)))
def test_packets_arrive(payloads: list[bytes]) -> None:
    data = b"+".join(map(wire.frame, payloads))
    found = [event for event in events(data, []) if isinstance(event, Packet)]
    assert [event.payload for event in found] == payloads


@given(st.binary(max_size=20), st.integers(0, 255))
def test_a_wrong_checksum_is_noticed(payload: bytes, other: int) -> None:
    framed = wire.frame(payload)
    wrong = framed[:-2] + b"%02x" % other
    assert isinstance(events(wrong, [])[0], Packet if wrong == framed else Damaged)


@given(st.one_of(PIECES, st.lists(PIECES, max_size=3).map(b"".join)))
def test_what_is_seen_at_once_is_what_a_decoder_finds(data: bytes) -> None:
    seen = framing.whole(data)
    assert seen is None or list(taken(Decoder(PACKET_SIZE), data, [])) == [Packet(seen)]


@given(st.binary(max_size=100))
def test_a_whole_packet_is_seen_at_once(payload: bytes) -> None:
    framed = wire.frame(payload)
    assert framing.whole(framed) == payload
    assert framing.whole(framed[:-2] + framed[-2:].upper()) == payload
    assert framing.whole(framed[:-1]) is None
    assert framing.whole(framed[:-1] + bytes((framed[-1] ^ 1,))) is None


def test_what_is_longer_than_a_packet_is_no_whole_one() -> None:
    assert framing.whole(wire.frame(b"a" * PACKET_SIZE)) == b"a" * PACKET_SIZE
    assert framing.whole(wire.frame(b"a" * (PACKET_SIZE + 1))) is None


@given(st.lists(PIECES))
def test_a_packet_after_noise_arrives(pieces: list[bytes]) -> None:
    # The end of a packet first: what came before may be the beginning of one.
    data = b"".join(pieces) + b"#00" + wire.frame(b"qC")
    assert events(data, [])[-1] == Packet(b"qC")


@given(st.binary(max_size=5 * LIMIT))
def test_a_decoder_keeps_no_more_than_a_packet(data: bytes) -> None:
    decoder = Decoder(LIMIT)
    list(taken(decoder, b"$" + data, []))
    assert len(decoder._body) <= LIMIT


@given(st.binary() | st.binary(min_size=1, max_size=3).flatmap(lambda b: st.just(b * 120)))
def test_what_is_sent_can_be_read(data: bytes) -> None:
    framed = framing.encode(framing.escape(data))
    (payload,) = wire.answers(framed)
    assert wire.binary(payload) == data
    assert framing.unescape(framing.escape(data)) == data


@given(st.integers(1, 300), st.sampled_from(b"0fx\0"))
def test_runs_are_shortened(count: int, byte: int) -> None:
    data = bytes((byte,)) * count
    shortened = framing.shorten(data)
    assert wire.answers(framing.encode(shortened, run_lengths=False)) == [data]
    assert len(shortened) <= (count if count < 32 else 3 * (count // 98 + 6) + 8)
    framed = framing.encode(8 * data)
    assert wire.answers(framed) == [8 * data]
    assert len(framed) < 100 or 8 * count < 512


@given(st.binary(max_size=3000))
def test_the_checksum_is_a_sum(data: bytes) -> None:
    assert framing.checksum(data) == sum(data) % 256
    assert framing.checksum(b"\xff" * len(data)) == 255 * len(data) % 256
    assert framing.checksum(b"\x7f" * len(data)) == 127 * len(data) % 256


@given(st.binary(max_size=40))
def test_any_byte_may_come_escaped(data: bytes) -> None:
    assert framing.unescape(b"".join(bytes((0x7D, byte ^ 0x20)) for byte in data)) == data


@given(st.sampled_from(sorted(p.prefix for p in PATTERNS.values())), st.binary(max_size=30))
def test_a_payload_is_a_packet_or_malformed_or_unknown(prefix: bytes, rest: bytes) -> None:
    with suppress(Malformed):
        found = parse(prefix + rest)
        assert found is None or type(found) in HANDLERS


@pytest.mark.parametrize("byte", [0x7F, 0xFF])
def test_the_checksum_of_as_many_large_bytes_as_are_added_at_once(byte: int) -> None:
    for count in range(250, 530):
        assert framing.checksum(bytes((byte,)) * count) == byte * count % 256, count


def test_a_packet_of_just_the_limit_arrives() -> None:
    most, more = wire.frame(b"a" * LIMIT), wire.frame(b"a" * (LIMIT + 1))
    for cuts in ([], [10, 20], list(range(LIMIT))):
        assert events(most, cuts) == [Packet(b"a" * LIMIT)]
        assert events(more, cuts) == [TooLong()]


def test_other_bytes_between_packets_mean_nothing() -> None:
    data = bytes(byte for byte in range(256) if byte not in b"$+-\x03")
    assert events(data, []) == []
    assert events(b"+-\x03", []) == [Ack(True), Ack(False), Interrupt()]
    assert PACKET_SIZE >= 16 << 10
