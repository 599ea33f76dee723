# SPDX-License-Identifier: Apache-2.0
"""The outcomes of a handler, which the session carries out (gdbstub.protocol.session.dispatch).

A handler only looks at the target, changes it, or notes something about its client. It sends
nothing, lets nothing run and ends no session: it returns one of these, and the packet is answered
exactly once, whatever that takes.
"""

from __future__ import annotations

from collections.abc import Mapping

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.protocol.target import Action, Stopped


@dataclass(frozen=True, slots=True)
class Packets:
    """Several packets: text for the console, and the reply after it."""

    payloads: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Resume:
    """Let threads run; the reply is the next stop. In non-stop mode the reply is OK, and stops are
    announced."""

    actions: Mapping[int, Action]


@dataclass(frozen=True, slots=True)
class Started:
    """Note that a program was started and is stopped at its entry; the reply is that stop."""

    stop: Stopped


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Reply OK, then treat the packet as an interrupt."""


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """The client has done what a program asked for (File-I/O): let the target continue with the
    `result` and errno, or None when it was not done at all. `interrupted` says that the user wants
    the target to stop. There is no reply but the next stop."""

    result: tuple[int, int] | None
    interrupted: bool


@dataclass(frozen=True, slots=True)
class Detach:
    """The client stays connected, and lets go of the target. The reply is OK."""


@dataclass(frozen=True, slots=True)
class Close:
    """The client leaves, after the reply, if there is one. With `reset` the tile is reset, if this
    was the last client."""

    reply: bytes | None = None
    reset: bool = False


@dataclass(frozen=True, slots=True)
class NoReply:
    """All was done, and the packet is one that has no reply."""


# What takes more than one packet; `bytes` are the payload of the reply.
Deferred = Packets | Resume | Started | Interrupt | FileAnswer | Detach | Close | NoReply
Outcome = bytes | Deferred
