# SPDX-License-Identifier: Apache-2.0
"""The joint of a packet and the function that handles it.

A row of a table of handlers is `handles(packet, function)`, or `CAPABILITY.handles(packet,
function)` where the function needs what not every target has: it gets the capability as a
parameter. Both check that the function takes this packet; a target without the capability does not
know the packet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.outcome import Outcome
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.target import Target

C = TypeVar("C")
P = TypeVar("P")


def _always(target: Target) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Handler:
    """The handling of one kind of packet.

    `needs` names the capability of the target without which the packet is unknown. What `changes`
    the target is refused while it runs for another client. When it fails, what is `told` may be
    text to a GDB that has not asked for text.
    """

    packet: type
    # A table holds handlers of all packets; `handles` has checked that this one takes its packet.
    answer: Callable[[Client, Any], Outcome]
    available: Callable[[Target], bool] = _always
    needs: str = ""
    changes: bool = False
    told: bool = False


def handles(
    packet: type[P],
    function: Callable[[Client, P], Outcome],
    *,
    changes: bool = False,
    told: bool = False,
) -> Handler:
    """Return a handler that every target can have."""
    return Handler(packet, function, changes=changes, told=told)


@dataclass(frozen=True, slots=True)
class Capability(Generic[C]):
    """A capability that not every target has, by its name in `Target`."""

    name: str
    of: Callable[[Target], C | None]

    def handles(
        self,
        packet: type[P],
        function: Callable[[Client, C, P], Outcome],
        *,
        changes: bool = False,
        told: bool = False,
    ) -> Handler:
        """Return a handler of targets that have the capability."""
        of = self.of

        def answer(client: Client, asked: P) -> Outcome:
            capability = of(client.target)
            return replies.EMPTY if capability is None else function(client, capability, asked)

        def available(target: Target) -> bool:
            return of(target) is not None

        return Handler(packet, answer, available, self.name, changes, told)


BREAKPOINTS = Capability("breakpoints", lambda target: target.breakpoints)
CALLS = Capability("calls", lambda target: target.calls)
FILES = Capability("files", lambda target: target.files)
MONITOR = Capability("monitor", lambda target: target.monitor)
RESTART = Capability("restart", lambda target: target.restart)
REVERSE = Capability("reverse", lambda target: target.reverse)
XFER = Capability("xfer", lambda target: target.xfer)
