# SPDX-License-Identifier: Apache-2.0
"""Programs of a host as LLDB takes them for libraries.

LLDB makes the first executable of a list of libraries its main one, and forgets where it has put
all others (ProcessGDBRemote::LoadModules, Target::SetExecutableModule). tt-metal's kernels are
executables that were moved. So LLDB is given copies with headers that call them shared objects. The
address is that of the first segment where it was loaded; LLDB moves all others as far, those in
local RAM too.
"""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
from functools import cache
from html import escape
from pathlib import Path

from tensix_gdb.core.program.elf import Image

E_TYPE = 16  # where an ELF header has its type
ET_DYN = b"\3\0"


def shared_library(image: Image) -> str:
    """Return an ELF as a library of LLDB."""
    base = image.segments[0].addr if image.segments else image.entry
    return f'<library name="{escape(_as_shared(image))}"><section address="{base:#x}"/></library>'


def _as_shared(image: Image) -> str:
    """Return the path of a copy of an image's file that is a shared object; for this process."""
    digest = hashlib.blake2b(image.content, digest_size=8).hexdigest()
    folder = _folder() / digest
    path = folder / image.path.name
    if not path.exists():
        folder.mkdir(exist_ok=True)
        path.write_bytes(image.content[:E_TYPE] + ET_DYN + image.content[E_TYPE + 2 :])
    return str(path)


@cache
def _folder() -> Path:
    folder = tempfile.mkdtemp(prefix="tensix-gdb-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
