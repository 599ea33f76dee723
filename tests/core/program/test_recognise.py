# SPDX-License-Identifier: Apache-2.0
"""A kernel of Wormhole's NC, which waits in L1 for its instruction RAM, is recognised there."""

from __future__ import annotations

import struct
from pathlib import Path

from tensix_gdb.core.arch.wormhole import IRAM_BASE
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.program.recognise import code_of, in_iram, is_in_l1, length_in_l1, moved_here
from tests.elf_maker import make_elf

CODE = struct.pack("<6I", *range(0x13, 0x13 + 6 * 0x100, 0x100))
AT = 0x8080


def test_it_stays_at_its_own_addresses(tmp_path: Path) -> None:
    path = tmp_path / "ncrisc.elf"
    path.write_bytes(make_elf([(IRAM_BASE, CODE)], entry=IRAM_BASE))
    image = read_elf(path)
    assert in_iram(image)
    assert code_of(image.content) == (0, CODE)
    assert length_in_l1(image) == len(CODE)
    found = moved_here(image, AT, CODE + b"more")
    assert found is not None
    assert (found.entry, found.bias, found.segments) == (IRAM_BASE, 0, image.segments)
    assert moved_here(image, AT, CODE[:-1] + b"\1") is None
    assert moved_here(image, AT, CODE[:-4]) is None


def test_another_one_may_be_there_later(tmp_path: Path) -> None:
    """L1 has the kernels of many launches at the same place, one after the other."""
    path = tmp_path / "ncrisc.elf"
    path.write_bytes(make_elf([(IRAM_BASE, CODE)], entry=IRAM_BASE))
    image = read_elf(path)
    l1 = bytearray(0x9000)
    assert not is_in_l1(image, lambda at, size: bytes(l1[at : at + size]), AT)
    l1[AT : AT + len(CODE)] = CODE
    assert is_in_l1(image, lambda at, size: bytes(l1[at : at + size]), AT)
    assert not is_in_l1(image, lambda at, size: bytes(l1[at : at + size]), AT + 4)


def test_data_that_it_has_in_l1_besides_is_left_out(tmp_path: Path) -> None:
    """As tt-metal's kernels of Ethernet cores: it stays where it is, and they change it."""
    path = tmp_path / "erisc.elf"
    path.write_bytes(make_elf([(0xEBE0, b"data" * 8), (IRAM_BASE, CODE)], entry=IRAM_BASE))
    image = read_elf(path)
    assert code_of(image.content) == (0, CODE)
    assert length_in_l1(image) == len(CODE)
    found = moved_here(image, AT, CODE)
    assert found is not None
    assert (found.entry, found.segments) == (IRAM_BASE, image.segments)
    assert is_in_l1(image, lambda at, size: (bytes(AT) + CODE)[at : at + size], AT)
