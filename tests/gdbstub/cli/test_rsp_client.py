# SPDX-License-Identifier: Apache-2.0
"""A client of a server that takes its time for an answer."""

from __future__ import annotations

import socket
import threading

from tensix_gdb.gdbstub.cli.rsp_client import RspClient
from tensix_gdb.gdbstub.protocol.rsp.framing import encode
from tests.patience import HANG


def test_a_packet_without_text_is_no_answer() -> None:
    """A server that works for seconds sends one each second (server/connection.py)."""

    def serve() -> None:
        link, _ = server.accept()
        with link:
            link.settimeout(HANG)
            while b"#" not in link.recv(1 << 12):
                pass
            text = b"O" + b"told".hex().encode("ascii")
            for payload in (b"O", text, b"O", b"OK"):
                link.sendall(encode(payload, run_lengths=False))
            link.recv(1 << 12)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            with RspClient("127.0.0.1", server.getsockname()[1], HANG) as client:
                assert client.monitor("origin 0x0") == "told"
        finally:
            thread.join(HANG)
