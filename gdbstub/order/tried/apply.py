# SPDX-License-Identifier: Apache-2.0
"""`--apply COMMAND`: a diff checked in a scratch copy, where it is compiled and run.

The folder that has the sources and the programs is copied; the command builds there what it builds
here, and the new programs are run as the old ones were, observed. Only what is below that folder
can be checked: a command that names other places would build from there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tensix_gdb.gdbstub.order.tried.patch import Patch
from tensix_gdb.gdbstub.order.tried.spelling import NoPatch

MOST_BYTES = 256 << 20
LEFT_OUT = (".git", ".venv", "__pycache__", "node_modules")
SAID = 8  # lines of a command that has failed
SECONDS = 300


def root_of(patches: Sequence[Patch], programs: Sequence[Path]) -> Path:
    """Return the folder that has all of them. NoPatch if that is too much to copy."""
    paths = [str(one.path.resolve().parent) for one in patches]
    paths += [str(path.resolve().parent) for path in programs]
    here = Path.cwd().resolve()
    common = Path(os.path.commonpath(paths))
    root = here if common.is_relative_to(here) else common
    if root == Path(root.anchor) or root == Path.home().resolve():
        raise NoPatch(f"sources and programs have no folder of their own: {root} is not copied")
    size = 0
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name not in LEFT_OUT]
        for file in files:
            path = Path(folder, file)
            size += 0 if path.is_symlink() else path.stat().st_size
        if size > MOST_BYTES:
            raise NoPatch(f"{root} has more than {MOST_BYTES >> 20} MB, which are not copied")
    return root


@contextmanager
def built(
    patches: Sequence[Patch], programs: Sequence[Path], command: str
) -> Iterator[Callable[[Path], Path]]:
    """Build a scratch copy with the patches. Gives what says where a file of the original is in
    it. NoPatch if the command fails, or if it builds nothing there."""
    root = root_of(patches, programs)
    with tempfile.TemporaryDirectory(prefix="tensix-gdb-") as name:
        scratch = Path(name, root.name)
        shutil.copytree(root, scratch, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))

        def there(path: Path) -> Path:
            return scratch / path.resolve().relative_to(root)

        for one in patches:
            there(one.path).write_text(one.after, encoding="utf-8")
        before = {path: _mark(there(path)) for path in programs}
        here = Path.cwd().resolve()
        at = scratch / here.relative_to(root) if here.is_relative_to(root) else scratch
        _run(command, at)
        if all(_mark(there(path)) == before[path] for path in programs):
            raise NoPatch(f"`{command}` has built no program in a copy of {root}")
        yield there


def _run(command: str, folder: Path) -> None:
    try:
        done = subprocess.run(
            command, shell=True, cwd=folder, capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        raise NoPatch(f"`{command}` has not ended after {SECONDS} seconds") from None
    if done.returncode:
        said = "\n".join([*done.stdout.splitlines(), *done.stderr.splitlines()][-SAID:])
        raise NoPatch(f"`{command}` fails with it, with status {done.returncode}\n{said}")


def _mark(path: Path) -> tuple[int, int]:
    try:
        known = path.stat()
    except OSError:
        return 0, 0
    return known.st_mtime_ns, known.st_ino
