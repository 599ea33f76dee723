# SPDX-License-Identifier: Apache-2.0
"""The protocol with one client, without I/O.

`session` has the class, `states` the table of what it does about each event, `dispatch` the driver
that answers packets, `reports` what a client is told. `protocol` says what these and the tile that
clients share may touch of a session, and what a session needs of that tile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.session.session import Session

__all__ = ["Session"]


def __getattr__(name: str) -> Any:
    """Load the class, and with it the packets and their handlers, when it is asked for: a server
    does without until a client comes."""
    if name == "Session":
        from tensix_gdb.gdbstub.protocol.session.session import Session

        return Session
    raise AttributeError(name)
