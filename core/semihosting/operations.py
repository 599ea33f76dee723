# SPDX-License-Identifier: Apache-2.0
"""The operations by number (semihosting.rst of the ARM ABI, which the RISC-V one refers to)."""

from __future__ import annotations

import enum


class Op(enum.IntEnum):
    """The operations: values of a0 at a call."""

    SYS_OPEN = 0x01
    SYS_CLOSE = 0x02
    SYS_WRITEC = 0x03
    SYS_WRITE0 = 0x04
    SYS_WRITE = 0x05
    SYS_READ = 0x06
    SYS_READC = 0x07
    SYS_ISERROR = 0x08
    SYS_ISTTY = 0x09
    SYS_SEEK = 0x0A
    SYS_FLEN = 0x0C
    SYS_TMPNAM = 0x0D
    SYS_REMOVE = 0x0E
    SYS_RENAME = 0x0F
    SYS_CLOCK = 0x10
    SYS_TIME = 0x11
    SYS_SYSTEM = 0x12
    SYS_ERRNO = 0x13
    SYS_GET_CMDLINE = 0x15
    SYS_HEAPINFO = 0x16
    SYS_EXIT = 0x18
    SYS_EXIT_EXTENDED = 0x20
    SYS_ELAPSED = 0x30
    SYS_TICKFREQ = 0x31


class Errno(enum.IntEnum):
    """The answers of SYS_ERRNO: newlib's numbers, which GDB's File-I/O protocol has too."""

    EPERM = 1
    ENOENT = 2
    EINTR = 4
    EIO = 5
    EBADF = 9
    EACCES = 13
    EFAULT = 14
    EBUSY = 16
    EEXIST = 17
    ENODEV = 19
    ENOTDIR = 20
    EISDIR = 21
    EINVAL = 22
    ENFILE = 23
    EMFILE = 24
    EFBIG = 27
    ENOSPC = 28
    ESPIPE = 29
    EROFS = 30
    ENOSYS = 88
    ENAMETOOLONG = 91


# ADP_Stopped_ApplicationExit: the program ends as it should.
APPLICATION_EXIT = 0x20026


class Refused(Exception):
    """The host does not do that; `errno` says why."""

    def __init__(self, errno: Errno) -> None:
        super().__init__(errno.name)
        self.errno = errno


def call_name(number: int) -> str:
    """`SYS_WRITE0`, or the number of what there is no operation for."""
    try:
        return Op(number).name
    except ValueError:
        return f"operation {number:#x}"
