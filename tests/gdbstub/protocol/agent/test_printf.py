# SPDX-License-Identifier: Apache-2.0
"""printf's conversions, as C has them: values of 64 bits, flags, widths, precisions."""

from __future__ import annotations

import pytest

from tensix_gdb.gdbstub.protocol.agent.printf import formatted


@pytest.mark.parametrize(("form", "value", "text"), [
    ("%d",     (1 << 64) - 5, "-5"),       ("%u",     0xFFFFFFFB, "4294967291"),
    ("%5d|",   7,             "    7|"),   ("%-5d|",  7,          "7    |"),
    ("%05d",   7,             "00007"),    ("%05d",   -7,         "-0007"),
    ("%.3d",   7,             "007"),      ("%08.3d", 7,          "     007"),
    ("%-08d|", 7,             "7       |"), ("%+d",   7,          "+7"),
    ("%x",     255,           "ff"),       ("%#X",    255,        "0XFF"),
    ("%#06x",  255,           "0x00ff"),   ("%c",     65,         "A"),
    ("%hhd",   0x180,         "-128"),     ("%lld",   1 << 40,    "1099511627776"),
    ("%.2s|",  0x100,         "ab|"),      ("%5s",    0x100,      "  abc"),
])  # fmt: skip
def test_a_conversion(form: str, value: int, text: str) -> None:
    assert formatted(form, [value], lambda addr, most: {0x100: b"abc"}[addr][:most]) == text
