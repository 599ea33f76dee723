# SPDX-License-Identifier: Apache-2.0
"""Write the manual's chapter about bugs: each is planted, and its commands are typed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.examples.planted.bugs import BUGS, LLK_BUGS
from scripts.examples.planted.planting import RUN, Bug, outputs_of, without_the_dull
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

MAKER = "python -m scripts.examples.planted"
BLOCK = Generated("planted", MAKER, MANUAL / "bugs.md")
ALIAS = "tensix-gdb run ..."  # the command line is long, and always the same


def table(bugs: Sequence[Bug]) -> str:
    """The bugs of a kernel in rows."""
    rows = [f"| `{bugs[0].kernel}` | symptom | commands | the last one |", "|---|---|--:|---|"]
    for bug in bugs:
        last = f"`run{_options(bug.commands[-1])}`"
        rows.append(f"| {bug.title} | {bug.symptom} | {len(bug.commands)} | {last} |")
    return "".join(f"{row}\n" for row in rows)


def _options(command: str) -> str:
    """Return the options of a command that the first one lacks."""
    return command.removeprefix(RUN)


def section(bug: Bug, outputs: Sequence[str]) -> str:
    """One bug: what was changed, what is typed, what is said."""
    title = f"## {bug.title[0].upper()}{bug.title[1:]}"
    return f"{title}\n\n```\n{''.join(_lines(bug, outputs))}```\n"


def _lines(bug: Bug, outputs: Sequence[str]) -> Iterator[str]:
    yield from (f"{line}\n" for line in bug.difference())
    before: list[str] = []
    for command, output in zip(bug.commands, outputs, strict=True):
        yield f"$ {ALIAS}{_options(command)}\n"
        lines = output.splitlines(keepends=True)
        yield without_the_dull("".join(line for line in lines if line not in before))
        before += lines


def shown() -> str:
    """All of it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        sections = [section(bug, outputs_of(bug, folder)) for bug in BUGS]
    return "\n".join([table(BUGS), table(LLK_BUGS), *sections])


def main() -> int:
    """Write the chapter."""
    BLOCK.write(shown())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
