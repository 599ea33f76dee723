# SPDX-License-Identifier: Apache-2.0
"""What LLDB asks for and GDB does not (lldbgdbremote.md).

A client that sends QThreadSuffixSupported is LLDB: it names the thread in register packets, and it
reads `x` without the `b` in front. What is not here gets the empty reply, which LLDB takes for no.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.commands.breakpoints import MOST_INSERTED
from tensix_gdb.gdbstub.commands.handler import Handler
from tensix_gdb.gdbstub.rsp import replies
from tensix_gdb.gdbstub.rsp.packets import lldb as packets
from tensix_gdb.gdbstub.rsp.replies import ErrorStyle
from tensix_gdb.gdbstub.target import Signal, Stopped, TargetError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.session import Session

ADDRESSES = 0xFFFFFFFF
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
    pid = session.process_of(session.general_thread)
    return b"pid:%x;triple:%b;ptrsize:4;endian:little;" % (pid, triple)


def memory_region(session: Session, packet: packets.MemoryRegion) -> bytes:
    """LLDB looks here for room when it evaluates an expression, and takes a frame whose pc is in
    memory that cannot be executed for a broken one."""
    if packet.addr > ADDRESSES:
        raise TargetError(f"addresses end at {ADDRESSES:#x}")
    found = session.target.memory.region(session.general_thread, packet.addr)
    text = f"start:{found.start:x};size:{found.end - found.start:x};"
    if found.access:
        name = found.name.encode("utf-8").hex()
        text += f"permissions:{found.access};name:{name};"
    return text.encode("ascii")


def watchpoints(session: Session, packet: packets.WatchpointSupport) -> bytes:
    return b"num:%d;" % MOST_INSERTED


def thread_stop(session: Session, packet: packets.ThreadStop) -> bytes:
    """The thread that stopped has a reason, the others stand because of it: signal 0."""
    thread = session.one_thread(packet.thread)
    stop = session.last_stop()
    if stop.thread != thread:
        stop = Stopped(thread, Signal.NONE)
    # Asking does not choose the thread.
    chosen = session.general_thread
    reply = session.stop_reply(stop)
    session.general_thread = chosen
    return reply


def attach_or_wait(session: Session, packet: packets.VAttachOrWait) -> bytes:
    """The tile is there already."""
    return replies.EMPTY


HANDLERS: dict[type, Handler] = {
    packets.ThreadSuffix: Handler(thread_suffix),
    packets.ListThreadsInStopReply: Handler(list_threads),
    packets.EnableErrorStrings: Handler(error_strings),
    packets.HostInfo: Handler(host),
    packets.ProcessInfo: Handler(process),
    packets.MemoryRegion: Handler(memory_region),
    packets.WatchpointSupport: Handler(watchpoints, needs="breakpoints"),
    packets.ThreadStop: Handler(thread_stop),
    packets.VAttachOrWait: Handler(attach_or_wait),
}
