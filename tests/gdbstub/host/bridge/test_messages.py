# SPDX-License-Identifier: Apache-2.0
"""The driver's messages: what is written is read, and nothing else gets through."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensix_gdb.gdbstub.host.bridge.messages import Command, Message, MessageError, decode, encode

U32 = st.integers(0, 2**32 - 1)
U64 = st.integers(0, 2**64 - 1)
WORDS = st.binary(max_size=64).map(lambda data: data[: len(data) & ~3])
MESSAGES = st.builds(Message, st.sampled_from(Command), st.tuples(U64, U64), U64, U32, WORDS)


@given(MESSAGES)
def test_read_as_written(message: Message) -> None:
    assert decode(encode(message)) == message


def test_data_is_padded_to_words() -> None:
    assert decode(encode(Message(Command.READ, data=b"\1\2\3\4\5"))).data == b"\1\2\3\4\5\0\0\0"


@given(MESSAGES, st.data())
def test_changed_bytes_are_a_message_or_an_error(message: Message, data: st.DataObject) -> None:
    raw = bytearray(encode(message))
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(raw)))
    for some in (bytes(raw), bytes(raw[:cut])):
        with contextlib.suppress(MessageError):
            decode(some)


@given(st.binary(max_size=200))
def test_any_bytes(raw: bytes) -> None:
    with contextlib.suppress(MessageError):
        decode(raw)


def test_a_command_of_another_chip() -> None:
    raw = encode(Message(Command.EXIT))
    at = raw.index(bytes([Command.EXIT]), 8)
    with pytest.raises(MessageError, match="command 12 is not one of Blackhole's"):
        decode(raw[:at] + bytes([12]) + raw[at + 1 :])
