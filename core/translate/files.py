# SPDX-License-Identifier: Apache-2.0
"""Translations in the user's cache (core/engine/cache.py), so that a program that has run before is
fast at once. The name stands for everything that the code depends on but the semantics: these are
compared when it is read (`Built.is_current`).
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

from tensix_gdb.core.engine import jit
from tensix_gdb.core.engine.cache import open_cache
from tensix_gdb.core.engine.plan import Built, plan_for
from tensix_gdb.core.machine.entries import ENTRIES
from tensix_gdb.core.machine.parts import LAYOUT

KIND = ".translation"


def file_name(key: str) -> str:
    """Return the name of the file of a translation with this key."""
    return _hash(_surroundings() + key)


def find(key: str) -> Built | None:
    """Return the translation with this key, if there is one that is still true."""
    content = open_cache().read(file_name(key), KIND)
    if content is None:
        return None
    try:
        built = Built.from_bytes(content)
    except (ValueError, KeyError):
        return None
    return built if built.is_current() else None


@functools.cache
def _surroundings() -> str:
    """Layout, processor, compiler and the sources of the engine, and of this package."""
    sources = [path.read_text("utf-8") for path in sorted(Path(__file__).parent.glob("*.py"))]
    return plan_for(ENTRIES, LAYOUT).key(jit.TRANSLATION) + _hash("\n".join(sources))


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=20).hexdigest()
