# SPDX-License-Identifier: Apache-2.0
"""`--html FILE`, if it is wanted: record the run, then make the file of it."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.recording.file import read_recording
from tensix_gdb.gdbstub.cli.options.outputs import HtmlOptions
from tensix_gdb.gdbstub.cli.options.tile import ProgramOptions
from tensix_gdb.gdbstub.tensix.output.output_file import text_output
from tensix_gdb.gdbstub.usage import UsageError


@dataclass(frozen=True, slots=True)
class Html:
    """`recording` is the file that the run has to be recorded to, None if it need not be; `write`
    makes the page, given what the run says, and returns what to say of it."""

    recording: str | None
    write: Callable[[Sequence[str]], list[str]]


@contextlib.contextmanager
def html_of_run(
    options: HtmlOptions, engine: str, name: str, record_to: str | None
) -> Iterator[Html]:
    """Give the page of `run --html`, with the name of the run. A file that cannot be written is
    refused now."""
    if options.html is None:
        _check_alone(options)
        yield Html(record_to, lambda said: [])
        return
    with _output(options, engine, name) as write, tempfile.TemporaryDirectory() as folder:
        recording = record_to or str(Path(folder) / "run.rec")
        yield Html(recording, lambda said: write(recording, said))


@contextlib.contextmanager
def html_of_recording(
    options: HtmlOptions, engine: str, path: str
) -> Iterator[Callable[[Sequence[str]], None]]:
    """Give the page of `replay RECORDING --html`: call it with what the replay says."""
    if options.html is None:
        _check_alone(options)
        yield lambda said: None
        return
    with _output(options, engine, Path(path).name) as write:
        yield lambda said: print("\n".join(write(path, said)))


def _check_alone(options: HtmlOptions) -> None:
    if options.html_at:
        raise UsageError("--html-at CYCLE is about the file of --html: name it")


@contextlib.contextmanager
def _output(
    options: HtmlOptions, engine: str, name: str
) -> Iterator[Callable[[str, Sequence[str]], list[str]]]:
    assert options.html is not None
    path = options.html
    # Imported here: it takes a while to load, and few runs have a page.
    try:
        from tensix_gdb.gdbstub.pages.html.document import document
        from tensix_gdb.gdbstub.pages.html.seen import see
    except ImportError as problem:
        raise UsageError(
            f"--html needs the package {problem.name}, which is not installed; type "
            "`pip install 'tensix-gdb[web]'`"
        ) from None

    def write(recording: str, said: Sequence[str]) -> list[str]:
        seen = see(read_recording(recording, LAYOUT), engine, options.html_at)
        missing = sorted({*options.html_at} - {state.cycle for state in seen.states})
        out.write(document(seen, f"Run of {name}", said))
        told = [f"page {path}, {len(seen.states)} pictures of cycles {seen.first} to "
                f"{seen.last}"]  # fmt: skip
        if missing:
            cycles = ", ".join(map(str, missing))
            told.append(f"the run does not have the cycles of --html-at {cycles}")
        return told

    with text_output("--html", path) as out:
        yield write


def name_of(programs: ProgramOptions) -> str:
    """Name the run in a few words."""
    paths = [path for _, path in programs.elf]
    folders = [*programs.dir, *([programs.firmware] if programs.firmware else ())]
    # Resolved: `.` and `..` have no name of their own.
    return ", ".join(Path(place).resolve().name for place in paths or folders) or "a tile"
