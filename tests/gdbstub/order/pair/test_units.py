# SPDX-License-Identifier: Apache-2.0
"""`check --pair` of a store and an instruction of a unit: what may come between is explored."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tests.programs.build import build

SOURCE = Path(__file__).with_name("units.c")
NO_WAIT, RIGHT, WRONG = 0, 1, 2
STALLS = {"matrix": "MATH", "unpacker": "UNPACK", "vector": "SFPU", "a MOP": "MATH"}
UNITS = list(STALLS)


@pytest.fixture(autouse=True)
def compiler(tool: Callable[[str], str]) -> None:
    tool("riscv64-unknown-elf-gcc")


def check(unit: str, wait: int, folder: Path) -> int:
    elf = folder / "t0.elf"
    build(SOURCE, "T0", elf, defines=(f"UNIT={UNITS.index(unit)}", f"WAIT={wait}"))
    return main(["check", "--pair", line("    CONFIG(WORD) ="), line("    PUSH;"), f"t0={elf}"])


def line(text: str) -> str:
    lines = SOURCE.read_text("utf-8").splitlines()
    (number,) = (number for number, one in enumerate(lines, 1) if one.startswith(text))
    return f"{SOURCE.name}:{number}"


@pytest.mark.sample(3, "four units, two kinds of mistake")
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("wait", [NO_WAIT, WRONG])
def test_without_the_wait_both_orders_are_possible(
    unit: str, wait: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(unit, wait, tmp_path) == 1
    said = capsys.readouterr().out
    if unit == "unpacker":  # nothing is configured for it, so the run ends there
        assert said.startswith("no: what is between the two has 2 outcomes\n")
        assert "no witness was found: the run ends with a fault when the UNPACR begins." in said
    else:
        assert said.startswith("no: both orders are possible\n")
    fix = f"TTI_STALLWAIT(p_stall::STALL_{STALLS[unit]}, p_stall::TRISC_CFG)"
    assert said.endswith(f"all orders of what is between the two: 2 outcomes; with {fix} 1\n")


@pytest.mark.sample(2, "four units")
@pytest.mark.parametrize("unit", UNITS)
def test_with_the_wait_the_order_is_certain(
    unit: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(unit, RIGHT, tmp_path) == 0
    assert capsys.readouterr().out == (
        "yes: what is between the two has 1 outcome\n\n"
        "all orders of what is between the two: 1 outcome\n"
    )


def test_the_line_of_a_call_names_the_store_that_is_inlined_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in kernels, which store by functions of headers."""
    elf, call = tmp_path / "t0.elf", line("    configure(WORD")
    build(SOURCE, "T0", elf, defines=("UNIT=0", f"WAIT={WRONG}", "CALLED"))
    assert main(["check", "--pair", call, line("    PUSH;"), f"t0={elf}"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("no: both orders are possible\n")
    assert re.search(rf"T0  +sw  +units\.h:\d+ configure .*\n +for main at {call}\n", said)
    assert "does not hold ELWADD: that takes p_stall::STALL_MATH" in said


def check_after(unit: str, after: int, folder: Path, second: str = "    AGAIN =") -> int:
    elf = folder / "t0.elf"
    defines = (f"UNIT={UNITS.index(unit)}", f"WAIT={RIGHT}", f"AFTER={after}")
    build(SOURCE, "T0", elf, defines=defines)
    return main(["check", "--pair", line("    PUSH;"), line(second), f"t0={elf}"])


NO_SYNC, SYNC, STALLWAIT, LOAD, PUSHED = range(5)


@pytest.mark.sample(2, "two units, two mistakes")
@pytest.mark.parametrize("unit", ["matrix", "vector"])
@pytest.mark.parametrize("after", [NO_SYNC, STALLWAIT])
def test_a_store_after_the_instruction_may_come_first(
    unit: str, after: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_after(unit, after, tmp_path) == 1
    said = capsys.readouterr().out
    assert said.startswith("no: ")
    assert said.endswith(
        "all orders of what is between the two: 2 outcomes; with tensix_sync() between the two 1\n"
    )


@pytest.mark.sample(2, "three units")
@pytest.mark.parametrize("unit", ["matrix", "vector", "a MOP"])
def test_a_store_after_tensix_sync_comes_later(
    unit: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_after(unit, SYNC, tmp_path) == 0
    assert capsys.readouterr().out.startswith("yes: what is between the two has 1 outcome\n")


def test_a_load_between_may_say_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_after("matrix", LOAD, tmp_path) in (1, 3)
    assert "between them is a load that may say what the thread has done" in capsys.readouterr().out


def test_both_pushed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_after("matrix", PUSHED, tmp_path, "    RMWCIB_ALU") == 0
    assert capsys.readouterr().out.startswith("yes: instructions of a thread begin in their order")
