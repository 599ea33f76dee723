# SPDX-License-Identifier: Apache-2.0
"""A kernel with LLK and SFPI's value types, compiled by SFPI, gives the right tiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.kernels import project
from tensix_gdb.gdbstub.kernels.sfpi.find import Place
from tests.gdbstub.kernels.kernels import want_llk
from tests.gdbstub.kernels.sfpi.installed import installed_sfpi

# After two tiles are added, the sums above LIMIT are doubled: 32 vectors of 32 lanes are a tile.
LIMIT = 32
INCLUDE, CALL = '#include "llk_math_common.h"', "        _llk_math_dest_section_done_<SYNC"
INITIALISED = "<ADD, NONE, FIDELITY, REUSE>(SHAPE, false);"
VALUES = """
#include "llk_math_eltwise_unary_sfpu.h"
#include "sfpi.h"

static void double_large_ones()
{
    for (int vector = 0; vector < 32; ++vector)
    {
        sfpi::vFloat sum = sfpi::dst_reg[0];
        v_if (sum > LIMIT.0f)
        {
            sum = sum * 2.0f;
        }
        v_endif;
        sfpi::dst_reg[0] = sum;
        sfpi::dst_reg++;
    }
}
"""
ONCE = "    _llk_math_eltwise_unary_sfpu_init_once_();"
DONE = """        _llk_math_eltwise_sfpu_start_(0);
        double_large_ones();
        _llk_math_eltwise_sfpu_done_();
"""


@pytest.fixture
def sfpi(monkeypatch: pytest.MonkeyPatch) -> Place:
    return installed_sfpi(monkeypatch)


@pytest.mark.long("tests/gdbstub/kernels: Debian's compiler builds the same kernel")
@pytest.mark.parametrize("arch", [Arch.BLACKHOLE, Arch.WORMHOLE])
def test_values_of_sfpi(
    sfpi: Place, arch: Arch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    want_llk()
    folder = tmp_path / "mine"
    project.write_project(folder, "add.cpp", arch)
    kernel = folder / "add.cpp"
    text = kernel.read_text("utf-8")
    values = VALUES.replace("LIMIT", str(LIMIT))
    for old, new in (
        (INCLUDE, INCLUDE + values),
        (INITIALISED, f"{INITIALISED}\n{ONCE}"),
        (CALL, DONE + CALL),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    kernel.write_text(text, "utf-8")
    (folder / "sum.npy").write_bytes(project.tiles(wanted))
    chip, out = project.chip(arch), str(folder / "build")
    assert main(["build", *chip, str(kernel), "-o", out]) == 0
    assert "with SFPI " in capsys.readouterr().out
    typed = [word.replace("=", f"={folder}/") for one in project.FILES for word in one.split()]
    assert main(["run", *chip, "--engine", "reference", "--dir", out, *typed]) == 0
    assert "all 4096 datums of 128x32" in capsys.readouterr().out


def wanted(tile: int, row: int, column: int) -> float:
    total = column + 32 * tile + 2 * row
    return 2 * total if total > LIMIT else total
