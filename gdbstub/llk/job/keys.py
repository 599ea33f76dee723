# SPDX-License-Identifier: Apache-2.0
"""The keys of results that are kept: all that a result depends on besides the tree's own files."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from tensix_gdb.gdbstub.kernels.llk import REQUIREMENT
from tensix_gdb.gdbstub.kernels.sfpi.version import version_of
from tensix_gdb.gdbstub.llk.options import LlkOptions
from tensix_gdb.gdbstub.llk.suite import COMPILER, Suite

OWN = Path(__file__).resolve().parents[3]  # has core and gdbstub, here and where it is installed
FORMAT = 1  # goes up when what is kept is read otherwise


def key_of(*parts: Any) -> str:
    """Return a key of anything that JSON has."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def options_key(options: LlkOptions, arch: str, kept: Suite, python: Path) -> str:
    """Return what changes with the options, the compiler, the Python of the tests, the headers
    of tt-metal that a tt-llk alone gets, and with this program."""
    of = options.suite
    return key_of(
        FORMAT,
        own_digest(),
        str(version_of((kept.llk / COMPILER).resolve())),
        python.parent.parent.name,
        REQUIREMENT,
        arch,
        (of.variants, of.seed, of.schedule, of.engine),
        options.job.seeds,
        options.of_pytest,
    )


@cache
def own_digest() -> str:
    """Return a digest of this program. Its version alone is the same for years in a checkout."""
    digest = hashlib.sha256()
    for folder in (OWN / "core", OWN / "gdbstub"):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()
