# SPDX-License-Identifier: Apache-2.0
"""Tensix instructions of Wormhole as text."""

from __future__ import annotations

from collections.abc import Iterable

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.isa.architecture import DIALECTS


def words_of(texts: Iterable[str]) -> list[int]:
    """The words of instructions."""
    return [parse(text, DIALECTS["wormhole"]) for text in texts]
