# SPDX-License-Identifier: Apache-2.0
"""Semihosting calls as requests of GDB's File-I/O protocol (manual, appendix File-I/O).

A call is a dialogue: it yields requests, is told the result of each (and GDB's errno when that is
-1), and returns the answer. What GDB puts into memory it writes by itself, before it answers; where
the program has given no memory for it, the first bytes of the hart's local RAM are borrowed, and
put back at the end, also when the client vanishes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator

from tensix_gdb.core.arch.blackhole import LOCAL_BASE
from tensix_gdb.core.semihosting.answering import END_OF_INPUT, MASK32
from tensix_gdb.core.semihosting.asked import Answer, Asked
from tensix_gdb.core.semihosting.calls import FAILED
from tensix_gdb.core.semihosting.console import ERROR, OUT
from tensix_gdb.core.semihosting.files import CONSOLE_NAME, FEATURES_NAME, IN, MODES
from tensix_gdb.core.semihosting.operations import Errno, Op, Refused

Result = tuple[int, int]  # what the client answers: a result, and an errno when it is -1
Dialogue = Generator[str, Result, Answer]

# Of each mode of SYS_OPEN, halved: r, r+, w, w+, a, a+ in the protocol's own flags.
WRONLY, RDWR, APPEND, CREAT, TRUNC = 0x1, 0x2, 0x8, 0x200, 0x400
FLAGS = (
    0,
    RDWR,
    WRONLY | CREAT | TRUNC,
    RDWR | CREAT | TRUNC,
    WRONLY | CREAT | APPEND,
    RDWR | CREAT | APPEND,
)
REGULAR_0644 = 0o100644
FIRST_OF_OURS = 0x100  # handles that GDB does not have: of what is answered here
STAT_BYTES, SIZE_AT, SIZE_BYTES = 64, 28, 8  # struct stat of the protocol, big-endian
TIMEVAL_BYTES, SECONDS_BYTES = 12, 4


@contextlib.contextmanager
def borrowed(asked: Asked, length: int) -> Iterator[int]:
    """Memory of the hart that holds what it held when this is over."""
    kept = asked.memory(LOCAL_BASE, length)
    try:
        yield LOCAL_BASE
    finally:
        asked.poke(LOCAL_BASE, kept)


def _checked(result: Result) -> int:
    """Return the result; Refused with the client's errno when it is none."""
    value, errno = result
    if value < 0:
        try:
            raise Refused(Errno(errno))
        except ValueError:
            raise Refused(Errno.EIO) from None
    return value


def _text(asked: Asked, addr: int, length: int) -> str:
    """Return a string with its NUL, which the protocol counts."""
    if asked.memory(addr + length, 1) != b"\0":
        raise Refused(Errno.EINVAL)
    asked.name(addr, length)
    return f"{addr:x}/{length + 1:x}"


def _open(asked: Asked) -> Dialogue:
    addr, mode, length = asked.fields(3)
    if not 0 <= mode < MODES:
        raise Refused(Errno.EINVAL)
    if asked.name(addr, length) == CONSOLE_NAME:
        return Answer((IN, OUT, ERROR)[mode >> 2])
    flags = FLAGS[mode >> 1]
    done = yield f"Fopen,{_text(asked, addr, length)},{flags:x},{REGULAR_0644:x}"
    return Answer(_checked(done))


def _close(asked: Asked) -> Dialogue:
    (handle,) = asked.fields(1)
    if handle > ERROR:
        _checked((yield f"Fclose,{handle:x}"))
    return Answer()


def _write_file(asked: Asked, handle: int, addr: int, length: int) -> Generator[str, Result, int]:
    """Write all of it; how much was not taken."""
    asked.memory(addr, length)
    left = length
    while left:
        done = yield f"Fwrite,{handle:x},{addr + length - left:x},{left:x}"
        taken = _checked(done)
        if not 0 < taken <= left:
            break
        left -= taken
    return left


def _write(asked: Asked) -> Dialogue:
    return Answer((yield from _write_file(asked, *asked.fields(3))))


def _write0(asked: Asked) -> Dialogue:
    length = len(asked.string(asked.argument))
    yield from _write_file(asked, OUT, asked.argument, length)
    return Answer()


def _writec(asked: Asked) -> Dialogue:
    yield from _write_file(asked, OUT, asked.argument, 1)
    return Answer()


def _read(asked: Asked) -> Dialogue:
    handle, addr, length = asked.fields(3)
    asked.can_be_written(addr, length)
    if not length:
        return Answer()
    done = _checked((yield f"Fread,{handle:x},{addr:x},{length:x}"))
    return Answer(length - min(done, length))


def _readc(asked: Asked) -> Dialogue:
    with borrowed(asked, 1) as addr:
        done = _checked((yield f"Fread,{IN:x},{addr:x},1"))
        return Answer(asked.memory(addr, 1)[0] if done else END_OF_INPUT)


def _seek(asked: Asked) -> Dialogue:
    handle, position = asked.fields(2)
    _checked((yield f"Flseek,{handle:x},{position:x},0"))
    return Answer()


def _flen(asked: Asked) -> Dialogue:
    (handle,) = asked.fields(1)
    with borrowed(asked, STAT_BYTES) as addr:
        _checked((yield f"Ffstat,{handle:x},{addr:x}"))
        size = asked.memory(addr + SIZE_AT, SIZE_BYTES)
    return Answer(int.from_bytes(size, "big") & MASK32)


def _istty(asked: Asked) -> Dialogue:
    (handle,) = asked.fields(1)
    return Answer(_checked((yield f"Fisatty,{handle:x}")))


def _remove(asked: Asked) -> Dialogue:
    _checked((yield f"Funlink,{_text(asked, *asked.fields(2))}"))
    return Answer()


def _rename(asked: Asked) -> Dialogue:
    old, old_length, new, new_length = asked.fields(4)
    names = f"{_text(asked, old, old_length)},{_text(asked, new, new_length)}"
    _checked((yield f"Frename,{names}"))
    return Answer()


def _time(asked: Asked) -> Dialogue:
    with borrowed(asked, TIMEVAL_BYTES) as addr:
        _checked((yield f"Fgettimeofday,{addr:x},0"))
        return Answer(int.from_bytes(asked.memory(addr, SECONDS_BYTES), "big"))


def _system(asked: Asked) -> Dialogue:
    result, errno = yield f"Fsystem,{_text(asked, *asked.fields(2))}"
    return Answer(_checked((result, errno)))


DIALOGUES: dict[int, Callable[[Asked], Dialogue]] = {
    Op.SYS_OPEN: _open,
    Op.SYS_CLOSE: _close,
    Op.SYS_WRITE: _write,
    Op.SYS_WRITE0: _write0,
    Op.SYS_WRITEC: _writec,
    Op.SYS_READ: _read,
    Op.SYS_READC: _readc,
    Op.SYS_SEEK: _seek,
    Op.SYS_FLEN: _flen,
    Op.SYS_ISTTY: _istty,
    Op.SYS_REMOVE: _remove,
    Op.SYS_RENAME: _rename,
    Op.SYS_TIME: _time,
    Op.SYS_SYSTEM: _system,
}
BY_HANDLE = (*(Op.SYS_CLOSE, Op.SYS_WRITE, Op.SYS_READ, Op.SYS_SEEK, Op.SYS_FLEN, Op.SYS_ISTTY),)


def is_for_gdb(asked: Asked) -> bool:
    """True if GDB has what the call is about. The rest is answered here: time in cycles, arguments,
    and what there is to know about us."""
    if asked.operation not in DIALOGUES:
        return False
    try:
        if asked.operation == Op.SYS_OPEN:
            addr, _, length = asked.fields(3)
            return asked.name(addr, length) != FEATURES_NAME
        return asked.operation not in BY_HANDLE or asked.fields(1)[0] < FIRST_OF_OURS
    except Refused:
        return False


def dialogue(asked: Asked) -> Dialogue:
    """Return the dialogue about a call, to its end, whatever is refused on the way."""
    try:
        return (yield from DIALOGUES[asked.operation](asked))
    except Refused as refused:
        itself = asked.operation in (Op.SYS_REMOVE, Op.SYS_RENAME)
        return Answer(int(refused.errno) if itself else FAILED, errno=refused.errno)
