# SPDX-License-Identifier: Apache-2.0
"""Options are typed: what argparse has read becomes an object of the command's dataclass."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass
from typing import Any

import pytest

from tensix_gdb.gdbstub.cli.options.declare import add, of, option, option_values
from tensix_gdb.gdbstub.cli.options.table import COMMANDS
from tensix_gdb.gdbstub.cli.parser import loaded, parse
from tensix_gdb.gdbstub.usage import UsageError


@dataclass(frozen=True)
class Group:
    often: tuple[int, ...] = option("-o", "--often", action="append", type=int, help="a number")
    once: bool = option("--once", action="store_true", help="a flag")


@dataclass(frozen=True)
class Some:
    files: tuple[str, ...] = option(nargs="*", help="files")
    group: Group = field(default_factory=Group, metadata={"title": "how"})
    at: int = option("--at", type=int, default=7, help="a place")
    fixed: str = "no option"

    def __post_init__(self) -> None:
        if self.at < 0:
            raise UsageError("--at is below 0")


def typed(*words: str) -> Some:
    parser = argparse.ArgumentParser()
    add(parser, Some)
    return of(Some, parser.parse_args(words))


def test_what_was_typed() -> None:
    assert typed() == Some() == Some((), Group((), False), 7)
    assert typed("a", "b", "-o", "1", "--often=2", "--once", "--at", "3") == Some(
        ("a", "b"), Group((1, 2), True), 3
    )
    with pytest.raises(FrozenInstanceError):
        typed().at = 8  # type: ignore[misc]


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(UsageError, match="below 0"):
        typed("--at=-1")


def test_the_values_by_the_names_that_are_typed() -> None:
    assert option_values(typed("--once")) == {"--often": (), "--once": True, "--at": 7}


def names(options: Any) -> Iterator[str]:
    for one in fields(options):
        if is_dataclass(one.default_factory):
            yield from names(one.default_factory)
        elif "how" in one.metadata:
            yield one.name


@pytest.mark.parametrize("command", COMMANDS)
def test_no_two_options_of_a_command_are_one(command: str) -> None:
    """argparse has all groups of a command in one namespace, by the names of the fields."""
    options = loaded(COMMANDS[command].options)
    every = list(names(options))
    assert len(every) == len(set(every))
    assert options.__doc__.endswith((".", "`"))  # the description of --help


def test_one_run_and_many() -> None:
    """The flags of races differ by command; their names are those that the tables refuse."""
    words = (["run", "--late=2"], ["simulator", "DIR"])
    run, many = (parse(each).options for each in words)
    assert (run.races.races, run.races.mode, run.races.status) == (None, "default", 0)
    assert not hasattr(many.simulator.races, "late")
    assert parse(["run", "--error-exitcode=3"]).options.races.status == 3
