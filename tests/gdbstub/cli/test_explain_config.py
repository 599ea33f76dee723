# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb explain --config`: fields, words and instructions, as text and JSON."""

from __future__ import annotations

import json

import pytest

from tensix_gdb.core.tiles.configuration.packer import pack
from tensix_gdb.core.tiles.formats import FORMATS
from tensix_gdb.gdbstub.cli.main import main
from tests.gdbstub.cli.test_wrong_input import refusal


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything of a field is in its line."""
    monkeypatch.setenv("COLUMNS", "200")


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["explain", "--config", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out.splitlines()


def test_a_unit_and_a_format(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "pack", "fp32", "bfp8")
    assert lines[0] == "pack bfp8: Dst as fp32 to L1 at 0x40000"
    rows = [line.split() for line in lines]
    (section,) = [row for row in rows if "THCON_SEC0_REG1_Exp_section_size" in row]
    assert section[:4] == ["Config[68]", "31:16", "4", "THCON_SEC0_REG1_Exp_section_size"]
    assert section[-1] == "Packers/OutputAddressGenerator.md"
    assert ["Config[70]", "0x00000561"] in rows
    assert "Once, in T2:" in lines
    assert lines[-1] == "  PACR addr_mod=1, last=1"


def test_every_format_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    for unit in ("unpack", "math", "pack"):
        lines = shown(capsys, unit)
        assert [line.split()[0] for line in lines] == ["format", *FORMATS]


def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads("\n".join(shown(capsys, "pack", "bf16", "--json")))
    assert found["tile"] == list(pack("bf16").runs)
    assert {"name", "space", "word", "low", "width", "value", "why", "page"} == set(
        found["fields"][0]
    )


def test_of_wormhole(capsys: pytest.CaptureFixture[str]) -> None:
    """Its words and its fields: SrcA's format is said by a field, and one packer counts through."""
    rows = [line.split() for line in shown(capsys, "math", "bf16", "--arch", "wormhole")]
    (given,) = [row for row in rows if "ALU_FORMAT_SPEC_REG0_SrcA" in row]
    assert given[:3] == ["Config[1]", "20:17", "5"]
    assert not any("DISABLE_IMPLIED" in word for row in rows for word in row)
    packs = [line.strip() for line in shown(capsys, "pack", "bf16", "--arch", "wormhole")]
    assert "SETADCXX pk=1, x1_val=63, x0_val=0" in packs
    (read,) = [line.split() for line in packs if "PCK_DEST_RD_CTRL_Read_32b_data" in line]
    assert read[0] == "Config[14]"
    (first, *_) = shown(capsys, "pack", "bf16", "--c", "--arch", "wormhole")
    assert first == "/* pack bf16: Dst as bf16 to L1 at 0x40000. Once, in T2: */"


def test_formats_that_a_chip_has(capsys: pytest.CaptureFixture[str]) -> None:
    for unit in ("unpack", "math", "pack"):
        lines = shown(capsys, unit, "--arch", "wormhole")
        here = [name for name in FORMATS if name != "fp8_e4m3"]
        assert [line.split()[0] for line in lines] == ["format", *here]


# fmt: off
WRONG = {
    "fpu bf16": "'fpu' is no unit: type one of unpack, math, pack",
    "unpack --json": "type unpack FORMAT [FORMAT] [srca|srcb|dst]",
    "unpack bf16 bf16 bf16 dst": "type unpack FORMAT [FORMAT] [srca|srcb|dst]",
    "math bf16 fp32 fp32": "type math FORMAT [FORMAT-OF-DST]",
    "pack b16": "'b16' is no format",
    "pack bf16 int8": "the packer makes no int8 of bf16 in Dst (Packers/FormatConversion.md)",
    "unpack fp8_e4m3 --arch wormhole": "unpackers of Wormhole take e5m2 alone, which is fp8",
    "unpack bf16 --arch gfx9": "--config knows blackhole and wormhole: leave out --arch gfx9",
}
# fmt: on


@pytest.mark.parametrize("words", WRONG)
def test_typed_wrong(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert WRONG[words] in refusal(f"explain --config {words}", capsys)
