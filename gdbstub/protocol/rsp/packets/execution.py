# SPDX-License-Identifier: Apache-2.0
"""Starting, stopping, looking at why."""

from __future__ import annotations

from tensix_gdb.gdbstub.protocol.rsp.packet import packet


@packet("!")
class Extended:
    """extended mode: the server outlives the program"""


@packet("?")
class HaltReason:
    """why did the target stop?"""


@packet("c[{addr:hex}]")
class Continue:
    """continue"""

    addr: int | None


@packet("C{signal:hex}[;{addr:hex}]")
class ContinueSignal:
    """continue; a signal means nothing to a hart"""

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
class ReverseStep:
    """undo the last instruction of the current thread"""


@packet("bc")
class ReverseContinue:
    """go back to the last breakpoint or watchpoint"""


@packet("vCont?")
class VContQuery:
    """which actions does vCont know?"""


@packet("vCont;{actions:text}")
class VCont:
    """continue (`vCont;c`, `vCont;C`), step (`vCont;s`, `vCont;S`), step through a range
    (`vCont;r`) or stop (`vCont;t`), thread by thread"""

    actions: str


@packet("F{answer:text}")
class FileReply:
    """the result of a request of the program, which continues"""

    answer: str


@packet("vCtrlC")
class VCtrlC:
    """interrupt"""


@packet("QNonStop:{on:digit}")
class NonStopMode:
    """stop threads one by one, and announce stops by notifications (1), or all together (0)"""

    on: int


@packet("vStopped")
class Stopped:
    """which thread has stopped next? OK when none has"""


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


@packet("qAttached[:{pid:hex}]")
class Attached:
    """did the server find the program running?"""

    pid: int | None


@packet("vRun;{program:bytes}[;{arguments:text}]")
class VRun:
    """reset the tile and stop at the entries; the program is the one that is loaded"""

    program: bytes
    arguments: str | None
