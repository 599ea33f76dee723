# SPDX-License-Identifier: Apache-2.0
"""The packets of tracepoints, as `packets` has the others (GDB manual, Tracepoint Packets)."""

from __future__ import annotations

from tensix_gdb.gdbstub.protocol.rsp.packet import packet


@packet("QTinit")
class TraceInit:
    """forget all tracepoints and what they collected"""


@packet("QTDP:{definition:text}")
class DefineTracepoint:
    """define a tracepoint, or add to what it collects"""

    definition: str


@packet("QTDPsrc:{source:text}")
class TracepointSource:
    """the text that defined it, piece by piece: kept for `tsave`"""

    source: str


@packet("QTEnable:{number:hex}:{addr:hex}")
class EnableTracepoint:
    """collect there too, from now on"""

    number: int
    addr: int


@packet("QTDisable:{number:hex}:{addr:hex}")
class DisableTracepoint:
    """collect nothing there until it is enabled"""

    number: int
    addr: int


@packet("QTDV:{number:hex}:{value:hex}:{builtin:hex}:{name:bytes}")
class DefineVariable:
    """define a trace state variable"""

    number: int
    value: int
    builtin: int
    name: bytes


@packet("qTV:{number:hex}")
class TraceVariable:
    """the value of a trace state variable"""

    number: int


@packet("QTro{ranges:text}")
class ReadOnlyRanges:
    """memory that need not be collected: it is collected all the same"""

    ranges: str


@packet("QTBuffer:{option:word}:{value:text}")
class TraceBuffer:
    """how the buffer is kept; it has one way"""

    option: str
    value: str


@packet("QTNotes:{notes:text}")
class TraceNotes:
    """the user and the purpose of the trace: not kept"""

    notes: str


@packet("QTStart")
class TraceStart:
    """begin to collect"""


@packet("QTStop")
class TraceStop:
    """collect no more"""


@packet("qTStatus")
class TraceStatus:
    """is anything collected, and how much?"""


@packet("qTP:{number:hex}:{addr:hex}")
class TracepointStatus:
    """how often was a tracepoint hit?"""

    number: int
    addr: int


@packet("QTFrame:{wanted:text}")
class TraceFrame:
    """look at a frame: by number, pc, tracepoint, range; -1 is the tile as it is"""

    wanted: str


@packet("qTBuffer:{offset:hex},{length:hex}")
class RawTrace:
    """frames as a trace file has them, for `tsave`"""

    offset: int
    length: int


@packet("QTSave:{name:text}")
class SaveTrace:
    """the server writes no trace files: `tsave` without `-r` does"""

    name: str


@packet("qTf{what:char}")
class TraceUpload:
    """what is defined: the tracepoints (`P`) or the trace state variables (`V`) of this client"""

    what: str


@packet("qTs{what:char}")
class TraceUploadMore:
    """the rest of it, one by one"""

    what: str
