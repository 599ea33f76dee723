# SPDX-License-Identifier: Apache-2.0
"""Every packet that is understood, one class each: its form, its fields, what it is for.

The classes are the index of the protocol: a handler in `gdbstub.commands` names the class that it
handles. Spellings are those of the GDB manual, appendix Remote Protocol; those of LLDB are in its
docs/resources/lldbgdbremote.md. `gdbstub.rsp.packet` finds the class of a payload,
`gdbstub.packet_table` prints them all.
"""

from __future__ import annotations

from gdbstub.rsp.grammar import ThreadId
from gdbstub.rsp.packet import packet

# Starting, stopping, looking at why


@packet("!")
class Extended:
    """extended mode: the server outlives the program"""


@packet("?")
class WhyStopped:
    """why did the target stop?"""


@packet("c[{addr:hex}]")
class Continue:
    """go on"""

    addr: int | None


@packet("C{signal:hex}[;{addr:hex}]")
class ContinueSignal:
    """go on; a signal means nothing to a hart"""

    signal: int
    addr: int | None


@packet("s[{addr:hex}]")
class Step:
    """execute one instruction of the current thread"""

    addr: int | None


@packet("S{signal:hex}[;{addr:hex}]")
class StepSignal:
    """the same; a signal means nothing to a hart"""

    signal: int
    addr: int | None


@packet("bs")
class StepBack:
    """undo the last instruction of the current thread"""


@packet("bc")
class ContinueBack:
    """go back to the last breakpoint or watchpoint"""


@packet("vCont?")
class VContQuery:
    """which actions does vCont know?"""


@packet("vCont;{actions:text}")
class VCont:
    """go on, step or hold, thread by thread"""

    actions: str


@packet("F{answer:text}")
class FileReply:
    """what came of a request for the program; it goes on"""

    answer: str


@packet("vCtrlC")
class VCtrlC:
    """interrupt"""


@packet("D[;{pid:hex}]")
class Detach:
    """leave; the tile stays where it is"""

    pid: int | None


@packet("k")
class Kill:
    """leave; the last client to leave so resets the tile, and the server stays"""


@packet("vKill;{pid:hex}")
class VKill:
    """reset the tile"""

    pid: int


@packet("R{ignored:text}")
class Restart:
    """reset the tile (extended mode)"""

    ignored: str


@packet("vAttach;{pid:hex}")
class VAttach:
    """attach to the tile (extended mode)"""

    pid: int


@packet("vRun;{program:bytes}[;{arguments:text}]")
class VRun:
    """reset the tile and stop at the entries; the program is the one that is loaded"""

    program: bytes
    arguments: str | None


# Registers and memory


@packet("g[;thread:{thread:thread};]")
class ReadRegisters:
    """read x0 to x31 and the pc"""

    thread: ThreadId | None


@packet("G{data:bytes}[;thread:{thread:thread};]")
class WriteRegisters:
    """write them"""

    data: bytes
    thread: ThreadId | None


@packet("p{number:hex}[;thread:{thread:thread};]")
class ReadRegister:
    """read one register"""

    number: int
    thread: ThreadId | None


@packet("P{number:hex}={data:bytes}[;thread:{thread:thread};]")
class WriteRegister:
    """write one register"""

    number: int
    data: bytes
    thread: ThreadId | None


@packet("m{addr:hex},{length:hex}")
class ReadMemory:
    """read memory; the answer is in hex"""

    addr: int
    length: int


@packet("M{addr:hex},{length:hex}:{data:bytes}")
class WriteMemory:
    """write memory given in hex"""

    addr: int
    length: int
    data: bytes


@packet("x{addr:hex},{length:hex}")
class ReadBinary:
    """read memory; the answer is binary"""

    addr: int
    length: int


@packet("X{addr:hex},{length:hex}:{data:binary}")
class WriteBinary:
    """write memory given in binary"""

    addr: int
    length: int
    data: bytes


@packet("qCRC:{addr:hex},{length:hex}")
class Crc:
    """checksum of memory, for `compare-sections`"""

    addr: int
    length: int


@packet("qSearch:memory:{addr:hex};{length:hex};{pattern:binary}")
class SearchMemory:
    """`find`"""

    addr: int
    length: int
    pattern: bytes


# Breakpoints


@packet("Z{type:digit},{addr:hex},{kind:hex}[;{rest:text}]")
class InsertBreak:
    """set a breakpoint (0, 1) or a watchpoint (2 write, 3 read, 4 access)"""

    type: int
    addr: int
    kind: int
    rest: str | None


@packet("z{type:digit},{addr:hex},{kind:hex}")
class RemoveBreak:
    """remove it"""

    type: int
    addr: int
    kind: int


# Threads


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


# The rest


@packet("qSupported[:{features:text}]")
class Supported:
    """exchange of features"""

    features: str | None


@packet("QStartNoAckMode")
class StartNoAckMode:
    """leave out + and -"""


@packet("qAttached[:{pid:hex}]")
class Attached:
    """did the server find the program running?"""

    pid: int | None


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


# Files: the ELFs that the user named, to be read


@packet("vFile:setfs:{pid:hex}")
class FileSystem:
    """choose whose files: there is one set"""

    pid: int


@packet("vFile:open:{name:bytes},{flags:hex},{mode:hex}")
class FileOpen:
    """open one of the named ELFs for reading"""

    name: bytes
    flags: int
    mode: int


@packet("vFile:pread:{fd:hex},{count:hex},{offset:hex}")
class FileRead:
    """read a part of it"""

    fd: int
    count: int
    offset: int


@packet("vFile:fstat:{fd:hex}")
class FileStatus:
    """its size"""

    fd: int


@packet("vFile:stat:{name:bytes}")
class FileStatusByName:
    """the size of one of the named ELFs"""

    name: bytes


@packet("vFile:close:{fd:hex}")
class FileClose:
    """close it"""

    fd: int


# Writing programs as if to flash memory


@packet("vFlashErase:{addr:hex},{length:hex}")
class FlashErase:
    """fill memory with ones"""

    addr: int
    length: int


@packet("vFlashWrite:{addr:hex}:{data:binary}")
class FlashWrite:
    """write memory given in binary"""

    addr: int
    data: bytes


@packet("vFlashDone")
class FlashDone:
    """the last of a series: everything is written already"""


# LLDB's own


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
