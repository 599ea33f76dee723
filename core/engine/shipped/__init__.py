# SPDX-License-Identifier: Apache-2.0
"""Machine code that came with the package, for processors that many have.

A wheel that `scripts/wheel` makes has files beside this one, for each plan and processor one: what
was compiled from the very sources of the wheel, on whatever kind of machine. They are named after
the processor in LLVM's words, the kind of machine, the chip and the first entry. Where nothing else
is compiled yet, an engine starts with that, and code for the processor of the machine is made in
the background as always. A checkout has no such file unless it was made there (`python -m
scripts.package_objects`).

A file counts only for the sources that it was made from: its key is a hash of all files of `core`,
so it fits no other version and no edited file. Versions of Python and llvmlite are not in it,
because the code depends on neither.
"""

from __future__ import annotations

import functools
import hashlib
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from tensix_gdb.core.engine import jit

if TYPE_CHECKING:
    from tensix_gdb.core.engine.plan import Built, Plan

FOLDER = Path(__file__).parent
CORE = Path(__file__).resolve().parents[2]
_MAGIC = b"tensix-gdb shipped 1 "


def find(plan: Plan) -> Built | None:
    """Return the code that came with the package for this plan; None if there is none that this
    processor runs, or it was made from other sources."""
    kind = jit.kind_of(jit.triple())
    found = (_read(plan, path_of(plan, name, kind)) for name in jit.commons())
    return next((each for each in found if each is not None), None)


def _read(plan: Plan, path: Path) -> Built | None:
    from tensix_gdb.core.engine.plan import Built

    try:
        magic, _, content = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if magic != _MAGIC + key(plan).encode():
        return None
    try:
        return Built.from_bytes(zlib.decompress(content))
    except (zlib.error, ValueError, KeyError):
        return None


def write(plan: Plan, built: Built) -> Path:
    """Write what was compiled for the processor that the environment asks for (jit.KIND); return
    where it is."""
    import dataclasses

    # Its key says what it depends on.
    code = dataclasses.replace(built, globals={}).to_bytes()
    FOLDER.mkdir(exist_ok=True)
    path = path_of(plan, jit.processor()[0], jit.kind_of(jit.triple()))
    path.write_bytes(_MAGIC + key(plan).encode() + b"\n" + zlib.compress(code, 9))
    return path


def path_of(plan: Plan, processor: str, kind: str) -> Path:
    """Return where the code of a plan is for a processor of a kind of machine: one file for each
    set of values of fixed rows, and for the entries by the first one's name."""
    fixed = (str(value) for _, _, value in plan.fixed)
    return FOLDER / "-".join([processor, kind, *fixed, plan.entries[0].name])


def key(plan: Plan) -> str:
    """Return a hash of all that the code of a plan depends on: sources, and what is asked for."""
    return hashlib.blake2b(f"{_sources()}\n{plan.to_json()}".encode(), digest_size=20).hexdigest()


@functools.cache
def _sources() -> str:
    found = hashlib.blake2b(digest_size=20)
    for path in sorted(CORE.rglob("*.py")):
        text = path.read_bytes()
        found.update(f"{path.relative_to(CORE).as_posix()} {len(text)}\n".encode() + text)
    return found.hexdigest()
