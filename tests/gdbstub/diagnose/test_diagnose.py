# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb diagnose`: the cause of small programs that fail, each in its own way.

tests/examples/test_planted.py has it of whole kernels.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from tensix_gdb.core.origin.shown import Left, Origin, Setting
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.cli.options.again import diagnose_again, typed_again
from tensix_gdb.gdbstub.cli.parser import parse
from tensix_gdb.gdbstub.diagnose.causes import CAUSES, Cause
from tensix_gdb.gdbstub.diagnose.chain import Chain
from tensix_gdb.gdbstub.diagnose.evidence import Evidence, Symptom
from tensix_gdb.gdbstub.diagnose.found import Found
from tensix_gdb.gdbstub.diagnose.page import rank
from tensix_gdb.gdbstub.diagnose.ranked import BLOCK, table
from tensix_gdb.gdbstub.diagnose.reported import without_templates
from tests.assembler import asm, li
from tests.elf_maker import make_elf, words

FLAG, OUT = 0x20000, 0x30000
EBREAK, NOP = asm("ebreak"), asm("addi", rd=0, rs1=0, imm=0)
# CSR 0x7c0 bit 3 keeps the L0 cache on, bit 24 keeps its lines: as tt-metal sets them.
NO_FLUSH = [*li(6, 8), 0x7C033073, *li(6, 1 << 24), 0x7C032073]
POLL = [*li(10, FLAG), asm("lw", rd=11, rs1=10, imm=0), asm("beq", rs1=11, rs2=0, imm=-4), EBREAK]
STORE = [*li(10, FLAG), *li(11, 7), asm("sw", rs2=11, rs1=10, imm=0), EBREAK]
WAITS = 60  # instructions: in `latency` long enough
READ_LATE = [
    *(*li(10, FLAG), *li(12, OUT), *([NOP] * WAITS)),
    *(asm("lw", rd=11, rs1=10, imm=0), asm("sw", rs2=11, rs1=12, imm=0), EBREAK),
]
FAULTY = [*li(10, 0xFFFF0000), asm("lw", rd=11, rs1=10, imm=0), EBREAK]
ENTRY = {"b": 0, "t0": 0x6000, "t1": 0xA000}
Typed = Callable[..., tuple[int, list[str]]]


@pytest.fixture
def typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    """Diagnose programs of harts; the exit status and the page's lines."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def diagnose(*options: str, **programs: list[int]) -> tuple[int, list[str]]:
        for hart, code in programs.items():
            entry = ENTRY[hart]
            Path(f"{hart}.elf").write_bytes(make_elf([(entry, words(*code))], entry=entry))
        status = main(["diagnose", "--dir=.", *options])
        out, err = capsys.readouterr()
        assert err == ""
        return status, out.splitlines()

    return diagnose


def likely(lines: list[str]) -> str:
    """The first line about the most likely cause."""
    return next(line for line in lines if re.match(r"(most likely|found) \(", line))


def test_a_fault(typed: Typed) -> None:
    status, lines = typed(b=FAULTY)
    assert status == 1
    assert lines[0] == "the program stops at a fault"
    assert likely(lines).startswith("most likely (fault): B at 0x0000000")
    assert any(line.startswith("    Remedy: ") for line in lines)
    assert lines[-1] == "next: tensix-gdb gdb --dir .  # then `continue`, `monitor why`"


def test_a_poll_that_nothing_ends(typed: Typed) -> None:
    """A tile that is expected is not compared: nothing has come to compute it."""
    np.save("wanted.npy", np.zeros((1, 16)))
    status, lines = typed(f"--expect={OUT:#x}=wanted.npy:uint32,rows", t0=POLL)
    assert status == 1
    assert lines[0] == "the program hangs: it is proved that nothing can move any more"
    assert lines[2].startswith("    the expected tiles are not compared")
    assert likely(lines).startswith(f"most likely (hang): T0: polls L1 {FLAG:#x}, at 0x000060")
    assert "    no instruction has written it" in lines


def test_an_old_copy_comes_before_the_poll_that_reads_it(typed: Typed) -> None:
    """In the L0 cache the word stays 0: the store is not said to be missing."""
    late = [*([NOP] * WAITS), *STORE]
    status, lines = typed("--max-cycles=20000", t0=[*NO_FLUSH, *POLL], b=late)
    assert status == 1
    assert likely(lines).startswith("most likely (old copy that is polled): M11 ")
    assert any("a `fence` (invalidate_l1_cache)" in line for line in lines)
    assert any(line.startswith("    (hang) T0: polls") for line in lines)


def test_bytes_that_nothing_has_written(typed: Typed) -> None:
    wanted = np.zeros((1, 16))
    wanted[0, :3] = 7
    np.save("wanted.npy", wanted)
    status, lines = typed(f"--expect={FLAG:#x}=wanted.npy:uint32,rows", b=STORE)
    assert status == 1
    assert lines[0] == "the program ends, and a tile is not as expected"
    assert "no instruction has written 0x20004 to 0x2003f" in likely(lines)
    assert any(line.startswith("    B wrote last before it") for line in lines)
    (last,) = [line for line in lines if line.startswith("next: ")]
    command = parse(shlex.split(last)[2:])
    assert command.command == "origin"
    assert command.options.diff == f"{FLAG:#x}=wanted.npy:uint32,rows"


def test_a_race_is_found_in_a_run_that_ends_as_wanted(typed: Typed) -> None:
    status, lines = typed(t0=STORE, t1=READ_LATE)
    assert status == 1
    assert lines[0].startswith("the program ends as wanted")
    assert likely(lines).startswith("found (race on data): RACE 1  write, then read: once")
    assert "--late 1" in "".join(lines)


def test_nothing_is_found(typed: Typed) -> None:
    status, lines = typed("--seeds=2", b=STORE)
    assert status == 0
    assert "nothing found" in lines
    assert "    no race on data" in lines
    assert lines[-1] == "other orders: all 2 seeds are as wanted"


def test_other_orders_are_looked_at_last(typed: Typed) -> None:
    """A suppressed race is no cause; that the tile depends on the order still is."""
    Path("known").write_text("page *  for this test\n")
    wanted = np.zeros((1, 16))
    wanted[0, 0] = 7
    np.save("seen.npy", wanted)
    expected = f"--expect={OUT:#x}=seen.npy:uint32,rows"
    status, lines = typed("--races-suppressions=known", expected, t0=STORE, t1=READ_LATE)
    assert status == 1
    assert "nothing found" in lines
    assert any(line.startswith("a wait for another thread is missing") for line in lines)


def test_in_sc_nothing_is_ruled_out(typed: Typed) -> None:
    status, lines = typed("--schedule=sc", b=STORE)
    assert status == 0
    assert "ruled out:" not in lines


@pytest.mark.parametrize("option", ["--firmware=.", "--seeds=-1"])
def test_what_cannot_be_diagnosed(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", option]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"tensix-gdb: [^\n]+\n", err)


def test_options_are_typed_again() -> None:
    """The options that a page names parse to the same ones."""
    given = ["--elf=b=a b.elf", "--bin=0x100=x", "--tile=0x0=f:bf16", "--arch=wormhole"]
    given += ["--schedule=random:7", "--max-cycles=5", "--buffer=0x21000+2048", "--expect=1=g:bf16"]
    first = parse(["run", *given]).options
    line = diagnose_again(first.programs, first, first.tiles, first.races)
    again = parse(shlex.split(line.strip("`").removeprefix("why: `"))[1:]).options
    assert again.programs == first.programs
    assert (again.max_cycles, again.buffer) == (5, first.races.buffer)
    assert again.expect == first.tiles.expect
    assert typed_again(parse(["run", "--dir=x"]).options) == "--dir x"


class _Evidence:
    """The attributes that `rank` looks at."""

    symptom, is_observed = Symptom.WRONG_TILE, True


def test_the_rows_decide_the_order() -> None:
    """The first row that finds something leads; a report counts once; a last resort is not asked
    where another row has found something."""

    def finds(*found: Found) -> Callable[[Evidence], Iterator[Found]]:
        return lambda evidence: iter(found)

    ours = frozenset({Symptom.WRONG_TILE})
    rows = (
        Cause("another", "", frozenset({Symptom.HANG}), finds(Found("of a hang"))),
        Cause("none", "", ours, finds(), "not this"),
        Cause("first", "", ours, finds(Found("a", report=1), Found("b", report=2))),
        Cause("second", "", ours, finds(Found("b again", report=2), Found("c"))),
        Cause("last", "", ours, finds(Found("d")), alone=True),
    )
    ranking = rank(cast(Evidence, _Evidence()), rows)
    assert [(cause.name, one.title) for cause, one in ranking.found] == [
        ("first", "a"), ("first", "b"), ("second", "c"),
    ]  # fmt: skip
    assert ranking.ruled_out == ["not this"]
    alone = rank(cast(Evidence, _Evidence()), rows[-1:])
    assert [one.title for _, one in alone.found] == ["d"]
    assert len({cause.name for cause in CAUSES}) == len(CAUSES)


def test_the_manual_has_the_rows() -> None:
    assert BLOCK.read() == table(), f"run `{BLOCK.maker}`"


def test_templates_are_left_out() -> None:
    assert without_templates("_f_<(a::B)0, c<d>> at x.h:1") == "_f_ at x.h:1"
    assert without_templates("LReg 2 < 0 and 3 > 1") == "LReg 2 < 0 and 3 > 1"


def test_lanes_that_were_off_are_named() -> None:
    """The instruction that has switched them off leads, where nothing else explains the datum."""
    flags, use = Setting("lane flags", 0, "SFPSETCC", 3), Setting("use", 1, "SFPENCC", 1)
    left = Left("SFPSTORE at a.c:9", "SFPSTORE at a.c:9", 5, flags, use, {2})
    step = Origin("dst 0.2", ["0x0080"], left=[left])
    (cause, one), *others = rank(cast(Evidence, _Datum(Chain([step])))).found
    assert (cause.name, others) == ("lanes off", [])
    assert (
        "left as it was by SFPSTORE at a.c:9: lane 2 was off, lane flags by SFPSETCC" in one.title
    )


class _Datum:
    """The attributes of a wrong datum of which only the chain is known."""

    symptom, is_observed, reports, odd_moves = Symptom.WRONG_TILE, True, (), ()
    unwritten, wrong, files, left_out = None, None, None, ()

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
