# SPDX-License-Identifier: Apache-2.0
"""`--html FILE`, if it is wanted: record the run, then make the file of it."""

from __future__ import annotations

import argparse
import contextlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.recording.file import read_recording
from tensix_gdb.gdbstub.tensix.output.output_file import text_output
from tensix_gdb.gdbstub.usage import UsageError


@dataclass(frozen=True, slots=True)
class Html:
    """`recording` is the file that the run has to be recorded to, None if it need not be; `write`
    makes the page, given what the run says, and returns what to say of it."""

    recording: str | None
    write: Callable[[Sequence[str]], list[str]]


@contextlib.contextmanager
def html_of_run(arguments: argparse.Namespace) -> Iterator[Html]:
    """Yield the page of `run --html`. A file that cannot be written is refused now."""
    if arguments.html is None:
        _check_alone(arguments)
        yield Html(arguments.record_to, lambda said: [])
        return
    with _output(arguments) as write, tempfile.TemporaryDirectory() as folder:
        recording = arguments.record_to or str(Path(folder) / "run.rec")
        yield Html(recording, lambda said: write(recording, said))


@contextlib.contextmanager
def html_of_recording(arguments: argparse.Namespace) -> Iterator[Callable[[Sequence[str]], None]]:
    """Yield the page of `replay RECORDING --html`: call it with the lines of the replay."""
    if arguments.html is None:
        _check_alone(arguments)
        yield lambda said: None
        return
    with _output(arguments) as write:
        yield lambda said: print("\n".join(write(arguments.log, said)))


def _check_alone(arguments: argparse.Namespace) -> None:
    if arguments.html_at:
        raise UsageError("--html-at CYCLE is about the file of --html: name it")


@contextlib.contextmanager
def _output(
    arguments: argparse.Namespace,
) -> Iterator[Callable[[str, Sequence[str]], list[str]]]:
    # Imported here: it takes a while to load, and few runs have a page.
    try:
        from tensix_gdb.gdbstub.html.document import document
        from tensix_gdb.gdbstub.html.seen import see
    except ImportError as problem:
        raise UsageError(
            f"--html needs the package {problem.name}, which is not installed; type "
            "`pip install 'tensix-gdb[web]'`"
        ) from None

    def write(recording: str, said: Sequence[str]) -> list[str]:
        seen = see(read_recording(recording, LAYOUT), arguments.engine, arguments.html_at)
        missing = sorted({*arguments.html_at} - {state.cycle for state in seen.states})
        out.write(document(seen, f"Run of {name_of(arguments)}", said))
        told = [f"page {arguments.html}, {len(seen.states)} pictures of cycles {seen.first} to "
                f"{seen.last}"]  # fmt: skip
        if missing:
            cycles = ", ".join(map(str, missing))
            told.append(f"the run does not have the cycles of --html-at {cycles}")
        return told

    with text_output("--html", arguments.html) as out:
        yield write


def name_of(arguments: argparse.Namespace) -> str:
    """Return the name of what was run, in a few words."""
    if getattr(arguments, "log", None):
        return Path(arguments.log).name
    paths = [str(path) for _, path in arguments.elf or ()]
    folders = [*(arguments.dir or ()), *([arguments.firmware] if arguments.firmware else ())]
    places = paths or [str(place) for place in folders]
    # Resolved: `.` and `..` have no name of their own.
    return ", ".join(Path(place).resolve().name for place in places) or "a tile"
