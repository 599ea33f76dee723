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


# fmt: off
WRONG = {
    "fpu bf16": "'fpu' is no unit: type one of unpack, math, pack",
    "unpack --json": "type unpack FORMAT [FORMAT] [srca|srcb|dst]",
    "unpack bf16 bf16 bf16 dst": "type unpack FORMAT [FORMAT] [srca|srcb|dst]",
    "math bf16 fp32 fp32": "type math FORMAT [FORMAT-OF-DST]",
    "pack b16": "'b16' is no format",
    "pack bf16 int8": "the packer makes no int8 of bf16 in Dst (Packers/FormatConversion.md)",
    "unpack bf16 --arch wormhole": "knows Blackhole's fields only: leave out --arch wormhole",
}
# fmt: on


@pytest.mark.parametrize("words", WRONG)
def test_typed_wrong(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert WRONG[words] in refusal(f"explain --config {words}", capsys)
