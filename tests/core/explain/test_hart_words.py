# SPDX-License-Identifier: Apache-2.0
"""Floating-point and vector words of the harts, explained."""

from __future__ import annotations

import pytest

from tensix_gdb.core.assembly.rv32_read import parse
from tensix_gdb.core.explain.instruction.riscv import explain_riscv

WORDS = [
    ("fmadd.s fa0,fa1,fa2,fa3", ["f13", "f12", "f11", "7", "f10"]),
    ("fcvt.w.s a0,fa0,rtz", ["f10", "1", "x10"]),
    ("vfmacc.vf v12,fa0,v8", ["0x2c", "1", "v8", "f10", "v12"]),
    ("vadd.vx v1,v2,a3,v0.t", ["0x0", "0", "v2", "x13", "v1"]),
    ("vadd.vi v1,v2,5", ["0x0", "1", "v2", "5", "v1"]),
    ("vcpop.m a0,v3", ["0x10", "1", "v3", "16", "v10"]),
    ("vlse32.v v8,(a1),a2", ["0", "2", "1", "12", "x11", "v8"]),
]


@pytest.mark.parametrize(("text", "fields"), WORDS)
def test_fields(text: str, fields: list[str]) -> None:
    found = explain_riscv(parse(text))
    assert found.text == text
    assert [field.text for field in found.fields] == fields


def test_what_the_harts_do_not_have() -> None:
    for word in (0x18C5F553, 0x82855657, 0x02053507):  # fdiv.s, vfdiv.vf, fld
        assert "No instruction" in explain_riscv(word).summary
