# SPDX-License-Identifier: Apache-2.0
"""What LLDB asks for and GDB does not (lldbgdbremote.md).

A client that sends QThreadSuffixSupported is LLDB: it names the thread in register packets, and it
reads `x` without the `b` in front. What is not here gets the empty reply, which LLDB takes for no.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gdbstub.commands.handler import Handler
from gdbstub.rsp import packets, replies
from gdbstub.rsp.replies import ErrorStyle

if TYPE_CHECKING:
    from gdbstub.session import Session

TRIPLE = b"riscv32-unknown-none-elf"


def thread_suffix(session: Session, packet: packets.ThreadSuffix) -> bytes:
    session.wishes.thread_suffix = True
    return replies.OK


def list_threads(session: Session, packet: packets.ListThreadsInStopReply) -> bytes:
    session.wishes.thread_lists = True
    return replies.OK


def error_strings(session: Session, packet: packets.EnableErrorStrings) -> bytes:
    session.wishes.errors = ErrorStyle.NUMBER_AND_TEXT
    return replies.OK


def host(session: Session, packet: packets.HostInfo) -> bytes:
    """Watchpoints are reported before the access, as on hardware."""
    triple = TRIPLE.hex().encode("ascii")
    return b"triple:%b;ptrsize:4;endian:little;watchpoint_exceptions_received:before;" % triple


def process(session: Session, packet: packets.ProcessInfo) -> bytes:
    triple = TRIPLE.hex().encode("ascii")
    return b"pid:1;triple:%b;ptrsize:4;endian:little;" % triple


def attach_or_wait(session: Session, packet: packets.VAttachOrWait) -> bytes:
    """The tile is there already."""
    return replies.EMPTY


HANDLERS: dict[type, Handler] = {
    packets.ThreadSuffix: Handler(thread_suffix),
    packets.ListThreadsInStopReply: Handler(list_threads),
    packets.EnableErrorStrings: Handler(error_strings),
    packets.HostInfo: Handler(host),
    packets.ProcessInfo: Handler(process),
    packets.VAttachOrWait: Handler(attach_or_wait),
}
