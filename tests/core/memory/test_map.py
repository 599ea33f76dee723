# SPDX-License-Identifier: Apache-2.0
"""The address map against the table of BabyRISCV/README.md, row by row."""

import pytest

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.memory.map import (
    LOCAL_PLACE,
    Region,
    local_offset,
    place_of,
    region_of,
    slow_local_offset,
)

EVERY, BT, T, ONLY_B = "B T0 T1 T2 NC", "B T0 T1 T2", "T0 T1 T2", "B"

# first address, last address, who sees it, region
# fmt: off
PAGE = [
    (0x00000000, 0x0017FFFF, EVERY,  Region.L1),
    (0xFFB00000, 0xFFB00FFF, EVERY,  Region.LOCAL),
    (0xFFB01000, 0xFFB01FFF, "B NC", Region.LOCAL),
    (0xFFB11000, 0xFFB11FFF, BT,     Region.TDMA),
    (0xFFB12000, 0xFFB12FFF, EVERY,  Region.TILE_CONTROL),
    (0xFFB13000, 0xFFB13137, EVERY,  Region.PIC),
    (0xFFB14000, 0xFFB1DFFF, EVERY,  Region.SLOW_LOCAL),
    (0xFFB20000, 0xFFB2FFFF, EVERY,  Region.NOC0),
    (0xFFB30000, 0xFFB3FFFF, EVERY,  Region.NOC1),
    (0xFFB40000, 0xFFB7FFFF, EVERY,  Region.OVERLAY),
    (0xFFB80000, 0xFFB80023, T,      Region.MOP_CONFIG),
    (0xFFBD8000, 0xFFBDFFFF, T,      Region.DST),
    (0xFFE00000, 0xFFE00FFF, BT,     Region.GPR),
    (0xFFE40000, 0xFFE6FFFF, BT,     Region.PUSH),
    (0xFFE80000, 0xFFE8FFFF, BT,     Region.PCBUF),
    (0xFFE90000, 0xFFEAFFFF, ONLY_B, Region.PCBUF),
    (0xFFEC0000, 0xFFEC3FFF, BT,     Region.MAILBOX),
    (0xFFEF0000, 0xFFEFFFFF, BT,     Region.CONFIG),
]
# fmt: on
UNMAPPED = [0x00180000, 0x80000000, 0xFFAFFFFF, 0xFFB02000, 0xFFB10FFF, 0xFFB1E000, 0xFFB81000]
UNMAPPED += [0xFFBD7FFF, 0xFFBE0000, 0xFFE01000, 0xFFE70000, 0xFFEB0000, 0xFFEC4000, 0xFFFFFFFF]


@pytest.mark.parametrize(("first", "last", "harts", "region"), PAGE)
def test_a_row_of_the_map(first: int, last: int, harts: str, region: Region) -> None:
    for number, name in enumerate(HART_NAMES):
        seen = region if name in harts.split() else Region.NONE
        assert region_of(number, first) == seen, name
        assert region_of(number, last) == seen, name


@pytest.mark.parametrize("addr", UNMAPPED)
def test_nothing_is_mapped_in_between(addr: int) -> None:
    assert {region_of(hart, addr) for hart in range(5)} == {Region.NONE}


def test_the_same_local_address_is_another_byte_on_every_hart() -> None:
    places = {place_of(hart, 0xFFB00010) for hart in range(5)}
    assert len(places) == 5
    assert min(places) >= LOCAL_PLACE


@pytest.mark.parametrize(
    ("hart", "window"), [(0, 0xFFB14000), (4, 0xFFB16000), (1, 0xFFB18000), (2, 0xFFB1A000)]
)
def test_the_slow_window_shows_the_harts_own_bytes(hart: int, window: int) -> None:
    assert slow_local_offset(window + 0x123) == local_offset(hart, 0xFFB00123)
    for looking in range(5):
        assert place_of(looking, window + 4) == place_of(hart, 0xFFB00004)


def test_the_second_window_of_a_t_core_repeats_its_first() -> None:
    assert slow_local_offset(0xFFB1D008) == slow_local_offset(0xFFB1C008)
    assert slow_local_offset(0xFFB15008) != slow_local_offset(0xFFB14008)
