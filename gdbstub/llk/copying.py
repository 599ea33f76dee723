# SPDX-License-Identifier: Apache-2.0
"""A copy of a folder that is brought up to date: files that are the same stay as they are."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

MADE = "__pycache__"  # what Python has compiled in the copy stays

# The names of a folder that are not copied, as shutil.copytree has it.
LeftOut = Callable[[str, list[str]], list[str]]


def bring_up_to_date(source: Path, target: Path, left_out: LeftOut) -> None:
    """Make `target` what `source` is: new and changed files are copied, with their times, and what
    is not there any more is removed. OSError if that fails."""
    target.mkdir(parents=True, exist_ok=True)
    names = sorted(os.listdir(source))
    out = set(left_out(str(source), names))
    wanted = [name for name in names if name not in out]
    for name in set(os.listdir(target)) - set(wanted) - {MADE}:
        _remove(target / name)
    for name in wanted:
        old, new = source / name, target / name
        if old.is_symlink():
            _link(old, new)
        elif old.is_dir():
            if new.is_symlink() or new.is_file():
                _remove(new)
            bring_up_to_date(old, new, left_out)
        elif not _is_same(old, new):
            _remove(new)
            shutil.copy2(old, new)


def _link(old: Path, new: Path) -> None:
    target = os.readlink(old)
    if not new.is_symlink() or os.readlink(new) != target:
        _remove(new)
        new.symlink_to(target)


def _is_same(old: Path, new: Path) -> bool:
    if new.is_symlink() or not new.is_file():
        return False
    before, now = old.stat(), new.stat()
    return (before.st_size, before.st_mtime_ns) == (now.st_size, now.st_mtime_ns)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
