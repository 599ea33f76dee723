# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb check --pair`: is the order of two lines certain? Yes, no, or unknown."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.table import FORMS, Form
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.cli.build import arch_named, build_machine, programs_of_folders
from tensix_gdb.gdbstub.cli.terminal.files_of import FilesOf
from tensix_gdb.gdbstub.cli.terminal.width import say, width_of_terminal
from tensix_gdb.gdbstub.order.pair.check import Answer, answer, answer_without_report, is_on, named
from tensix_gdb.gdbstub.order.pair.options import CheckOptions
from tensix_gdb.gdbstub.order.report.located import chain_at, located
from tensix_gdb.gdbstub.order.report.witness import from_the_start
from tensix_gdb.gdbstub.usage import UsageError

STATUS = {"yes": 0, "no": 1, "unknown": 3}
LATENCY = "latency"
_FORMS = (Form.TTINSN, Form.STORE)


def check(options: CheckOptions) -> int:
    """Answer; 0 for yes, 1 for no, 3 for unknown."""
    first, second = options.pair
    programs = [*options.programs, *programs_of_folders(options.dir)]
    if not programs:
        raise UsageError("name programs, as in t0=unpack.elf, or their folder with --dir")
    machine = build_machine(programs, options.engine, LATENCY, arch_named(options.arch))
    try:
        for line in options.pair:
            _check_has_code(machine, line)
        found = check_pair(machine, first, second, options.max_cycles)
    finally:
        machine.close()
    if options.json:
        print(json.dumps(found.document(), indent=1))
    else:
        say(found.lines(width_of_terminal()), FilesOf(machine.images))
    return STATUS[found.answer]


def _check_has_code(machine: Machine, line: str) -> None:
    """UsageError if no program has code from the line."""
    if not any(
        is_on(chain_at(machine.places, image.hart or 0, addr), line)
        for image in machine.images
        for addr in _code(image)
    ):
        files = ", ".join(str(image.path) for image in machine.images)
        raise UsageError(f"--pair {line}: no such line with code in {files}")


def check_pair(machine: Machine, first: str, second: str, most: int) -> Answer:
    """Run observed to the end, and answer."""
    machine.observe_races()
    while machine.S.tile.cycle < most:
        machine.engine.poll()
        stop = machine.run(min(1 << 20, most - int(machine.S.tile.cycle)))
        if stop is not None and stop.kind not in (StopKind.EBREAK, StopKind.ECALL):
            break
    reports = named(located(machine.races(), machine.places), first, second)
    if reports:
        return answer(machine, reports, from_the_start(machine))
    machine.runner.races = None
    pairs = [*_pairs(machine, first, second), *_pairs(machine, second, first)]
    return answer_without_report(machine, pairs)


def _pairs(machine: Machine, first: str, second: str) -> Iterator[tuple[int, int, int]]:
    """Yield a hart, a store or a push of one line, and one of the other."""
    for image in machine.images:
        if image.hart is None:
            continue
        after = list(_instructions(machine, image, second))
        for earlier in _instructions(machine, image, first) if after else ():
            for later in after:
                if earlier != later:
                    yield image.hart, earlier, later


def _instructions(machine: Machine, image: Image, line: str) -> Iterator[int]:
    """Yield the stores and pushes of a line, also those of functions that are inlined there."""
    for addr in _code(image):
        is_one = FORMS[decode(machine.S.l1.word[addr >> 2]) & 0xFF] in _FORMS
        if is_one and is_on(chain_at(machine.places, image.hart or 0, addr), line):
            yield addr


def _code(image: Image) -> Iterator[int]:
    for segment in image.code:
        yield from range(segment.addr, min(segment.end, L1_BYTES) - 3, 4)
