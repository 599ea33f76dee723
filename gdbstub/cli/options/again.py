# SPDX-License-Identifier: Apache-2.0
"""Options as they are typed again: a command names another one for the same programs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from tensix_gdb.gdbstub.usage import HARTS

# Options of `run` that `diagnose` has too, besides the programs.
OF_DIAGNOSE = ("max_cycles", "expect", "buffer", "races_suppressions")


def typed_again(*options: Any) -> str:
    """Return the words of objects of options, quoted for a shell; those with a default are left
    out. Operands are no part of it."""
    return shlex.join(word for one in options for word in _words(one))


def option_again(options: Any, field: str) -> str:
    """Return the words of one field."""
    one = next(one for one in fields(options) if one.name == field)
    return shlex.join(_words_of(one, getattr(options, field)))


def diagnose_again(programs: Any, *others: Any) -> str:
    """Return the line that names `diagnose` for the same programs; `others` are groups with options
    that it has too."""
    kept = " ".join(
        option_again(one, field.name)
        for one in others
        for field in fields(one)
        if field.name in OF_DIAGNOSE
    )
    return f"why: `{' '.join(f'tensix-gdb diagnose {typed_again(programs)} {kept}'.split())}`"


def _words(options: Any) -> Iterator[str]:
    for one in fields(options):
        value = getattr(options, one.name)
        if is_dataclass(value) and not one.metadata.get("names"):
            yield from _words(value)
        else:
            yield from _words_of(one, value)


def _words_of(one: Any, value: Any) -> Iterator[str]:
    names, how = one.metadata.get("names"), one.metadata.get("how", {})
    if not names or value == one.default or value in (None, ()):
        return
    assert one.default is not MISSING
    if how.get("action") == "store_true":
        yield names[-1]
    elif how.get("action") == "append":
        for each in value:
            yield from (names[-1], _text(names[-1], each))
    elif how.get("nargs") == "?" and value == how.get("const"):
        yield names[-1]
    else:
        yield from (names[-1], _text(names[-1], value))


def _text(name: str, value: Any) -> str:
    """Return a value as it is typed: of some options it is a pair."""
    match value:
        case (int() as addr, str() as path) if name == "--bin":
            return f"{addr:#x}={path}"
        case (int() as hart, str() as path):
            return f"{HARTS[hart]}={path}"
        case tuple():
            return ",".join(map(str, value))
    first, size = getattr(value, "first", None), getattr(value, "size", None)
    return str(value) if first is None else f"{first:#x}+{size}"
