# SPDX-License-Identifier: Apache-2.0
"""Viewers that mean harm, or are slow, or many: the tile and the others do not notice."""

from __future__ import annotations

import contextlib
import os
import random
import socket
from collections.abc import Iterator

import pytest
import trio

from tests.gdbstub.pages.web.conftest import Open
from tests.gdbstub.pages.web.page import Page
from tests.patience import HANG

CONNECTIONS = 1000
VIEWERS = 64


@pytest.fixture(scope="module")
def page(open_page: Open, demo: list[str]) -> Iterator[Page]:
    with open_page("--elf", f"t0={demo[1]}/t0.elf", "--elf", f"b={demo[1]}/b.elf") as page:
        yield page


def memory(page: Page) -> int:
    """Bytes of the server's process in memory."""
    with open(f"/proc/{page.server.process.pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def answers(page: Page) -> None:
    """See that it still serves."""
    async with page.viewer() as viewer:
        await viewer.until(lambda viewer: viewer.frame)


def handshake(page: Page) -> socket.socket:
    """A socket that has become a WebSocket."""
    host, _, port = page.host.partition(":")
    opened = socket.create_connection((host, int(port)), timeout=HANG)
    opened.sendall(
        f"GET /ws HTTP/1.1\r\nHost: {page.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Cookie: {page.cookie}\r\n\r\n".encode()
    )
    answer = opened.recv(1 << 12)
    if b" 101 " not in answer:
        opened.close()
        raise ConnectionRefusedError(answer)
    return opened


@pytest.mark.parametrize(
    "data",
    [
        b"\xff" * 64,
        b"\x81\x05hello",  # not masked
        b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff0000",  # longer than memory
        b"\x81\xfe\xff\xff0000" + b"x" * 0xFFFF,
        b"\x01\x81\x00\x00\x00\x00{" * 3000,  # a beginning after a beginning
        b"\x81\x84\x00\x00\x00\x00\xff\xfe\xfd\xfc",  # no text
        b"\x89\xfe\x01\x00\x00\x00\x00\x00" + bytes(256),  # a ping that is too long
        b"\x88\x80\x00\x00\x00\x00",
    ],
)
async def test_hostile_frames(page: Page, data: bytes) -> None:
    with contextlib.closing(handshake(page)) as opened:
        with contextlib.suppress(OSError):
            opened.sendall(data)
        await answers(page)


async def test_noise(page: Page) -> None:
    rng = random.Random(7)
    before = memory(page)
    for _ in range(100):
        with contextlib.closing(handshake(page)) as opened, contextlib.suppress(OSError):
            opened.sendall(rng.randbytes(rng.randrange(4000)))
    await answers(page)
    assert memory(page) < before + (64 << 20)


async def test_a_thousand_connections(page: Page) -> None:
    host, _, port = page.host.partition(":")
    with contextlib.ExitStack() as stack:
        for number in range(CONNECTIONS):
            try:
                opened = socket.create_connection((host, int(port)), timeout=HANG)
            except OSError:
                break
            stack.enter_context(contextlib.closing(opened))
            if number % 2:
                opened.sendall(b"GET / HTTP/1.1\r\n")
        assert number > VIEWERS
    await answers(page)


async def test_more_viewers_than_there_is_room_for(page: Page) -> None:
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(contextlib.closing(handshake(page))) for _ in range(VIEWERS)]
        # One leaves, and there is room again.
        opened.pop().close()
        with trio.fail_after(HANG):
            while True:
                with contextlib.suppress(Exception):
                    await answers(page)
                    break
                await trio.sleep(0.1)


async def test_a_viewer_that_reads_nothing(page: Page) -> None:
    before = memory(page)
    with contextlib.closing(handshake(page)):
        async with page.viewer() as viewer:
            await viewer.say(do="continue")
            with trio.move_on_after(3):
                while True:
                    await viewer.hear()
            assert viewer.frame["cycle"] > 10_000
            await viewer.say(do="stop")
            await viewer.until(lambda viewer: not viewer.frame["running"])
    assert memory(page) < before + (64 << 20)
