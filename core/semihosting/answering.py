# SPDX-License-Identifier: Apache-2.0
"""The semihosting operations (semihosting.rst, section "Semihosting operations").

Time is that of the tile, counted in cycles, so that it is the same in every run: SYS_ELAPSED counts
cycles, SYS_CLOCK and SYS_TIME convert them by the frequency that SYS_TICKFREQ names, and SYS_TIME
counts from 1970 as if the tile had been switched on then. SYS_SYSTEM runs nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES, LOCAL_BASE
from tensix_gdb.core.debug.memory import MemoryFault
from tensix_gdb.core.semihosting.asked import Answer, Asked, Host
from tensix_gdb.core.semihosting.console import OUT
from tensix_gdb.core.semihosting.operations import APPLICATION_EXIT, Errno, Op, Refused

FREQUENCY = 1_350_000_000
"""Cycles per second: Blackhole's AI clock, as its cards' specification has it."""
CENTISECONDS = 100
END_OF_INPUT = 0xFFFFFFFF
HEAP_ALIGNMENT = 16
MASK32 = 0xFFFFFFFF


def sys_open(host: Host, asked: Asked) -> Answer:
    name, mode, length = asked.fields(3)
    return Answer(host.files.open(asked.name(name, length), mode))


def sys_close(host: Host, asked: Asked) -> Answer:
    host.files.close(asked.fields(1)[0])
    return Answer()


def sys_writec(host: Host, asked: Asked) -> Answer:
    host.console.write(OUT, asked.memory(asked.argument, 1))
    return Answer()


def sys_write0(host: Host, asked: Asked) -> Answer:
    host.console.write(OUT, asked.string(asked.argument))
    return Answer()


def sys_write(host: Host, asked: Asked) -> Answer:
    """Answers how many bytes were not written."""
    handle, addr, length = asked.fields(3)
    host.files.is_console(handle)  # a wrong handle is wrong for nothing, too
    return Answer(length - host.files.write(handle, asked.memory(addr, length)))


def sys_read(host: Host, asked: Asked) -> Answer | None:
    """Answers how many bytes were not read."""
    handle, addr, length = asked.fields(3)
    asked.can_be_written(addr, length)
    data = host.files.read(handle, length) if length else b""
    if data is None:
        return None
    return Answer(length - len(data), ((addr, data),) if data else ())


def sys_readc(host: Host, asked: Asked) -> Answer | None:
    data = host.console.read(1)
    if data is None:
        return None
    return Answer(data[0] if data else END_OF_INPUT)


def sys_iserror(host: Host, asked: Asked) -> Answer:
    (status,) = asked.fields(1)
    return Answer(1 if status >> 31 else 0)


def sys_istty(host: Host, asked: Asked) -> Answer:
    return Answer(1 if host.files.is_console(asked.fields(1)[0]) else 0)


def sys_seek(host: Host, asked: Asked) -> Answer:
    handle, position = asked.fields(2)
    host.files.seek(handle, position)
    return Answer()


def sys_flen(host: Host, asked: Asked) -> Answer:
    return Answer(host.files.length(asked.fields(1)[0]))


def temporary(number: int) -> bytes:
    """Return the name for a number: always the same, and never that of two numbers."""
    return b"tmp%03d" % (number & 0xFF)


def sys_tmpnam(host: Host, asked: Asked) -> Answer:
    addr, number, length = asked.fields(3)
    name = temporary(number) + b"\0"
    if length < len(name):
        raise Refused(Errno.EINVAL)
    asked.can_be_written(addr, len(name))
    return Answer(0, ((addr, name),))


def sys_remove(host: Host, asked: Asked) -> Answer:
    host.folder.remove(asked.name(*asked.fields(2)))
    return Answer()


def sys_rename(host: Host, asked: Asked) -> Answer:
    old, old_length, new, new_length = asked.fields(4)
    host.folder.rename(asked.name(old, old_length), asked.name(new, new_length))
    return Answer()


def sys_clock(host: Host, asked: Asked) -> Answer:
    return Answer(_cycle(asked) * CENTISECONDS // FREQUENCY & MASK32)


def sys_time(host: Host, asked: Asked) -> Answer:
    return Answer(_cycle(asked) // FREQUENCY & MASK32)


def sys_elapsed(host: Host, asked: Asked) -> Answer:
    asked.can_be_written(asked.argument, 8)
    return Answer(0, ((asked.argument, _cycle(asked).to_bytes(8, "little")),))


def sys_tickfreq(host: Host, asked: Asked) -> Answer:
    return Answer(FREQUENCY)


def _cycle(asked: Asked) -> int:
    return int(asked.S.tile.cycle)


def sys_errno(host: Host, asked: Asked) -> Answer:
    return Answer(host.errno)


def sys_get_cmdline(host: Host, asked: Asked) -> Answer:
    """Return the name of the hart's file, and the arguments; the length that it had is replaced."""
    addr, room = asked.fields(2)
    names = [image.path.name for image in asked.images if image.hart == asked.hart]
    line = " ".join((*names[:1], *host.arguments)).encode("utf-8", "surrogateescape")
    if len(line) + 1 > room:
        raise Refused(Errno.EINVAL)
    asked.can_be_written(addr, len(line) + 1)
    length = len(line).to_bytes(4, "little")
    return Answer(0, ((addr, line + b"\0"), (asked.argument + 4, length)))


def sys_heapinfo(host: Host, asked: Asked) -> Answer:
    """Heap: a fifth of the L1 after all that is loaded. Stack: the hart's local RAM, downwards."""
    (block,) = asked.fields(1)
    loaded = [s.end for image in asked.images for s in image.segments if s.end <= L1_BYTES]
    first = -(-max(loaded, default=0) // HEAP_ALIGNMENT) * HEAP_ALIGNMENT
    share = (L1_BYTES - first) // HARTS // HEAP_ALIGNMENT * HEAP_ALIGNMENT
    heap = first + asked.hart * share
    words = (heap, heap + share, LOCAL_BASE + _local_bytes(asked), LOCAL_BASE)
    asked.can_be_written(block, 16)
    return Answer(0, ((block, b"".join(word.to_bytes(4, "little") for word in words)),))


def _local_bytes(asked: Asked) -> int:
    try:
        return len(asked.access.peek(asked.hart, LOCAL_BASE, 1 << 14))
    except MemoryFault:
        return 0


def sys_exit(host: Host, asked: Asked) -> Answer:
    """A reason instead of a status: the program ends as it should, or not."""
    return Answer(exit=0 if asked.argument == APPLICATION_EXIT else 1)


def sys_exit_extended(host: Host, asked: Asked) -> Answer:
    reason, status = asked.fields(2)
    return Answer(exit=status if reason == APPLICATION_EXIT else 1)


ANSWERS: dict[int, Callable[[Host, Asked], Answer | None]] = {
    Op.SYS_OPEN: sys_open,
    Op.SYS_CLOSE: sys_close,
    Op.SYS_WRITEC: sys_writec,
    Op.SYS_WRITE0: sys_write0,
    Op.SYS_WRITE: sys_write,
    Op.SYS_READ: sys_read,
    Op.SYS_READC: sys_readc,
    Op.SYS_ISERROR: sys_iserror,
    Op.SYS_ISTTY: sys_istty,
    Op.SYS_SEEK: sys_seek,
    Op.SYS_FLEN: sys_flen,
    Op.SYS_TMPNAM: sys_tmpnam,
    Op.SYS_REMOVE: sys_remove,
    Op.SYS_RENAME: sys_rename,
    Op.SYS_CLOCK: sys_clock,
    Op.SYS_TIME: sys_time,
    Op.SYS_ERRNO: sys_errno,
    Op.SYS_GET_CMDLINE: sys_get_cmdline,
    Op.SYS_HEAPINFO: sys_heapinfo,
    Op.SYS_EXIT: sys_exit,
    Op.SYS_EXIT_EXTENDED: sys_exit_extended,
    Op.SYS_ELAPSED: sys_elapsed,
    Op.SYS_TICKFREQ: sys_tickfreq,
}
