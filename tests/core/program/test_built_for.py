# SPDX-License-Identifier: Apache-2.0
"""For which chip a program was built, by its RISC-V attributes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.core.program.built_for import built_for
from tensix_gdb.core.program.elf import Image, Segment, read_elf
from tests.programs.build import DEMO


class Attributes(Image):
    """An image with only attributes."""

    def section(self, name: str) -> tuple[int, bytes] | None:
        assert name == ".riscv.attributes"
        return (0, self.content) if self.content else None


# fmt: off
SEEN = {
    "":                                                            None,
    "rv32i2p1_m2p0_zicsr2p0":                                      None,
    "rv32i2p1_m2p0_zicsr2p0_zmmul1p0_zba1p0_zbb1p0":               ("Blackhole", "Zba"),
    "rv32i2p0_m2p0_zmmul1p0_zaamo1p0_xtttensixbh1p0_xttzbkb1p0":  ("Blackhole", "Xtttensixbh"),
    "rv32i2p0_m2p0_xtttensixwh1p0":                                ("Wormhole", "Xtttensixwh"),
    "rv32i2p0_m2p0_xttbh1p0":                                      ("Blackhole", "Xttbh"),
}
# fmt: on


@pytest.mark.parametrize("arch", SEEN)
def test_attributes(arch: str) -> None:
    content = b"A\x41\0\0\0riscv\0\x01\x37\0\0\0\x05" + arch.encode() + b"\0" if arch else b""
    assert built_for(Attributes(Path("x"), 0, (Segment(0, b""),), content)) == SEEN[arch]


def test_a_program_of_the_demo() -> None:
    assert built_for(read_elf(DEMO / "t0.elf")) == ("Blackhole", "Zba")
