# SPDX-License-Identifier: Apache-2.0
"""Options of commands that draw the tile."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.cli.options.tile import DEFAULT_PORT, typed_port

if TYPE_CHECKING:
    from tensix_gdb.core.machine import Machine

LEAST_SECONDS, MOST_SECONDS = 0.05, 3600
FORMS = "an SVG, PNG or JSON file, by the end of its name"
# What writes a picture, given how the run has ended, and returns what to say of it.
Write = Callable[[str], list[str]]


def add_output(command: argparse.ArgumentParser) -> None:
    """Add `--picture` to a command that runs a tile."""
    command.add_argument(
        "--picture",
        metavar="FILE",
        help=f"draw the tile as it is at the end: {FORMS}; with --until, where it has stopped",
    )


def add_html(command: argparse.ArgumentParser) -> None:
    """Add `--html` to a command that has a whole run."""
    command.add_argument(
        "--html",
        metavar="FILE",
        help="write the whole run as one page: what it says, pictures, timeline, sources with "
        "how often each line was executed; it needs no other file",
    )
    command.add_argument(
        "--html-at",
        type=int,
        action="append",
        default=[],
        metavar="CYCLE",
        help="draw the tile in this cycle (default: five cycles from the first to the last); may "
        "be repeated",
    )


def add(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `tensix-gdb picture`."""
    command.add_argument(
        "file", nargs="?", metavar="FILE", help="a core file or a recording; without: a server"
    )
    where = command.add_mutually_exclusive_group(required=True)
    where.add_argument("-o", "--output", metavar="FILE", help=f"where the picture goes: {FORMS}")
    for form in ("svg", "png", "json"):
        where.add_argument(
            f"--{form}",
            dest="form",
            action="store_const",
            const=f".{form}",
            help=f"write {form.upper()} to standard output",
        )
    command.add_argument("--at", type=int, metavar="CYCLE", help="of a recording: in this cycle")
    command.add_argument(
        "--theme",
        choices=("auto", "light", "dark"),
        default="auto",
        help="auto: an SVG is as its viewer prefers, a PNG light (default: auto)",
    )
    command.add_argument(
        "--port",
        type=typed_port,
        help=f"a running server or bridge (default {DEFAULT_PORT} if --host is given)",
    )
    command.add_argument("--host", help="the machine that it is on (default 127.0.0.1 with --port)")


def add_top(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `tensix-gdb top`."""
    command.add_argument(
        "--port", type=typed_port, help=f"where the server listens (default {DEFAULT_PORT})"
    )
    command.add_argument("--host", help="the machine that it is on (default 127.0.0.1)")
    command.add_argument(
        "--interval",
        type=_seconds,
        default=1.0,
        metavar="SECONDS",
        help="between two looks, 0.05 or more (default 1)",
    )
    command.add_argument("--once", action="store_true", help="look once")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0.05 to 3600")
    return seconds


def picture_wanted(
    machine: Machine, arguments: argparse.Namespace
) -> contextlib.AbstractContextManager[Write]:
    """What writes the picture of `--picture`; it does nothing without."""
    if arguments.picture is None:
        return contextlib.nullcontext(lambda ending: [])
    # Imported here: drawing takes a while to load, and hardly any run draws.
    from tensix_gdb.gdbstub.picture.files import pictured

    return pictured(machine, arguments.picture)
