# SPDX-License-Identifier: Apache-2.0
"""The documents of `qXfer`: memory map, threads, programs, processes; and the registers of
register_description.py."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from tensix_gdb.core.arch.blackhole import HARTS, T0, T1, T2
from tensix_gdb.core.arch.chips import BLACKHOLE, IRAM_OF
from tensix_gdb.core.arch.wormhole import IRAM_BASE, IRAM_BYTES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.map import rows_on
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.riscv.csrs import CSRS
from tensix_gdb.gdbstub.protocol.capabilities import Monitor
from tensix_gdb.gdbstub.tensix.capabilities.files import path_of, section_offsets
from tensix_gdb.gdbstub.tensix.documents.helper_queries import answer
from tensix_gdb.gdbstub.tensix.documents.register_description import ALL, Present, target_xml
from tensix_gdb.gdbstub.tensix.documents.shared import shared_library


def _regions(chip: int) -> list[tuple[int, int]]:
    """Return what any hart can reach, as (start, length), adjacent rows joined."""
    joined: list[tuple[int, int]] = []
    spans = [(row.start, row.end) for row in rows_on(chip)]
    if any(IRAM_OF[chip * HARTS : (chip + 1) * HARTS]):
        spans.append((IRAM_BASE, IRAM_BASE + IRAM_BYTES))
    for start, end in sorted(spans):
        if joined and sum(joined[-1]) == start:
            joined[-1] = joined[-1][0], end - joined[-1][0]
        else:
            joined.append((start, end - start))
    return joined


def memory_map(chip: int = BLACKHOLE) -> str:
    """Return the memory map (GDB manual, Memory Map Format): what a hart of a chip can reach, and
    what it can execute.

    All of it is `ram`, devices too: GDB does not cache `ram`. What the map leaves out GDB refuses
    to read at all, which is right for a wild pointer.
    """
    regions = [
        f'<memory type="ram" start="{start:#x}" length="{length:#x}"/>'
        for start, length in _regions(chip)
    ]
    head = '<?xml version="1.0"?>\n<!DOCTYPE memory-map PUBLIC "+//IDN gnu.org//DTD GDB Memory Map'
    return f'{head} V1.0//EN" "http://sourceware.org/gdb/gdb-memory-map.dtd">\n' + "\n".join(
        ("<memory-map>", *regions, "</memory-map>", "")
    )


def library(image: Image) -> str:
    """Return an ELF as a library, with how far from the addresses in the file it was loaded."""
    # One row for each section that takes memory; GDB (solib-target.c) adds the number to the
    # address in the file. Rows for segments would move variables that are loaded elsewhere than
    # they live.
    sections = "".join(
        f'<section address="{offset % (1 << 64):#x}"/>' for offset in section_offsets(image)
    )
    return f'<library name="{escape(path_of(image))}">{sections}</library>'


def osdata(annex: str) -> bytes | None:
    """Return the tables of `info os`: one process, the tile."""
    rows: list[dict[str, str]]
    match annex:
        case "" | "types":
            rows = [{"Type": "processes", "Description": "The tile", "Title": "Processes"}]
        case "processes":
            rows = [{"pid": "1", "user": "-", "command": "Blackhole Tensix tile", "cores": "5"}]
        case _:
            return None
    return osdata_text(annex or "types", rows)


def osdata_text(kind: str, rows: Sequence[Mapping[str, str]]) -> bytes:
    """Return a table of `info os`."""
    items = [
        "".join(
            f'<column name="{escape(name)}">{escape(text, quote=False)}</column>'
            for name, text in r.items()
        )
        for r in rows
    ]
    text = "".join(f"<item>{item}</item>" for item in items)
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE osdata SYSTEM "osdata.dtd">\n'
        f'<osdata type="{kind}">{text}</osdata>\n'
    ).encode("utf-8", "surrogateescape")


def _present(machine: Machine, hart: int | None) -> Present:
    """Return the registers of one hart, and of the Tensix thread that it feeds."""
    if machine.S.tile.chip:  # RV32IM alone: no F, no V, no CSRs
        return Present((), False, hart is None or hart in (T0, T1, T2), False)
    if hart is None:
        return ALL
    numbers = [number for number, _ in CSRS if machine.read_csr(hart, number) is not None]
    return Present(numbers, hart == T2, hart in (T0, T1, T2))


class Documents:
    """The `XferObjects` capability; with a `hart`, of that one and its programs alone."""

    def __init__(
        self, machine: Machine, hart: int | None = None, monitor: Monitor | None = None
    ) -> None:
        self._machine = machine
        self._monitor = monitor
        self._hart = hart
        self._target, self._of_lldb = (
            target_xml(lldb=lldb, present=_present(machine, hart)).encode("ascii")
            for lldb in (False, True)
        )
        self._map = memory_map(int(machine.S.tile.chip)).encode("ascii")

    def objects(self) -> Iterable[str]:
        names = ("features", "memory-map", "threads", "exec-file", "libraries", "osdata")
        return names if self._monitor is None else (*names, "tensix")

    def document(
        self, kind: str, annex: str, *, running_for: str = "", lldb: bool = False
    ) -> bytes | None:
        match kind, annex:
            case "features", "target.xml":
                return self._of_lldb if lldb else self._target
            case "memory-map", "":
                return self._map
            case "exec-file", "" | "1":
                return self._program()
            case "libraries", "":
                return self._libraries(lldb=lldb)
            case "osdata", _:
                return osdata(annex)
            case "tensix", _ if self._monitor is not None:
                return answer(self._machine, self._monitor, annex, running=bool(running_for))
        return None

    def _images(self) -> list[Image]:
        images = self._machine.images
        return [image for image in images if self._hart in (None, image.hart)]

    def _program(self) -> bytes | None:
        """Return the first ELF. GDB reads it from the server when it was started without a file."""
        images = self._images()
        return path_of(images[0]).encode("utf-8", "surrogateescape") if images else None

    def _libraries(self, *, lldb: bool) -> bytes:
        """Return the ELFs, each where it was linked for. All of them: which one the client was
        started with is not known, and what GDB finds twice at an address it shows once. Of a single
        one there is no doubt."""
        images = self._images()
        row = shared_library if lldb and any(image.bias for image in images) else library
        rows = [row(image) for image in images] if len(images) > 1 else []
        return "\n".join(("<library-list>", *rows, "</library-list>", "")).encode("utf-8")
