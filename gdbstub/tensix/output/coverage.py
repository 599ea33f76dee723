# SPDX-License-Identifier: Apache-2.0
"""Coverage: how often lines, functions and Tensix instructions were executed, by source file.

RISC-V lines are counted when a hart executes them. A Tensix instruction is counted when it leaves
its wait gate, at the line that has pushed it: what a MOP or REPLAY expands to belongs to that.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from dataclasses import field

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, THREAD_NAMES, B
from tensix_gdb.core.counting.counts import Counts
from tensix_gdb.core.counting.shares import Share
from tensix_gdb.core.counting.site import Site
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.table import OPS
from tensix_gdb.core.tensix.frontend.fifo import VIA_MOP, VIA_REPLAY
from tensix_gdb.core.tensix.table import rows_of
from tensix_gdb.gdbstub.tensix.output.source_map import SourceMap, SourceMaps

TTINSN = OPS[".ttinsn"]
EXPANDERS = {"MOP": VIA_MOP, "REPLAY": VIA_REPLAY}
# What never comes to a gate: settings of the front end, and what it expands.
BEFORE_THE_GATE = ("MOP", "MOP_CFG", "REPLAY")


@dataclass(slots=True)
class File:
    """The executed lines and functions of one source file."""

    lines: dict[int, int] = field(default_factory=dict)
    functions: dict[str, tuple[int, int]] = field(default_factory=dict)  # line, how often


Files = dict[str, File]  # by path
Tests = dict[str, Files]  # by hart or Tensix thread


def of_harts(machine: Machine, counts: Counts) -> Tests:
    """Return what each hart has executed of each source file; harts without a program have none."""
    maps = SourceMaps(machine.images)
    tests: Tests = {}
    for hart in range(HARTS):
        files: Files = {}
        executed = counts.executions(hart)
        shares = [
            (source, counts.shares.own(image, Share(executed))) for image, source in maps.of(hart)
        ]
        past = [
            (SourceMap(image), own) for image, own in counts.shares.past() if image.hart == hart
        ]
        for source, share in (*shares, *past):
            _add_lines(files, source, share.executed)
            _add_functions(files, source, share.executed)
        if files:
            tests[HART_NAMES[hart]] = files
    return tests


def _add_lines(files: Files, source: SourceMap, executed: dict[int, int]) -> None:
    # Of each line, by instance: the executions of its code, and of what merely begins there.
    code: dict[tuple[str, int], dict[int, int]] = {}
    begins: dict[tuple[str, int], int] = {}
    for piece in source.pieces:
        key = piece.file, piece.line
        if piece.lo == piece.hi:
            begins[key] = max(begins.get(key, 0), executed.get(piece.lo, 0))
            continue
        most = max(executed.get(pc, 0) for pc in range(piece.lo, piece.hi, 4))
        copies = code.setdefault(key, {})
        copies[piece.instance] = max(copies.get(piece.instance, 0), most)
    for key, count in begins.items():
        code.setdefault(key, {0: count})
    for (path, line), copies in code.items():
        lines = files.setdefault(path, File()).lines
        lines[line] = lines.get(line, 0) + sum(copies.values())


def _add_functions(files: Files, source: SourceMap, executed: dict[int, int]) -> None:
    for function in source.functions:
        file = files.setdefault(function.file, File())
        functions, lines = file.functions, sorted(file.lines)
        # Its first line with code: lcov drops a function that begins where there is none.
        at = bisect.bisect_left(lines, function.line)
        line, count = functions.get(
            function.name, (lines[at] if at < len(lines) else function.line, 0)
        )
        # A compiler may leave the entry of an inlined function out, or move it away.
        somewhere = any(pc in executed for lo, hi in function.ranges for pc in range(lo, hi, 4))
        functions[function.name] = (
            line,
            count + max(executed.get(function.ranges[0][0], 0), int(somewhere)),
        )


def of_tensix(machine: Machine, counts: Counts) -> Tests:
    """Return what each Tensix thread has issued, by the line that has pushed it: every `.ttinsn` in
    the code, and what else was pushed. The functions of a file are its instructions. What a
    library's header pushes counts for the line of the kernel too that it was inlined into."""
    names = mnemonics(Arch.WORMHOLE if machine.S.tile.chip else Arch.BLACKHOLE)
    tests: Tests = {}
    whole = Share(issued=counts.issued())
    groups = [(list(machine.images), whole.without(counts.shares.before()))]
    groups += [([image], share) for image, share in counts.shares.past()]
    for images, share in groups:
        _add_issued(machine, names, tests, images, share)
    return tests


def _add_issued(
    machine: Machine, names: dict[int, str], tests: Tests, images: list[Image], share: Share
) -> None:
    maps = SourceMaps(images)

    def note(site: Site, via: int, count: int) -> None:
        for path, line in _lines_of(machine, maps, site):
            file = tests.setdefault(THREAD_NAMES[site.thread], {}).setdefault(path, File())
            file.lines[line] = file.lines.get(line, 0) + count
            name = f"{instruction_name(names, site.opcode, via)} at {line}"
            before = file.functions.get(name, (line, 0))[1]
            file.functions[name] = line, before + count

    for (site, via), count in share.issued.items():
        if count:
            note(site, via, count)
    expanded = {(site.hart, site.pc) for site, via in share.issued if via}
    for site in _in_code(images):
        if names.get(site.opcode) not in BEFORE_THE_GATE or (
            names[site.opcode] in EXPANDERS and (site.hart, site.pc) not in expanded
        ):
            note(site, 0, 0)


def _lines_of(machine: Machine, maps: SourceMaps, site: Site) -> Iterator[tuple[str, int]]:
    """Yield the line of a push, and the first one outside of a library's headers if that is
    another."""
    piece = maps.at(site.hart, site.pc)
    if piece is None:
        return
    yield piece.file, piece.line
    for image, source in maps.of(site.hart):
        if image.covers(site.pc):
            for step in machine.places.inlining.of_kernel(image, site.pc)[:1]:
                yield source.path(step.file), step.line


def _in_code(images: list[Image]) -> Iterator[Site]:
    """Yield every `.ttinsn` that a T core can push."""
    for image in images:
        hart = image.hart
        if hart is None or not B < hart <= 3 or not image.content:
            continue
        for pc, word in _words(image):
            if word & 3 != 3 and decode(word) & 0xFF == TTINSN:
                pushed = decode(word) >> 32 & 0xFFFFFFFF
                yield Site(hart - 1, hart, pc, pushed >> 24)


def _words(image: Image) -> Iterator[tuple[int, int]]:
    for segment in image.code:
        for at in range(0, len(segment.data) - 3, 4):
            pc = segment.addr + at
            if image.function_at(pc) is not None:
                yield pc, int.from_bytes(segment.data[at : at + 4], "little")


def mnemonics(arch: Arch) -> dict[int, str]:
    """Return them by opcode; the forms of an instruction have one name."""
    return {row.opcode: row.mnemonic.partition(".")[0] for row in reversed(rows_of(arch))}


def instruction_name(names: dict[int, str], opcode: int, via: int) -> str:
    """`MVMUL`, `MVMUL of a MOP`, `MVMUL of a REPLAY`."""
    name = names.get(opcode, f"opcode {opcode:#04x}")
    origins = [word for word, bit in EXPANDERS.items() if via & bit]
    return f"{name} of a {' and '.join(origins)}" if origins else name
