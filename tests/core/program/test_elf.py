# SPDX-License-Identifier: Apache-2.0
"""ELF files, good and bad: a bad one is one sentence that names the file."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from hypothesis import given, settings
from hypothesis import strategies as st

from tensix_gdb.core.arch.blackhole import NC, T0, B
from tensix_gdb.core.program import elf_tables
from tensix_gdb.core.program.elf import LoadError, check_apart, check_mapped, read_elf
from tests.elf_maker import make_elf, words
from tests.forms import rounds
from tests.programs.build import DEMO, GCC, PROGRAMS, build

NOP = 0x00000013
GOOD = make_elf([(0x0, words(NOP, NOP))])


def write(tmp_path: Path, content: bytes, name: str = "a.elf") -> Path:
    path = tmp_path / name
    path.write_bytes(content)
    return path


def test_a_good_file(tmp_path: Path) -> None:
    image = read_elf(write(tmp_path, make_elf([(0x40, b"abcd")], entry=0x40, extra_memory=4)))
    assert image.entry == 0x40
    assert image.segments[0].data == b"abcd\0\0\0\0"
    assert image.symbolize(0x40) is None
    assert image.symbols == {}


# fmt: off
BAD = {
    "text":       (b"hello",                                        "not an ELF file"),
    "empty":      (b"",                                             "not an ELF file"),
    "64-bit":     (make_elf([(0, b"....")], bits=2),                "64-bit ELF file"),
    "big-endian": (make_elf([(0, b"....")], endian=2),              "big-endian ELF file"),
    "arm":        (make_elf([(0, b"....")], machine=40),            "built for EM_ARM, not RISC-V"),
    "object":     (make_elf([(0, b"....")], kind=1),                "not an executable"),
    "compressed": (make_elf([(0, b"....")], flags=1),               "compressed instructions"),
    "header":     (GOOD[:30],                                       "truncated"),
    "segment":    (GOOD[:-4],                                       "truncated"),
    "nothing":    (make_elf([]),                                    "no segment to load"),
    "overlap":    (make_elf([(0, bytes(8)), (4, bytes(8))]),        "segments overlap"),
    "huge":       (make_elf([(0, b"....")], extra_memory=1 << 30),  "more than all of L1"),
}
# fmt: on


@pytest.mark.parametrize("path", sorted(DEMO.glob("*.elf")), ids=lambda path: path.name)
def test_headers_are_as_elftools_reads_them(path: Path) -> None:
    image, elf = read_elf(path), ELFFile(io.BytesIO(path.read_bytes()))
    assert image.entry == elf["e_entry"]
    segments = [
        (each["p_paddr"], each.data()) for each in elf.iter_segments("PT_LOAD") if each["p_memsz"]
    ]
    assert [
        (s.addr, s.data[: len(data)])
        for s, (_, data) in zip(image.segments, sorted(segments), strict=True)
    ] == sorted(segments)
    code = [
        (each["sh_addr"], each.data())
        for each in elf.iter_sections("SHT_PROGBITS")
        if each["sh_flags"] & SH_FLAGS.SHF_EXECINSTR
    ]
    assert code
    assert [(each.addr, each.data) for each in image.code] == sorted(code)


def test_a_file_is_loaded_without_elftools() -> None:
    """A chip recognises its firmware by files of which it reads no tables."""
    done = subprocess.run(
        [
            *(sys.executable, "-c"),
            "import sys; from tensix_gdb.core.program.elf import read_elf\n"
            "read_elf(sys.argv[1]).code; print([n for n in sys.modules if 'elftools' in n])",
            str(DEMO / "b.elf"),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_symbols_are_those_that_elftools_lists(tmp_path: Path, tool: Callable[[str], str]) -> None:
    tool(GCC)
    image = read_elf(build(PROGRAMS / "debugged.c", "B", tmp_path / "b.elf"))
    with (tmp_path / "b.elf").open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        kinds = ("STT_FUNC", "STT_OBJECT", "STT_NOTYPE")
        listed = [
            (one.name, one["st_value"], one["st_size"], one["st_info"]["type"] == kinds[0])
            for one in table.iter_symbols()
            if one.name and one["st_info"]["type"] in kinds
        ]
    assert "main" in [name for name, *_ in listed]
    assert list(elf_tables.symbols(elf_tables.open_elf(image.content))) == listed


def header(place: int, form: str, value: int) -> bytes:
    """The program with another value in its ELF header."""
    content = bytearray((DEMO / "t0.elf").read_bytes())
    struct.pack_into("<" + form, content, place, value)
    return bytes(content)


WHOLE = (DEMO / "t0.elf").read_bytes()
BAD |= {
    "cut in half": (WHOLE[: len(WHOLE) // 2], "truncated: its section header table would end at"),
    "one byte": (WHOLE[:-1], "truncated: its section header table would end at byte"),
    "program headers": (header(28, "I", 1 << 20), "its program header table would end at byte"),
    "their size": (header(42, "H", 0), "a program header has 32 bytes, and its ELF header says 0"),
    "sections": (header(46, "H", 0), "a section header has 40 bytes, and its ELF header says 0"),
    "names": (header(50, "H", 1), "names of its sections would be in section 1, which is no"),
    "no such names": (header(50, "H", 999), "would be in section 999, which is no table of names"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_one_sentence(tmp_path: Path, name: str) -> None:
    content, said = BAD[name]
    path = write(tmp_path, content)
    with pytest.raises(LoadError) as caught:
        read_elf(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert said in message
    assert "\n" not in message


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="cannot be read: No such file"):
        read_elf(tmp_path / "missing.elf")
    with pytest.raises(LoadError, match="a directory, not an ELF file"):
        read_elf(tmp_path)


@settings(max_examples=rounds(60, 300), deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), max_size=6),
    st.integers(0, len(GOOD)),
)
def test_no_damage_to_a_file_escapes_as_something_else(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[int, int]], length: int
) -> None:
    content = bytearray(GOOD)
    for at, value in edits:
        content[at] = value
    path = write(tmp_path_factory.getbasetemp(), bytes(content[:length]), "damaged.elf")
    try:
        image = read_elf(path)
        check_mapped(image, B)
    except LoadError as error:
        said = str(error)
    else:
        said = f"{path}: {len(image.symbols)} symbols, {len(image.lines)} lines"
    assert said.startswith(f"{path}: ")


def test_a_segment_has_to_be_in_a_memory_of_the_hart(tmp_path: Path) -> None:
    image = read_elf(write(tmp_path, make_elf([(0, b"...."), (0xFFB01000, b"....")])))
    check_mapped(image, NC)
    with pytest.raises(LoadError, match="in no memory of T0: L1 ends at 0x180000"):
        check_mapped(image, T0)


@pytest.mark.parametrize("entry", [0x180000, 0xFFB00000, 2])
def test_the_entry_has_to_be_an_instruction_in_l1(tmp_path: Path, entry: int) -> None:
    image = read_elf(write(tmp_path, make_elf([(0, words(NOP))], entry=entry)))
    with pytest.raises(LoadError, match="not an instruction's address in L1"):
        check_mapped(image, B)


def test_two_files_may_share_l1_only_where_they_agree(tmp_path: Path) -> None:
    one = read_elf(write(tmp_path, make_elf([(0, b"abcd")]), "one.elf"))
    same = read_elf(write(tmp_path, make_elf([(2, b"cd")]), "same.elf"))
    other = read_elf(write(tmp_path, make_elf([(2, b"cx")]), "other.elf"))
    check_apart([one, same])
    with pytest.raises(LoadError, match=r"other\.elf and .*one\.elf overlap in L1 from 0x00000002"):
        check_apart([one, other])


def test_initialised_data_goes_to_its_load_address(tmp_path: Path) -> None:
    # The program header: type, offset, address, load address, size in the file, in memory, ...
    content = bytearray(make_elf([(0xFFB00000, b"abcd")], extra_memory=8))
    content[52 + 12 : 52 + 16] = (0x2000).to_bytes(4, "little")
    (segment,) = read_elf(write(tmp_path, bytes(content))).segments
    assert (segment.addr, segment.data) == (0x2000, b"abcd")
