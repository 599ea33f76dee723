# SPDX-License-Identifier: Apache-2.0
"""The options of the commands that draw or show a tile: picture, top."""

from __future__ import annotations

import argparse
from dataclasses import field
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.cli.options.outputs import PICTURES
from tensix_gdb.gdbstub.cli.options.tile import DEFAULT_PORT, typed_port

LEAST_SECONDS, MOST_SECONDS = 0.05, 3600


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0.05 to 3600")
    return seconds


def _to_output(form: str) -> Any:
    text = f"write {form.upper()} to standard output"
    return option(f"--{form}", action="store_true", help=text)


@dataclass(frozen=True)
class FormOptions:
    """Where the picture goes: a file, or standard output in one of three forms."""

    output: str | None = option(
        *("-o", "--output"), metavar="FILE", help=f"where the picture goes: {PICTURES}"
    )
    svg: bool = _to_output("svg")
    png: bool = _to_output("png")
    json: bool = _to_output("json")

    @property
    def form(self) -> str | None:
        """The form of standard output, as the ending of a name; None for a file."""
        forms = {".svg": self.svg, ".png": self.png, ".json": self.json}
        return next((form for form, is_wanted in forms.items() if is_wanted), None)


@dataclass(frozen=True)
class PictureOptions:
    """Draw the floor plan of a tile with what each part has and does: harts, queues, wait gates and
    why they are held, units, semaphores, source banks, Dst. A tile of a running server is
    undisturbed."""

    file: str | None = option(
        nargs="?", metavar="FILE", help="a core file or a recording; without: a server"
    )
    where: FormOptions = field(default_factory=FormOptions, metadata={"exclusive": True})
    at: int | None = option("--at", type=int, metavar="CYCLE", help="of a recording: in this cycle")
    theme: str = option(
        "--theme",
        choices=("auto", "light", "dark"),
        default="auto",
        help="auto: an SVG is as its viewer prefers, a PNG light (default: auto)",
    )
    port: int | None = option(
        "--port",
        type=typed_port,
        help=f"a running server or simulator (default {DEFAULT_PORT} if --host is given)",
    )
    host: str | None = option(
        "--host", help="the machine that it is on (default 127.0.0.1 with --port)"
    )


@dataclass(frozen=True)
class TopOptions:
    """Show in the terminal what `monitor status` says of the tile of a running server or simulator:
    harts, Tensix threads, units, semaphores, banks, Dst. It only looks. Ctrl-C ends it. Where the
    output is no terminal it shows one screen."""

    port: int | None = option(
        "--port", type=typed_port, help=f"where the server listens (default {DEFAULT_PORT})"
    )
    host: str | None = option("--host", help="the machine that it is on (default 127.0.0.1)")
    interval: float = option(
        "--interval",
        type=_seconds,
        default=1.0,
        metavar="SECONDS",
        help="between two looks, 0.05 or more (default 1)",
    )
    once: bool = option("--once", action="store_true", help="look once")
