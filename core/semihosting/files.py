# SPDX-License-Identifier: Apache-2.0
"""Open files by handle. Where each of them is, is kept here and not by the system: it is a plain
value, which goes back with the tile when it runs again from a past state."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import count

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.semihosting.console import ERROR, OUT, Console
from tensix_gdb.core.semihosting.folder import FLAGS, Folder, refused
from tensix_gdb.core.semihosting.operations import Errno, Refused

CONSOLE_NAME = ":tt"
FEATURES_NAME = ":semihosting-features"
# The magic number, and one byte: SH_EXT_EXIT_EXTENDED and SH_EXT_STDOUT_STDERR.
FEATURES = b"SHFB\x03"
MODES = 12
IN = 0
MAX_OPEN = 64
MAX_BYTES = 1 << 30  # a file may not become longer: a wrong length would fill the disk


@dataclass(frozen=True, slots=True)
class Open:
    """The file of a handle by its name, or the console (then the mode is a stream)."""

    name: str
    mode: int
    position: int = 0


Table = tuple[tuple[int, Open], ...]
# As every program finds them, whether it opens the console or not.
AT_FIRST: Table = tuple((stream, Open(CONSOLE_NAME, stream)) for stream in (IN, OUT, ERROR))


class Files:
    """The files that a program has open. New handles count from `first` on."""

    first = ERROR + 1

    def __init__(self, folder: Folder, console: Console) -> None:
        self._folder, self._console = folder, console
        self._open = dict(AT_FIRST)
        self._files: dict[int, int] = {}

    def table(self) -> Table:
        """Return the open files and their positions."""
        return tuple(self._open.items())

    def go_back(self, table: Table) -> None:
        """Open again what was open then."""
        now = dict(table)
        for handle in list(self._files):
            mine, theirs = self._open.get(handle), now.get(handle)
            if mine is None or theirs is None or mine.name != theirs.name:
                os.close(self._files.pop(handle))
        self._open = now

    def close_all(self) -> None:
        """Give everything back."""
        self.go_back(AT_FIRST)

    def open(self, name: str, mode: int) -> int:
        """Return a new handle."""
        if not 0 <= mode < MODES:
            raise Refused(Errno.EINVAL)
        if len(self._open) >= MAX_OPEN:
            raise Refused(Errno.EMFILE)
        handle = next(i for i in count(self.first) if i not in self._open)
        if name == CONSOLE_NAME:
            self._open[handle] = Open(name, mode >> 2)
        elif name == FEATURES_NAME:
            if mode > 1:
                raise Refused(Errno.EACCES)
            self._open[handle] = Open(name, mode)
        else:
            self._files[handle] = self._folder.open(name, FLAGS[mode >> 1])
            self._open[handle] = Open(name, mode)
        return handle

    def _of(self, handle: int) -> Open:
        if handle not in self._open:
            raise Refused(Errno.EBADF)
        return self._open[handle]

    def _file(self, handle: int) -> int:
        """Return the system's number for a file; one of the past is opened again."""
        if handle not in self._files:
            opened = self._open[handle]
            flags = FLAGS[opened.mode >> 1] & ~(os.O_TRUNC | os.O_CREAT)
            self._files[handle] = self._folder.open(opened.name, flags)
        return self._files[handle]

    def close(self, handle: int) -> None:
        """The handle is free."""
        self._of(handle)
        del self._open[handle]
        if handle in self._files:
            os.close(self._files.pop(handle))

    def is_console(self, handle: int) -> bool:
        """True if it is the console."""
        return self._of(handle).name == CONSOLE_NAME

    def write(self, handle: int, data: bytes) -> int:
        """Write `data` to the file of a handle. Return how many bytes were written."""
        opened = self._of(handle)
        if opened.name == CONSOLE_NAME:
            if opened.mode == IN:
                raise Refused(Errno.EBADF)
            self._console.write(opened.mode, data)
            return len(data)
        if opened.name == FEATURES_NAME:
            raise Refused(Errno.EBADF)
        try:
            file = self._file(handle)
            at = os.fstat(file).st_size if opened.mode >= 8 else opened.position
            if at + len(data) > MAX_BYTES:
                raise Refused(Errno.EFBIG)
            done = os.pwrite(file, data, at)
        except OSError as problem:
            raise refused(problem) from None
        self._open[handle] = replace(opened, position=at + done)
        return done

    def read(self, handle: int, count: int) -> bytes | None:
        """Return at most `count` bytes; empty at the end, None when the console may have some
        later."""
        opened = self._of(handle)
        if opened.name == CONSOLE_NAME:
            if opened.mode != IN:
                raise Refused(Errno.EBADF)
            return self._console.read(count)
        if opened.name == FEATURES_NAME:
            data = FEATURES[opened.position : opened.position + count]
        else:
            try:
                data = os.pread(self._file(handle), count, opened.position)
            except OSError as problem:
                raise refused(problem) from None
        self._open[handle] = replace(opened, position=opened.position + len(data))
        return data

    def seek(self, handle: int, position: int) -> None:
        """Go to a byte, counted from the start."""
        opened = self._of(handle)
        if opened.name == CONSOLE_NAME:
            raise Refused(Errno.ESPIPE)
        if position > MAX_BYTES:
            raise Refused(Errno.EINVAL)
        self._open[handle] = replace(opened, position=position)

    def length(self, handle: int) -> int:
        """Return the length of the file in bytes."""
        opened = self._of(handle)
        if opened.name == CONSOLE_NAME:
            raise Refused(Errno.ESPIPE)
        if opened.name == FEATURES_NAME:
            return len(FEATURES)
        try:
            return os.fstat(self._file(handle)).st_size
        except OSError as problem:
            raise refused(problem) from None
