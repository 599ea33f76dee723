# SPDX-License-Identifier: Apache-2.0
"""The extension's file, made of `extension` with what npm has: python -m
tensix_gdb.gdbstub.vscode.build.

A wheel brings it, and not its sources. In a checkout it is made when it is first wanted and kept in
the user's cache, by the hash of its sources: the file that a wheel took from here may be older.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tensix_gdb.gdbstub.kernels.user_cache import cache, made_at_once, said_if_unwritable
from tensix_gdb.gdbstub.usage import UsageError

HERE = Path(__file__).resolve().parent
EXTENSION = HERE / "extension"
SHIPPED = HERE / "shipped" / "tensix-gdb.vsix"  # in a wheel
NAME = "tensix-gdb.vsix"
MADE = ("node_modules", "dist")  # what npm and the bundler leave there
# Node brings certificates of its own and does not know those that a system trusts besides.
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
STEPS = (
    ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"),
    ("npx", "--no-install", "tsc", "--noEmit"),
    ("node", "bundle.mjs"),
    ("npx", "--no-install", "vsce", "package", "--no-dependencies", "--out", NAME),
)


def built() -> Path:
    """Return the path of the extension's file. UsageError says what is missing."""
    if not EXTENSION.exists():
        return SHIPPED
    folder = cache() / "vscode" / _digest()
    with said_if_unwritable(), made_at_once(folder) as new:
        if new is not None:
            make(new)
    return folder / NAME


def make(folder: Path) -> None:
    """Make the file in a folder. UsageError if a step fails."""
    work = folder / "work"
    shutil.copytree(EXTENSION, work, ignore=shutil.ignore_patterns(*MADE))
    shutil.copyfile(HERE.parents[1] / "scripts" / "package" / "LICENSE", work / "LICENSE")
    for step in STEPS:
        _run(step, work)
    shutil.move(work / NAME, folder / NAME)
    shutil.rmtree(work)


def _run(step: tuple[str, ...], folder: Path) -> None:
    program = shutil.which(step[0])
    if program is None:
        raise UsageError(
            f"the extension has to be built, and there is no {step[0]}: install Node.js 18 or "
            "newer, or the package from a wheel, which brings the extension"
        )
    environment = dict(os.environ)
    if CERTIFICATES.exists():
        environment.setdefault("NODE_EXTRA_CA_CERTS", str(CERTIFICATES))
    done = subprocess.run(
        [program, *step[1:]],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    lacks = "WARNING" in done.stdout + done.stderr  # as vsce says that a licence is missing
    if done.returncode or lacks:
        lines = (done.stdout + done.stderr).strip().splitlines() or ["it says nothing"]
        raise UsageError(f"the extension cannot be built: `{' '.join(step)}`: {lines[0]}")


def _sources() -> Iterator[Path]:
    for path in sorted(EXTENSION.rglob("*")):
        if path.is_file() and not set(MADE) & set(path.relative_to(EXTENSION).parts):
            yield path


def _digest() -> str:
    """Return a name for what the sources make."""
    found = hashlib.sha256()
    for path in _sources():
        found.update(str(path.relative_to(EXTENSION)).encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]


if __name__ == "__main__":
    SHIPPED.parent.mkdir(exist_ok=True)
    try:
        shutil.copyfile(built(), SHIPPED)
    except UsageError as missing:
        sys.exit(f"error: {missing}")
