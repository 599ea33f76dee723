# SPDX-License-Identifier: Apache-2.0
"""`--coverage FILE`, `--tensix-coverage FILE`: coverage as lcov's tracefiles, for `genhtml`.

A hart or Tensix thread is a test, so a file that several of them share has its counts added up, and
`genhtml --show-details` tells them apart. Instructions of the coprocessor have a file of their own:
a line that a hart has executed three times need not have been issued three times.

Functions have the linker's names, as geninfo writes them: lcov adds up functions of one name, so
overloads would become one, and a comma in a name would end it. `genhtml --demangle-cpp` shows the
source's.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TextIO

from tensix_gdb.core.counting.counts import Counts
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.tensix.output.coverage import File, Tests, of_harts, of_tensix
from tensix_gdb.gdbstub.tensix.output.output_file import text_output

Find = Callable[[Machine, Counts], Tests]

TENSIX = "Tensix instructions"


@contextmanager
def covered(
    machines: Mapping[str, Machine], path: str | None, tensix_path: str | None
) -> Iterator[Callable[[], list[str]]]:
    """Count from now on. Gives what writes the files and says so; a file that cannot be written is
    refused now, not after the run. Of several tiles, each with its name, every one has tests of its
    own; a tile alone has none."""
    wanted: list[tuple[str, TextIO, Find, str]] = []
    with ExitStack() as files:
        for option, name, find, what in (
            ("--coverage", path, of_harts, "functions"),
            ("--tensix-coverage", tensix_path, of_tensix, TENSIX),
        ):
            if name is None:
                continue
            out = files.enter_context(text_output(option, name))
            wanted.append((name, out, find, what))
        if wanted:
            counts = {name: m.runner.counts or m.count() for name, m in machines.items()}

        def write() -> list[str]:
            said = []
            for name, out, find, what in wanted:
                tests = {
                    f"{tile} {test}".strip(): files
                    for tile, machine in machines.items()
                    for test, files in find(machine, counts[tile]).items()
                }
                for test, by_path in tests.items():
                    for source, file in sorted(by_path.items()):
                        write_file(out, test, source, file)
                said.append(f"coverage {name}: {_summary(tests, what)}")
            return said

        yield write


def write_file(out: TextIO, test: str, path: str, file: File) -> None:
    """Write what a test has executed of a source file."""
    out.write(f"TN:{re.sub('[^A-Za-z0-9_]', '_', test)}\nSF:{path}\n")
    functions = dict(_function_lines(file))
    for name, (line, _) in functions.items():
        out.write(f"FN:{line},{name}\n")
    for name, (_, count) in functions.items():
        out.write(f"FNDA:{count},{name}\n")
    hit = sum(count > 0 for _, count in functions.values())
    out.write(f"FNF:{len(functions)}\nFNH:{hit}\n")
    for line, count in sorted(file.lines.items()):
        out.write(f"DA:{line},{count}\n")
    hit = sum(count > 0 for count in file.lines.values())
    out.write(f"LF:{len(file.lines)}\nLH:{hit}\nend_of_record\n")


def _function_lines(file: File) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the functions of a file. lcov 2 refuses one that was executed while its lines were not,
    or the other way round, which compilers make when they move code; those are left out."""
    begins = sorted({line for line, _ in file.functions.values()})
    executed = sorted(line for line, count in file.lines.items() if count)
    for name, (line, count) in file.functions.items():
        after = bisect.bisect_right(begins, line)
        end = begins[after] if after < len(begins) else executed[-1] + 1 if executed else line
        first = bisect.bisect_left(executed, line)
        if (first < len(executed) and executed[first] < end) == (count > 0):
            yield name.replace(",", ";"), (line, count)


def _summary(tests: Tests, what: str) -> str:
    """Return how much was executed, by all harts together."""
    lines: dict[tuple[str, int], int] = {}
    functions: dict[tuple[str, str], int] = {}
    for files in tests.values():
        for path, file in files.items():
            for line, count in file.lines.items():
                lines[path, line] = lines.get((path, line), 0) + count
            for name, (_, count) in file.functions.items():
                functions[path, name] = functions.get((path, name), 0) + count
    if not lines:
        if what == TENSIX:
            return "no source line pushes Tensix instructions; was it built with -g?"
        return "nothing has source lines; build the programs with -g"
    return ", ".join(
        f"{sum(count > 0 for count in counted.values())} of {len(counted)} {name}"
        for name, counted in (("lines", lines), (what, functions))
    )
