# SPDX-License-Identifier: Apache-2.0
"""Options as a frozen dataclass: each field is an option, with what argparse is told of it.

    @dataclass(frozen=True)
    class AddressOptions:
        port: int = option("--port", type=typed_port, default=4555, help="where to listen")
        host: str = option("--host", default="127.0.0.1", help="the address to listen on")

`add` declares the fields to a parser, in their order, and `of` makes the object from what was
typed. So an option has one declaration, and mypy knows its type wherever it is used. A group of
options that several commands have is a field too: `field(default_factory=AddressOptions)`.
`__post_init__` refuses what does not go together. The docstring of a command's class is the
description that `--help` shows.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import field, fields, is_dataclass
from typing import Any, TypeVar

T = TypeVar("T")


def option(*names: str, **how: Any) -> Any:
    """Return a field that is the option with these names, or without any an operand. `how` is what
    argparse's add_argument takes. What can be given several times is a tuple, and may be empty."""
    is_tuple = how.get("action") == "append" or how.get("nargs") in ("*", "+", 2)
    is_flag = how.get("action") == "store_true"
    default = () if is_tuple else how.get("default", False if is_flag else None)
    return field(default=default, metadata={"names": names, "how": how})


def add(parser: Any, options: type) -> None:
    """Declare the options of a class to an argparse parser, or to a group in one. The metadata of
    a field that is a group may have a `title` for the help, or `exclusive`: one of them has to be
    typed."""
    for one in fields(options):
        told = one.metadata
        if (inner := _group(one)) is not None:
            inside = parser
            if "title" in told:
                inside = parser.add_argument_group(told["title"])
            elif "exclusive" in told:
                inside = parser.add_mutually_exclusive_group(required=True)
            add(inside, inner)
        elif told.get("names"):
            parser.add_argument(*told["names"], dest=one.name, **told["how"])
        elif "how" in told:
            parser.add_argument(one.name, **told["how"])


def of(options: type[T], typed: argparse.Namespace) -> T:
    """Make the object of a class from what was typed. UsageError if that does not go together."""
    values: dict[str, Any] = {}
    for one in fields(options):  # type: ignore[arg-type]
        if (inner := _group(one)) is not None:
            values[one.name] = of(inner, typed)
        elif "how" in one.metadata:
            value = getattr(typed, one.name)
            value = tuple(value) if isinstance(value, list) else value
            values[one.name] = one.default if value is None else value
    return options(**values)


def _group(one: Any) -> Any:
    """Return the class of a field that is a group; None for another."""
    return one.default_factory if is_dataclass(one.default_factory) else None


def option_values(options: Any) -> dict[str, Any]:
    """Return the value of each option, by the last of its names."""
    return dict(_given_fields(options))


def _given_fields(options: Any) -> Iterator[tuple[str, Any]]:
    for one in fields(options):
        value = getattr(options, one.name)
        if is_dataclass(value):
            yield from _given_fields(value)
        elif one.metadata.get("names"):
            yield one.metadata["names"][-1], value
