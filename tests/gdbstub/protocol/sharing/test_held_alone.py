# SPDX-License-Identifier: Apache-2.0
"""A run in which only what its client holds could move ends with a sentence."""

from __future__ import annotations

from tests.gdbstub.tiles import Client, new_tile

T2, T0_UNPACK = 4, 6


def test_a_hart_in_reset_and_a_thread_that_is_held() -> None:
    """T2 is in reset. T0 has pushed until what it pushed last waits at the gate of its thread."""
    client = Client(new_tile("compiled"))
    client.ask("QStartNoAckMode")
    client.send_only("vCont;c:2")  # T0 alone: nothing passes its thread's gate
    client.tile.advance_to(2000)
    client.send_only("vCtrlC")
    client.send_only(f"vCont;c:{T2}")
    for _ in range(40):
        if not client.tile.running:
            break
        client.tile.advance_to(client.tile.target.execution.clock() + 10_000)
    text, stop = [one for one in client.read() if one[:1] in b"OT"][-2:]
    said = bytes.fromhex(text[1:].decode())
    assert b"no hart can continue" in said
    assert b"held for the client: T0 unpack" in said, said
    assert stop.startswith(b"T05"), stop
    assert f"thread:{T2};".encode() in stop
