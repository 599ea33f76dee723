# SPDX-License-Identifier: Apache-2.0
"""The packets that LLDB sends and GDB does not (lldbgdbremote.md).

A client that sends QThreadSuffixSupported is LLDB: it names the thread in register packets, and it
reads `x` without the `b` before it. What is not here gets the empty reply, which LLDB takes for no.
"""

from __future__ import annotations

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands.breakpoints import MAX_INSERTED
from tensix_gdb.gdbstub.protocol.commands.handler import BREAKPOINTS, handles
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.rsp.packets import lldb as packets
from tensix_gdb.gdbstub.protocol.rsp.replies import ErrorStyle
from tensix_gdb.gdbstub.protocol.target import Breakpoints, Signal, Stopped, TargetError

ADDRESSES = 0xFFFFFFFF
TRIPLE = b"riscv32-unknown-none-elf"


def thread_suffix(client: Client, packet: packets.ThreadSuffix) -> bytes:
    client.features.thread_suffix = True
    return replies.OK


def list_threads(client: Client, packet: packets.ListThreadsInStopReply) -> bytes:
    client.features.thread_lists = True
    return replies.OK


def error_strings(client: Client, packet: packets.EnableErrorStrings) -> bytes:
    client.features.errors = ErrorStyle.NUMBER_AND_TEXT
    return replies.OK


def host(client: Client, packet: packets.HostInfo) -> bytes:
    """Watchpoints are reported before the access, as on hardware."""
    triple = TRIPLE.hex().encode("ascii")
    return b"triple:%b;ptrsize:4;endian:little;watchpoint_exceptions_received:before;" % triple


def process(client: Client, packet: packets.ProcessInfo) -> bytes:
    triple = TRIPLE.hex().encode("ascii")
    pid = client.selection.process_of(client.selection.general_thread)
    return b"pid:%x;triple:%b;ptrsize:4;endian:little;" % (pid, triple)


def memory_region(client: Client, packet: packets.MemoryRegion) -> bytes:
    """LLDB looks here for room when it evaluates an expression, and takes a frame for broken when
    its pc is in memory that cannot be executed."""
    if packet.addr > ADDRESSES:
        raise TargetError(f"addresses end at {ADDRESSES:#x}")
    region = client.target.memory.region(client.selection.general_thread, packet.addr)
    text = f"start:{region.start:x};size:{region.end - region.start:x};"
    if region.access:
        name = region.name.encode("utf-8").hex()
        text += f"permissions:{region.access};name:{name};"
    return text.encode("ascii")


def watchpoints(
    client: Client, breakpoints: Breakpoints, packet: packets.WatchpointSupport
) -> bytes:
    return b"num:%d;" % MAX_INSERTED


def thread_stop(client: Client, packet: packets.ThreadStop) -> bytes:
    """The thread that stopped has a reason, the others have stopped because of it: signal 0."""
    thread = client.selection.one_thread(packet.thread)
    stop = client.last_stop()
    if stop.thread != thread:
        stop = Stopped(thread, Signal.NONE)
    return client.notice_of(stop)  # asking does not choose the thread


def attach_or_wait(client: Client, packet: packets.VAttachOrWait) -> bytes:
    """The tile is there already."""
    return replies.EMPTY


HANDLERS = (
    handles(packets.ThreadSuffix, thread_suffix),
    handles(packets.ListThreadsInStopReply, list_threads),
    handles(packets.EnableErrorStrings, error_strings),
    handles(packets.HostInfo, host),
    handles(packets.ProcessInfo, process),
    handles(packets.MemoryRegion, memory_region),
    BREAKPOINTS.handles(packets.WatchpointSupport, watchpoints),
    handles(packets.ThreadStop, thread_stop),
    handles(packets.VAttachOrWait, attach_or_wait),
)
