# SPDX-License-Identifier: Apache-2.0
"""The classes of packets: how a class becomes one, and how a payload's class is found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.protocol.rsp.grammar import Pattern

T = TypeVar("T")

PATTERNS: dict[type, Pattern] = {}

_SEPARATORS = b":;,"


@dataclass_transform(frozen_default=True)
def packet(form: str) -> Callable[[type[T]], type[T]]:
    """Declare a class as the packet of this form; its annotations have to be the form's fields."""

    def declare(cls: type[T]) -> type[T]:
        made: type[T] = dataclass(frozen=True, slots=True)(cls)
        pattern = Pattern(form)
        fields = list(getattr(cls, "__annotations__", {}))
        if fields != pattern.fields:
            raise TypeError(f"{cls.__name__} has {fields}, its form {pattern.fields}")
        PATTERNS[made] = pattern
        return made

    return declare


class Malformed(Exception):
    """The packet is one we know, but its fields are not what they have to be; one sentence."""


_by_first: dict[int, list[tuple[bytes, Pattern, type]]] = {}


def _index() -> dict[int, list[tuple[bytes, Pattern, type]]]:
    """Patterns by the first byte of their prefix, longest prefix first."""
    if not _by_first:
        for cls, pattern in PATTERNS.items():
            _by_first.setdefault(pattern.prefix[0], []).append((pattern.prefix, pattern, cls))
        for rows in _by_first.values():
            rows.sort(key=lambda row: -len(row[0]))
    return _by_first


def parse(payload: bytes) -> Any:
    """Return the packet in `payload`; None if it is unknown, Malformed if only its fields are
    wrong."""
    if not payload:
        return None
    nearest: Pattern | None = None
    for prefix, pattern, cls in _index().get(payload[0], ()):
        if not payload.startswith(prefix):
            continue
        fields = pattern.parse(payload)
        if fields is not None:
            return cls(*fields)
        if nearest is None and _names(prefix, payload):
            nearest = pattern
    if nearest is not None:
        raise Malformed(f"the packet is not of the form {nearest.form}")
    return None


def _names(prefix: bytes, payload: bytes) -> bool:
    """True if `prefix` is the name of this packet, and not only the beginning of its name.

    `qXyz` is not a bad `q`, `mXyz` is a bad `m`. Names that begin with q, Q or v go as far as a
    separator: `qCode` is not a bad `qC`.
    """
    if payload[:1] not in b"qQv" or prefix[-1] in _SEPARATORS:
        return True
    return len(payload) > len(prefix) and payload[len(prefix)] in _SEPARATORS
