# SPDX-License-Identifier: Apache-2.0
"""README.md and core/isa/README.md have the tables and explanations of the rows as they are."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tensix_gdb.core.explain.instruction.block import Generated
from tensix_gdb.core.explain.instruction.pages import EXPLAINED, PARTS
from tensix_gdb.core.explain.instruction.table import by_unit, facts_of, markdown, table
from tensix_gdb.core.explain.instruction.tensix import page
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.tensix.table import rows_of


@pytest.mark.parametrize(("block", "part"), PARTS, ids=lambda one: getattr(one, "name", ""))
def test_pages_are_fresh(block: Generated, part: Callable[[], str]) -> None:
    assert part() == block.read(), f"run `{block.maker}`"


def test_what_is_explained() -> None:
    heads = [text.replace("(", " ").split()[0] for text in EXPLAINED]
    assert heads == ["STALLWAIT", "SEMWAIT", "MOP", "WRCFG", "s_waitcnt", "WAIT"]


def test_tables_have_every_row() -> None:
    for arch, opcodes in ((Arch.BLACKHOLE, 137), (Arch.WORMHOLE, 128)):
        rows = rows_of(arch)
        for made in (table(rows, arch), markdown(rows, arch)):
            lines = made.splitlines()
            assert len(lines) - 1 - ("---" in made) == len(rows)
            assert all(row.name in made and page(row, arch) in made for row in rows)
        assert f"| all | {opcodes} |" in by_unit(rows)
        assert len({facts_of(row, arch)["name"] for row in rows}) == len(rows)
