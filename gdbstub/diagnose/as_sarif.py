# SPDX-License-Identifier: Apache-2.0
"""The causes of a page as SARIF, for editors: each at its line, the most likely one first.

A cause that is a report has the lines of both its sides. One that is none is a sentence, which
names its places as people read them (`hang.c:12`), and so does its evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tensix_gdb.core.explain.inlining import Step
from tensix_gdb.gdbstub.cli.terminal.files_of import FilesOf
from tensix_gdb.gdbstub.diagnose.causes import Cause
from tensix_gdb.gdbstub.diagnose.evidence import Evidence
from tensix_gdb.gdbstub.diagnose.found import Found
from tensix_gdb.gdbstub.diagnose.page import Ranking, said_first, shown_of
from tensix_gdb.gdbstub.diagnose.symptoms import fault
from tensix_gdb.gdbstub.order.report.sarif import CAUSE, Caused, causes_text
from tensix_gdb.gdbstub.tensix.output.recording import own_version

PLACE = re.compile(r"(?:\b(\w+) at )?(?<![\w/.])([\w./+-]*\w\.\w{1,4}):(\d+)\b")
MOST_LINES = 8


def write_causes(
    path: Path,
    evidence: Evidence,
    ranking: Ranking,
    remedies: Mapping[int, Sequence[str]] | None,
) -> None:
    """Write the file. OSError if that is not possible."""
    files = FilesOf(evidence.machine.images)
    causes = [
        _caused(evidence, files, number, cause, one, (remedies or {}).get(one.report or 0, ()))
        for number, (cause, one) in enumerate(ranking.found)
    ]
    path.write_text(causes_text(causes, own_version()), encoding="utf-8")


def _caused(
    evidence: Evidence,
    files: FilesOf,
    number: int,
    cause: Cause,
    one: Found,
    tried: Sequence[str],
) -> Caused:
    title = f"{said_first(evidence, number)} ({cause.name}): {one.title}"
    text = "\n".join([title, *shown_of(one, tried)])
    judged = evidence.judgement.reports if evidence.judgement is not None else ()
    of = next((each for each in judged if each.located.report.number == one.report), None)
    own = evidence.fault_lines if cause.find is fault else []
    seen = {(Path(step.file), step.line) for step, _ in own}
    named = [line for line in _lines(files, one) if (Path(line[0].file), line[0].line) not in seen]
    return Caused(CAUSE, text, [*own, *named][:MOST_LINES], of)


def _lines(files: FilesOf, one: Found) -> Iterator[tuple[Step, str]]:
    """Yield the lines that a cause names, each once, with what is said there."""
    seen: set[tuple[Path, int]] = set()
    for text in (one.title, *one.evidence):
        for found in PLACE.finditer(text):
            path, line = files.path(found[2]), int(found[3])
            if path is None or (path, line) in seen:
                continue
            seen.add((path, line))
            yield Step(found[1] or "", str(path), line), found[0] if text == one.title else text
