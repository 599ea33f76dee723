# SPDX-License-Identifier: Apache-2.0
"""The first questions of debuggers, asked by the server of itself before there is a client.

The first attach would otherwise take longer than the next one: patterns are compiled, documents
framed and Python's own code specialised when they are used first. Nothing here changes the tile.
"""

from __future__ import annotations

from typing import Protocol

from tensix_gdb.gdbstub.protocol.rsp.framing import encode
from tensix_gdb.gdbstub.protocol.session import Session

# In the order of GDB, and what it asks at a stop.
OPENING = (
    *(b"qSupported:swbreak+;hwbreak+;vContSupported+;error-message+", b"vMustReplyEmpty"),
    *(
        b"QStartNoAckMode",
        b"Hg0",
        *(b"qXfer:features:read:target.xml:%x,1000" % (n << 12) for n in range(4)),
    ),
    *(
        b"qTStatus",
        b"qTfV",
        b"?",
        b"qXfer:threads:read::0,1000",
        b"qAttached",
        b"Hc-1",
        b"qOffsets",
    ),
    *(b"qXfer:exec-file:read::0,1000", b"qXfer:libraries:read::0,1000", b"qSymbol::", b"qTfP"),
    *(b"qXfer:memory-map:read::0,1000", b"vCont?", b"qfThreadInfo", b"qsThreadInfo", b"qC"),
    *(b"g", b"p20", b"m0,4"),
)
is_done = False  # in this process, before it was copied (gdbstub/warm)
TIMES = 10  # Python specialises a function when it has been called so often


class Endpoint(Protocol):
    """The tile, or one hart of it, that a session is of."""

    def join(self, name: str) -> Session:
        """Return a new client."""


def warm_up(endpoint: Endpoint) -> None:
    """Ask all of it and forget the answers."""
    frames = [encode(payload, run_lengths=False) for payload in OPENING]
    for _ in range(TIMES):
        session = endpoint.join("warm-up")
        for frame in frames:
            session.receive(frame)
            while session.unanswered:
                session.proceed()
            session.stream.take_outgoing()
        session.end()
