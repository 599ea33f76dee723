# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb report FILE`: find out what the file is, and say what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tensix_gdb.gdbstub.pages.report import operations, profiles, timelines
from tensix_gdb.gdbstub.pages.report.beside import beside
from tensix_gdb.gdbstub.pages.report.options import ReportOptions
from tensix_gdb.gdbstub.pages.report.summary import Summary
from tensix_gdb.gdbstub.pages.report.words import report
from tensix_gdb.gdbstub.usage import UsageError

GZIP = b"\x1f\x8b"
FORMS = "write one with `run --trace FILE` or `run --profile FILE`, FILE ending in .txt or .json"


def report_command(options: ReportOptions) -> int:
    """`tensix-gdb report`."""
    if (table := _table(Path(options.file))) is not None:
        print(operations.of_table(table), end="")
        return 0
    summary = summary_of(Path(options.file))
    if options.source:
        print("\n".join(beside(summary, Path(source)) for source in options.source), end="")
    else:
        print(report(summary), end="")
    return 0


def _table(path: Path) -> str | None:
    """Return the text of a table of operations; None of another file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None  # `summary_of` says what is wrong
    return text if operations.is_table(text) else None


def summary_of(path: Path) -> Summary:
    """Return the summary of a file; UsageError with one sentence if it is none of the four
    forms."""
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise UsageError(f"{path}: cannot be read: {problem.strerror}") from None
    if content.startswith(GZIP):
        raise UsageError(f"{path} is a profile for pprof; {FORMS}")
    try:
        text = content.decode("utf-8")
        summary = _of_json(json.loads(text)) if text.startswith("{") else _of_text(text)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise UsageError(f"{path} is no timeline and no profile, or damaged; {FORMS}") from None
    if not summary.cycles:
        raise UsageError(f"{path} has no cycle: the run has executed nothing")
    return summary


def _of_json(file: dict[str, Any]) -> Summary:
    if "traceEvents" in file:
        return timelines.of_chrome(file["traceEvents"])
    return profiles.of_speedscope(file)


def _of_text(text: str) -> Summary:
    if " cycles, schedule " in text.partition("\n")[0]:
        return profiles.of_tables(text)
    return timelines.of_lines(text.splitlines())
