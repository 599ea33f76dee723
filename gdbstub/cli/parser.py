# SPDX-License-Identifier: Apache-2.0
"""The command line: from words to a command and its options, typed."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, NoReturn

from tensix_gdb.gdbstub.cli.help_text import HelpText
from tensix_gdb.gdbstub.cli.install.version import ShowVersion
from tensix_gdb.gdbstub.cli.options.declare import add, of
from tensix_gdb.gdbstub.cli.options.table import COMMANDS, Command
from tensix_gdb.gdbstub.usage import UsageError

EXAMPLES = {"COMMAND": "demo", "shell": "bash"}


class Typed(NamedTuple):
    """A typed command: its name, its options (an object of its dataclass), and `--verbose`."""

    command: str
    options: Any
    verbose: bool


def parse(words: Sequence[str] | None = None) -> Typed:
    """Read a command line, of this process by default. UsageError with a sentence."""
    top = _top()
    typed, rest = top.parse_known_args(words)
    if rest:
        # Here, as a command that is typed rightly has no time for it; below, too.
        from tensix_gdb.gdbstub.cli.options.unknown import unknown

        command = dict(subparsers(top))[typed.command]
        raise UsageError(
            f"{unknown(rest[0], list(command._option_string_actions))}; `{command.prog} --help` "
            "shows what can be typed"
        )
    options = of(loaded(COMMANDS[typed.command].options), typed)
    return Typed(typed.command, options, typed.verbose)


def loaded(name: str) -> Any:
    """Return the object that MODULE:NAME of a row names; its module is imported now."""
    module, _, name = name.partition(":")
    return getattr(importlib.import_module(f"tensix_gdb.gdbstub.{module}"), name)


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands, for code that lists their options."""
    top = _top()
    for _, sub in subparsers(top):
        sub.declare()
    return top


def subparsers(top: argparse.ArgumentParser) -> Iterator[tuple[str, _Parser]]:
    """Yield each command's parser, by its name."""
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _top() -> _Parser:
    top = _Parser(
        prog="tensix-gdb",
        description="Debug Tenstorrent Blackhole kernels without a card: an emulated Tensix tile "
        "that your GDB attaches to.",
        epilog="Start with `tensix-gdb demo`, then `tensix-gdb gdb --elf b=program.elf`.",
    )
    top.add_argument(
        "--version",
        action=ShowVersion,
        help="show the versions of this program, Python, the compiler, the processor; the cache",
    )
    top.add_argument("-v", "--verbose", action="store_true", help="log what clients do")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, row in COMMANDS.items():
        commands.add_parser(name, help=row.help, row=row)
    return top


class _Parser(argparse.ArgumentParser):
    """A parser that loads the options of its command when that is typed."""

    def __init__(self, *, row: Command | None = None, **more: Any) -> None:
        super().__init__(formatter_class=HelpText, **more)
        self._row = row
        self._intermixed = row is not None and row.intermixed

    def declare(self) -> None:
        """Declare the options of the command, once."""
        if self._row is not None:
            options, self._row = loaded(self._row.options), None
            self.description = options.__doc__
            add(self, options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; argparse's own method for intermixed arguments knows no subparsers."""
        self.declare()
        if not self._intermixed:
            return super().parse_known_args(args, namespace)
        words, rest = self._with_rest(list(args))
        self._intermixed = False
        try:
            found, unknown = self.parse_known_intermixed_args(words, namespace)
        finally:
            self._intermixed = True
        for operand, more in rest.items():
            setattr(found, operand, [*(getattr(found, operand) or ()), *more])
        return found, unknown

    def _with_rest(self, words: list[str]) -> tuple[list[str], dict[str, list[str]]]:
        """Return the words before `--`, and those after it for an operand that takes any number:
        argparse's method for intermixed arguments takes them for options."""
        operands = [action for action in self._actions if not action.option_strings]
        if "--" not in words or not operands or operands[-1].nargs != "*":
            return words, {}
        at = words.index("--")
        return words[:at], {operands[-1].dest: words[at + 1 :]}

    def error(self, message: str) -> NoReturn:
        """UsageError: argparse's message, and what to type next."""
        # argparse's own words name what is missing; these say what to type.
        for option, example in EXAMPLES.items():
            if message == f"the following arguments are required: {option}":
                message = f"{option} is missing: type for example `{self.prog} {example}`"
        if message.startswith("argument COMMAND: invalid choice: "):
            from tensix_gdb.gdbstub.cli.options.unknown import near

            typed = message.split("'")[1]
            message = f"there is no command '{typed}'{near(typed, COMMANDS)}"
        raise UsageError(f"{message}; `{self.prog} --help` shows what can be typed")
