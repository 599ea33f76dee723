# SPDX-License-Identifier: Apache-2.0
"""A file that a command was asked for: a failure to write it names the file, not the output."""

from __future__ import annotations

import io
from typing import BinaryIO, TextIO, cast

from tensix_gdb.gdbstub.usage import UsageError


class _Named(io.FileIO):
    """A file that puts its name into the error of a write. The system's error has none."""

    def write(self, data: object) -> int:
        try:
            return super().write(data)  # type: ignore[arg-type]
        except OSError as problem:
            problem.filename = self.name
            raise


def binary_output(option: str, path: str) -> BinaryIO:
    """Open the file that `option` names. UsageError now, not after the run, where it cannot be."""
    try:
        return cast(BinaryIO, io.BufferedWriter(_Named(path, "w")))
    except OSError as problem:
        raise UsageError(f"{option} {path}: {problem.strerror}") from None


def text_output(option: str, path: str) -> TextIO:
    """Return the same for text in UTF-8."""
    return cast(TextIO, io.TextIOWrapper(binary_output(option, path), encoding="utf-8"))
