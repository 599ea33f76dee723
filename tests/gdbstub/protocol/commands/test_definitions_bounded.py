# SPDX-License-Identifier: Apache-2.0
"""The definitions of one client take no more memory than README.md says, and it is told so."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tensix_gdb.gdbstub.protocol.commands.breakpoints import MAX_ATTACHED, MAX_INSERTED
from tensix_gdb.gdbstub.protocol.tracepoints.frames import MAX_DEFINED
from tests.gdbstub.tiles import Client, new_tile

LONG = "41" * 12_000  # bytes of a packet that is nearly as long as it may be
END = "27"
TRACE = "together are more than 1048576 bytes: define fewer, then `tstart` begins anew"


def asking() -> Client:
    client = Client(new_tile())
    client.ask("qSupported:error-message+")
    for number in range(1, 101):
        assert client.ask(f"QTDP:{number:x}:10:E:0:0") == b"OK"
    return client


@pytest.mark.parametrize(
    "packet",
    [
        pytest.param(lambda n: f"QTDV:{n:x}:0:0:{LONG}", id="names of variables"),
        pytest.param(lambda n: f"QTDV:{n:x}:0:0:", id="variables"),
        pytest.param(
            lambda n: f"QTDPsrc:{n % 100 + 1:x}:10:cmd:0:{len(LONG) // 2:x}:{LONG}", id="sources"
        ),
        pytest.param(lambda n: f"QTDPsrc:{n % 100 + 1:x}:10:cmd:0:0:", id="empty sources"),
        pytest.param(
            lambda n: f"QTDP:-{n % 100 + 1:x}:10:X{len(LONG) // 2:x},{LONG}", id="expressions"
        ),
        pytest.param(lambda n: f"QTDP:-{n % 100 + 1:x}:10:R{LONG}", id="masks of registers"),
        pytest.param(lambda n: f"QTDP:-{n % 100 + 1:x}:10:" + "M0,0,1" * 50, id="memory"),
        pytest.param(
            lambda n: f"QTDP:{n + 200:x}:10:E:0:0:X{len(LONG) // 2:x},{LONG}", id="conditions"
        ),
        pytest.param(
            lambda n: f"QTDP:{n + 200:x}:10:E:0:0:" + f"X1,{END}" * 250, id="many conditions"
        ),
    ],
)
def test_trace_definitions(packet: Callable[[int], str]) -> None:
    """Every way to define something fills the same room; QTinit gives it back."""
    client = asking()
    for number in range(MAX_DEFINED // 100):
        answer = client.ask(packet(number))
        if answer != b"OK":
            break
    assert TRACE in answer.decode()
    assert number * len(packet(number)) < 4 * MAX_DEFINED
    assert client.ask("QTinit") == b"OK"
    assert client.ask("QTDV:1:0:0:41") == b"OK"


def test_what_is_attached_to_breakpoints() -> None:
    client = asking()
    for length in (7_000, 1):
        for number in range(MAX_ATTACHED // 50):
            rest = f"X{length:x},{END * length}" * (1 if length > 1 else 250)
            answer = client.ask(f"Z0,{0x20000 + 4 * number:x},4;{rest};cmds:0,{rest}")
            if answer != b"OK":
                break
        assert b"are more than 4194304 bytes together" in answer
        assert client.session.selection.attached_bytes <= MAX_ATTACHED
        for at in range(number):
            assert client.ask(f"z0,{0x20000 + 4 * at:x},4") == b"OK"
        assert client.session.selection.attached_bytes == 0


def test_what_a_client_was_told_of_is_forgotten_in_time() -> None:
    """Breakpoints where no instruction can be, each taken away again."""
    client = asking()
    for number in range(MAX_INSERTED + 100):
        assert client.ask(f"Z0,{4 * number + 2:x},2") == b"OK"
        assert client.ask(f"z0,{4 * number + 2:x},2") == b"OK"
    assert len(client.session.notes) == 100


def test_frames_are_counted_with_all_that_is_in_them() -> None:
    """Pieces without bytes, and variables, take room too."""
    client = asking()
    client.ask("QTinit")
    collect = "2200" + "".join(f"2d{n:04x}2e{n:04x}" for n in range(500)) + END
    empty = "".join("2200220030000029" for _ in range(200)) + END
    assert client.ask("QTDP:1:10:E:0:0-") == b"OK"
    for program in (collect, empty):
        assert client.ask(f"QTDP:-1:10:X{len(program) // 2:x},{program}-") == b"OK"
    assert client.ask("QTStart") == b"OK"
    client.send_only("vCont;c")
    client.tile.advance_to(200)
    client.send(b"\x03")
    trace = client.session.trace
    assert trace.frames
    assert trace.bytes / len(trace.frames) > 50 * (500 + 200)


def test_the_number_of_a_tracepoint_fits_a_trace_file() -> None:
    """A larger one was a defect when frames were asked for."""
    client = asking()
    assert b"65535 at most" in client.ask("QTDP:10000:10:E:0:0")
    assert client.ask("QTDP:ffff:10:E:0:0") == b"OK"
