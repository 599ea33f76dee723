# SPDX-License-Identifier: Apache-2.0
"""Threads, what both sides can do, documents, the monitor."""

from __future__ import annotations

from tensix_gdb.gdbstub.protocol.rsp.grammar import ThreadId
from tensix_gdb.gdbstub.protocol.rsp.packet import packet


@packet("H{operation:char}{thread:thread}")
class SetThread:
    """choose the thread that later packets are about"""

    operation: str
    thread: ThreadId


@packet("T{thread:thread}")
class ThreadAlive:
    """does this thread exist?"""

    thread: ThreadId


@packet("qC")
class CurrentThread:
    """which thread is current?"""


@packet("qfThreadInfo")
class FirstThreads:
    """list the threads"""


@packet("qsThreadInfo")
class MoreThreads:
    """list the rest of them"""


@packet("qThreadExtraInfo,{thread:thread}")
class ThreadExtra:
    """what `info threads` says of a thread"""

    thread: ThreadId


# What both sides can do, and questions about the target


@packet("qSupported[:{features:text}]")
class Supported:
    """exchange of features"""

    features: str | None


@packet("QStartNoAckMode")
class StartNoAckMode:
    """leave out + and -"""


# Thus qXfer:threads:read, qXfer:features:read: gdbstub.protocol.capabilities.XferObjects.
@packet("qXfer:{object:word}:read:{annex:word}:{offset:hex},{length:hex}")
class ReadObject:
    """read a part of a document"""

    object: str
    annex: str
    offset: int
    length: int


@packet("qXfer:{object:word}:write:{rest:text}")
class WriteObject:
    """no document can be written: the empty reply"""

    object: str
    rest: str


@packet("qRcmd,{command:bytes}")
class MonitorCommand:
    """`monitor`"""

    command: bytes


@packet("qSymbol:{rest:text}")
class Symbols:
    """an offer to look symbols up; none are needed"""

    rest: str


@packet("qOffsets")
class Offsets:
    """where sections were moved to: they were not"""


@packet("QThreadEvents:{on:digit}")
class ThreadEvents:
    """report threads that start or end: harts do neither"""

    on: int


@packet("vMustReplyEmpty")
class VMustReplyEmpty:
    """a check that unknown v packets get an empty reply"""
