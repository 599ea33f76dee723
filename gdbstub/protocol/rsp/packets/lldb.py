# SPDX-License-Identifier: Apache-2.0
"""LLDB's own; spelt as in its docs/resources/lldbgdbremote.md."""

from __future__ import annotations

from tensix_gdb.gdbstub.protocol.rsp.grammar import ThreadId
from tensix_gdb.gdbstub.protocol.rsp.packet import packet


@packet("QThreadSuffixSupported")
class ThreadSuffix:
    """register packets will name their thread; `x` is answered without the letter in front"""


@packet("QListThreadsInStopReply")
class ListThreadsInStopReply:
    """stop replies shall list the threads and their pcs"""


@packet("QEnableErrorStrings")
class EnableErrorStrings:
    """errors may carry a text"""


@packet("qHostInfo")
class HostInfo:
    """what machine is this?"""


@packet("qProcessInfo")
class ProcessInfo:
    """what process is this?"""


@packet("qMemoryRegionInfo:{addr:hex}")
class MemoryRegion:
    """what is at this address, and how far?"""

    addr: int


@packet("qWatchpointSupportInfo:")
class WatchpointSupport:
    """how many watchpoints are there?"""


@packet("qThreadStopInfo{thread:thread}")
class ThreadStop:
    """why did this thread stop? a stop reply for it"""

    thread: ThreadId


@packet("qVAttachOrWaitSupported")
class VAttachOrWait:
    """can one wait for a process to start? no need to"""


@packet("jThreadsInfo")
class ThreadsInfo:
    """all threads with their names, reasons and pcs, in JSON"""
