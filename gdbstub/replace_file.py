# SPDX-License-Identifier: Apache-2.0
"""Replace a file at once: others that look at it see the old one or the new one, and none that is
half written."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def replace_file(path: Path, content: bytes) -> None:
    """Put all of it in place at once, or nothing. A pipe or /dev/stdout is written to."""
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    number, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(number, "wb") as file:
            os.fchmod(number, 0o666 & ~_mask())
            file.write(content)
        os.replace(name, path.resolve())
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _mask() -> int:
    """Return the rights that new files do not get. The only way to ask is to set them."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
