# SPDX-License-Identifier: Apache-2.0
"""Replace a file at once: others that look at it see the old one or the new one, and none that is
half written."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def replace_file(path: Path, content: bytes) -> None:
    """Put all of it in place at once, or nothing. A pipe or /dev/stdout is written to."""
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    path = path.resolve()
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        new.write_bytes(content)
        new.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink()
        raise
