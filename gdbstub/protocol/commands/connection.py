# SPDX-License-Identifier: Apache-2.0
"""qSupported and what it promises: features, documents, acks, how errors are told.

What is advertised follows from what there is: a feature row names its packet and
is left out when that packet is unknown for this target.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.protocol.client.protocol import Client
from tensix_gdb.gdbstub.protocol.commands import core_file, threads
from tensix_gdb.gdbstub.protocol.commands.handler import XFER, handles
from tensix_gdb.gdbstub.protocol.rsp import replies
from tensix_gdb.gdbstub.protocol.rsp.framing import PACKET_SIZE
from tensix_gdb.gdbstub.protocol.rsp.packet import Malformed
from tensix_gdb.gdbstub.protocol.rsp.packets import execution as running
from tensix_gdb.gdbstub.protocol.rsp.packets import general, tracing
from tensix_gdb.gdbstub.protocol.rsp.packets import registers_memory as contents
from tensix_gdb.gdbstub.protocol.rsp.replies import ErrorStyle

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.capabilities import XferObjects


def supported(client: Client, packet: general.Supported) -> bytes:
    """Take what the client can do, answer with what we can."""
    theirs = set((packet.features or "").split(";"))
    if "error-message+" in theirs:
        client.features.errors = ErrorStyle.TEXT
    if "multiprocess+" in theirs and not LLDBS & theirs:
        client.selection.show_processes()
    client.features.swbreak = "swbreak+" in theirs
    client.features.hwbreak = "hwbreak+" in theirs
    return ";".join(features(client)).encode("ascii")


def features(client: Client) -> list[str]:
    """Say what this target offers to this client."""
    ours = [f"PacketSize={PACKET_SIZE:x}"]
    for name, cls in FEATURES:
        # LLDB reads `x` without the `b` before it, unless this feature is offered.
        if name == "binary-upload" and client.features.thread_suffix:
            continue
        if name == "QNonStop" and client.selection.view.own_hart:
            continue
        if client.knows(cls):
            ours.append(f"{name}+")
    if client.selection.attachment is not None:
        ours.append("multiprocess+")
    # Without a history too: it may begin while this client is attached.
    if client.target.reverse is not None:
        ours += ["ReverseStep+", "ReverseContinue+"]
    if client.target.xfer is not None:
        ours += [f"qXfer:{name}:read+" for name in client.target.xfer.objects()]
        if client.target.core_file is not None:
            ours.append(f"qXfer:{core_file.OBJECT}:read+")
    return ours


# How LLDB begins (its qSupported). It asks for processes too, but looks at one of them only, and
# cannot choose which: all threads in one process serve it better.
LLDBS = {"xmlRegisters=i386,arm,mips", "xmlRegisters=i386,arm,mips,arc"}

FEATURES: tuple[tuple[str, type], ...] = (
    ("QStartNoAckMode", general.StartNoAckMode),
    ("vContSupported", running.VCont),
    ("QThreadEvents", general.ThreadEvents),
    ("QNonStop", running.NonStopMode),
    ("swbreak", contents.InsertBreakpoint),
    ("hwbreak", contents.InsertBreakpoint),
    ("ConditionalBreakpoints", contents.InsertBreakpoint),
    ("BreakpointCommands", contents.InsertBreakpoint),
    ("ConditionalTracepoints", tracing.DefineTracepoint),
    ("tracenz", tracing.DefineTracepoint),
    ("EnableDisableTracepoints", tracing.EnableTracepoint),
    ("TracepointSource", tracing.TracepointSource),
    ("binary-upload", contents.ReadBinary),
    ("error-message", general.Supported),
)


def start_no_ack_mode(client: Client, packet: general.StartNoAckMode) -> bytes:
    """The answer is the last packet that the client acknowledges."""
    client.stream.acks = False
    return replies.OK


def read_object(client: Client, xfer: XferObjects, packet: general.ReadObject) -> bytes:
    content = client.target.core_file
    if packet.object == core_file.OBJECT and content is not None:
        return core_file.read_part(client, content, packet)
    if packet.object not in xfer.objects():
        return replies.EMPTY
    document = _document(client, xfer, packet.object, packet.annex)
    if document is None:
        return b"E00"
    # Every byte may need an escape, and one letter comes first.
    return replies.part(document, packet.offset, min(packet.length, PACKET_SIZE // 2 - 1))


def _document(client: Client, xfer: XferObjects, name: str, annex: str) -> bytes | None:
    """Threads are those that the client sees, programs those of the process that it means."""
    if (name, annex) == ("threads", ""):
        return threads.document(client)
    mine = client.selection.attachment
    if mine is not None and name in ("exec-file", "libraries", "tensix"):
        pid = mine.processes.process_of(client.selection.general_thread)
        if name == "exec-file" and annex:
            pid, annex = mine.known(_pid(annex)), ""
        xfer = mine.processes.documents(pid)
    lldb = client.features.thread_suffix
    if name == "libraries":
        client.features.libraries, client.features.libraries_changed = True, False
    return xfer.document(name, annex, running_for=client.running_for(), lldb=lldb)


def _pid(annex: str) -> int:
    if not re.fullmatch(r"[0-9a-fA-F]{1,8}", annex):
        raise Malformed(f"{annex!r} is no number of a process")
    return int(annex, 16)


def ok(client: Client, packet: object) -> bytes:
    """Packets that ask for nothing a tile could do."""
    return replies.OK


def empty(client: Client, packet: object) -> bytes:
    """Packets that are known to be unknown."""
    return replies.EMPTY


def offsets(client: Client, packet: general.Offsets) -> bytes:
    return b"Text=0;Data=0;Bss=0"


HANDLERS = (
    handles(general.Supported, supported),
    handles(general.StartNoAckMode, start_no_ack_mode),
    XFER.handles(general.ReadObject, read_object),
    handles(general.WriteObject, empty),
    handles(general.Symbols, ok),
    handles(general.Offsets, offsets),
    handles(general.ThreadEvents, ok),
    handles(general.VMustReplyEmpty, empty),
)
