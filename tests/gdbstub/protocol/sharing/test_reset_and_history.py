# SPDX-License-Identifier: Apache-2.0
"""A reset while the tile is recorded: what was before it does not come back."""

import pytest

from tests.gdbstub.tiles import Client, new_tile


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_what_was_written_before_a_reset_is_gone(engine: str) -> None:
    client = Client(new_tile(engine), "one")

    def monitor(line: str) -> bytes:
        return client.ask("qRcmd," + line.encode().hex())

    client.ask("QStartNoAckMode")
    client.ask("Hg1")
    loaded = client.ask("m0,20")
    monitor("record on")
    # An input where the history begins, and back to before it.
    assert client.ask("M1,5:f7d241d903") == b"OK"
    client.ask("s")
    assert b"replaylog:begin" in client.ask("bc")
    monitor("reset")
    assert client.ask("p20") == b"00000000"
    assert client.ask("s").startswith(b"T0501:00000000;02:00000000;08:00000000;20:04000000;")
    assert client.ask("m0,20") == loaded
