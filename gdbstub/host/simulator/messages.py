# SPDX-License-Identifier: Apache-2.0
"""An access of the host to a core: bytes that it reads or writes."""

from __future__ import annotations

import enum

from tensix_gdb.core.dataclass import dataclass

MAX_BYTES = 1 << 24  # of one access


class Command(enum.IntEnum):
    """The kinds of accesses."""

    WRITE = 0
    READ = 1


@dataclass(frozen=True, slots=True)
class Message:
    """One access. `size` is how many bytes a READ wants, `data` what a WRITE writes."""

    command: Command
    core: tuple[int, int] = (0, 0)
    addr: int = 0
    size: int = 0
    data: bytes = b""
