# SPDX-License-Identifier: Apache-2.0
"""Files, which are the ELFs that the user named, to be read; and writing programs as if to flash
memory."""

from __future__ import annotations

from tensix_gdb.gdbstub.protocol.rsp.packet import packet


@packet("vFile:setfs:{pid:hex}")
class FileSystem:
    """choose the process of the files: there is one set"""

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


# Flash


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
