# SPDX-License-Identifier: Apache-2.0
"""Compile once in a run what several tests compile: the process that comes first does.

The processes of a run share a folder, named in the environment: `share` makes it, `unshare` removes
it. A result is found by the command and by the content of every source beside the one that it
names.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

VARIABLE = "TENSIX_TEST_BUILT"
SOURCES = (".c", ".cpp", ".h", ".S", ".ld")


def share() -> None:
    """Make the folder of a run; the processes that it starts find it."""
    os.environ[VARIABLE] = tempfile.mkdtemp(prefix="tensix-gdb-built-")


def unshare() -> None:
    """Remove the folder, at the end of the run."""
    if VARIABLE in os.environ:
        shutil.rmtree(os.environ.pop(VARIABLE), ignore_errors=True)


def once(
    command: Iterable[str], folders: Iterable[Path], out: Path, make: Callable[[], None]
) -> None:
    """Bring `out`, which `make` makes by `command` of the sources in `folders`."""
    shared = os.environ.get(VARIABLE)
    if shared is None:
        make()
        return
    digest = hashlib.sha256(repr([one for one in command if one != str(out)]).encode())
    for folder in folders:
        for path in sorted(folder.iterdir()):
            if path.suffix in SOURCES:
                digest.update(f"{path.name}\n".encode() + path.read_bytes())
    kept = Path(shared, digest.hexdigest())
    with contextlib.suppress(FileNotFoundError):
        shutil.copyfile(kept, out)
        return
    make()
    handle, name = tempfile.mkstemp(dir=shared)
    os.close(handle)
    shutil.copyfile(out, name)
    os.replace(name, kept)
