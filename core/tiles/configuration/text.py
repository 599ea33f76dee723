# SPDX-License-Identifier: Apache-2.0
"""A unit's configuration for a tile in words: `tensix-gdb explain --config unpack bf16`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Any

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.tiles.configuration.matrix import math
from tensix_gdb.core.tiles.configuration.packer import pack
from tensix_gdb.core.tiles.configuration.setting import Setup, code
from tensix_gdb.core.tiles.configuration.unpacker import DESTINATIONS, unpack
from tensix_gdb.core.tiles.formats import FORMATS, TileFormat
from tensix_gdb.core.tiles.npy import ArrayError

FORMS = {
    "unpack": "unpack FORMAT [FORMAT] [srca|srcb|dst]",
    "math": "math FORMAT [FORMAT-OF-DST]",
    "pack": "pack [FORMAT-OF-DST] FORMAT",
}
_NAMES = ("T0", "T1", "T2")
_BELOW = " " * 6  # before what stands below a row


def setup_named(words: Sequence[str], arch: Arch = Arch.BLACKHOLE) -> Setup:
    """Return the setup that words such as `unpack fp32 bf16 dst` mean. ArrayError with a
    sentence."""
    unit, *rest = words
    if unit not in FORMS:
        raise ArrayError(f"{unit!r} is no unit: type one of {', '.join(FORMS)}")
    to = rest.pop() if unit == "unpack" and rest and rest[-1] in DESTINATIONS else ""
    if not 1 <= len(rest) <= 2:
        raise ArrayError(f"type {FORMS[unit]}")
    first, second = (*rest, "")[:2]
    if unit == "unpack":
        return unpack(first, second, to or "srca", arch=arch)
    if unit == "math":
        return math(first, second, arch)
    return pack(first, second, arch=arch)


def show(setup: Setup, width: int | None = None) -> str:
    """Return the fields, the words that they are in, and the instructions; not wider than `width`
    characters, but for names that are."""
    words = [
        (_word(is_thread, word, setup.thread), f"0x{value:08x}")
        for (is_thread, word), value in sorted(setup.words().items())
    ]
    lines = [setup.title, "", *_fields(setup, width)]
    lines += ["", "Whole words, if nothing else is in them:"]
    lines += [*_columns(words), ""]
    name = _NAMES[setup.thread]
    if setup.prepares:
        lines += [f"Once, in {name}:", *(f"  {text}" for text in setup.prepares), ""]
    lines += [f"For each tile, in {name}:", *_counted(setup.runs)]
    if setup.beside:
        lines += ["", "For each face, in T0, because the unit needs SrcB too:"]
        lines += [f"  {text}" for text in setup.beside]
    return "\n".join(lines) + "\n"


def _fields(setup: Setup, width: int | None) -> Iterator[str]:
    """Yield a line for each field; where these are too wide, the reason and the page in the
    next."""
    rows = [("word", "bits", "value", "field", "", "page")]
    rows += [
        (
            _word(one.is_thread, one.word, setup.thread),
            f"{one.low + one.width - 1}:{one.low}" if one.width > 1 else str(one.low),
            f"{one.value:#x}" if one.value > 9 else str(one.value),
            one.name,
            one.why,
            one.page,
        )
        for one in setup.settings
    ]
    lines = list(_columns(rows))
    if width is None or max(map(len, lines)) <= width:
        yield from lines
        return
    lines = list(_columns([row[:4] for row in rows]))
    if max(map(len, lines)) > width:
        lines = list(_columns([row[:4] for row in rows], between=" "))
    yield lines[0]
    for line, (*_, why, page) in zip(lines[1:], rows[1:], strict=True):
        yield line
        said = f"{why} ({page})" if why else page
        yield from _below(said, width)


def _below(text: str, width: int) -> list[str]:
    """Return the lines of a text that stands below a row."""
    return wrap(
        text,
        width,
        initial_indent=_BELOW,
        subsequent_indent=_BELOW,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _word(is_thread: bool, word: int, thread: int) -> str:
    return f"ThreadConfig[{thread}][{word}]" if is_thread else f"Config[{word}]"


def _columns(rows: Sequence[tuple[str, ...]], between: str = "  ") -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield ("  " + between.join(cells)).rstrip()


def _counted(texts: Sequence[str]) -> Iterator[str]:
    """Yield instructions, with a count where one follows itself."""
    for text, same in groupby(texts):
        count = len(list(same))
        yield f"  {text}" + (f"    ({count} times)" if count > 1 else "")


def as_json(setup: Setup) -> dict[str, Any]:
    """The same for programs."""
    return {
        "title": setup.title,
        "thread": setup.thread,
        "fields": [
            {
                "name": one.name,
                "space": "ThreadConfig" if one.is_thread else "Config",
                "word": one.word,
                "low": one.low,
                "width": one.width,
                "value": one.value,
                "why": one.why,
                "page": one.page,
            }
            for one in setup.settings
        ],
        "once": list(setup.prepares),
        "tile": list(setup.runs),
        "face": list(setup.beside),
    }


def overview(unit: str, width: int | None = None, arch: Arch = Arch.BLACKHOLE) -> str:
    """Say what a unit makes of each format, a line each; too wide, with the last cell below.
    ArrayError for what is no unit."""
    if unit not in FORMS:
        raise ArrayError(f"{unit!r} is no unit: type one of {', '.join(FORMS)}")
    rows = overview_rows(unit, arch)
    lines = []
    for row, line in zip(rows, _columns(rows), strict=True):
        if width is None or len(line) <= width:
            lines.append(line)
        else:
            lines += [line.removesuffix(row[-1]).rstrip(), *_below(row[-1], width)]
    return "\n".join(lines) + "\n"


def overview_rows(unit: str, arch: Arch = Arch.BLACKHOLE) -> list[tuple[str, ...]]:
    """Return the rows of `overview`, with their headings: the formats that the unit takes."""
    known = [one for one in FORMATS.values() if _is_known(one, arch)]
    if unit == "unpack":
        head: tuple[str, ...] = ("format", "InDataFormat", "to SrcA, SrcB", "to Dst", "besides")
        return [head, *(_unpacked(one, arch) for one in known)]
    if unit == "math":
        head = ("format", "in Dst", "Fp32_enabled", "INT8_math_enabled", "besides")
        return [head, *(_computed(one, arch) for one in known)]
    head = ("format", "from Dst as", "between", "Out_data_format", "besides")
    return [head, *(_packed(one, arch) for one in known)]


def _is_known(one: TileFormat, arch: Arch) -> bool:
    """Return True if the units of a chip have the format at all."""
    try:
        unpack(one.name, to="dst", arch=arch)
    except ArrayError:
        return False
    return True


def _value(setup: Setup, name: str) -> int:
    return next(one.value for one in setup.settings if one.name.endswith(name))


def _besides(setup: Setup, *usual: str) -> str:
    """Return the fields that only some formats need."""
    found = [one for one in setup.settings if any(one.name.endswith(name) for name in usual)]
    return ", ".join(f"{one.name}={one.value}" for one in found if one.value)


def _unpacked(one: TileFormat, arch: Arch) -> tuple[str, ...]:
    to_dst = unpack(one.name, to="dst", arch=arch)
    more = _besides(to_dst, "Unp_LF8_4b_exp", "Unsigned")
    return (
        one.name,
        code(_value(to_dst, "InDataFormat")),
        _made(lambda: unpack(one.name, arch=arch)),
        code(_value(to_dst, "Out_data_format")),
        more,
    )


def _made(make: Callable[[], Setup]) -> str:
    try:
        return code(_value(make(), "Out_data_format"))
    except ArrayError:
        return "-"


def _computed(one: TileFormat, arch: Arch) -> tuple[str, ...]:
    setup = math(one.name, arch=arch)
    integers = _value(setup, "INT8_math_enabled")
    return (
        one.name,
        setup.title.rpartition(" as ")[2],
        str(_value(setup, "ALU_ACC_CTRL_Fp32_enabled")),
        str(integers),
        _besides(setup, "Zero_Flag_disabled_src"),
    )


def _packed(one: TileFormat, arch: Arch) -> tuple[str, ...]:
    setup = pack(one.name, arch=arch)
    return (
        one.name,
        setup.title.partition("Dst as ")[2].partition(" ")[0],
        code(_value(setup, "In_data_format")),
        code(_value(setup, "Out_data_format")),
        _besides(
            setup,
            *("Read_32b_data", "Read_unsigned", "Round_10b_mant", "Pac_LF8_4b_exp"),
            "Exp_section_size",
        ),
    )
