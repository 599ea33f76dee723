# SPDX-License-Identifier: Apache-2.0
"""A tile that hangs, read through tt-exalens from our own simulator, is the tile's own core file in
all that the debug interface shows; the rest is unknown, and nowhere a zero."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS
from tensix_gdb.core.noc.state import BASES
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.tensix.corefile.elf import machine_from, read_core
from tests.forms import is_long
from tests.gdbstub.host.exalens.compare import differences, fields, said_otherwise, why_of
from tests.gdbstub.host.exalens.hangs import HANGS, company
from tests.gdbstub.host.exalens.ten import NAMES, of, read_all
from tests.tools import unavailable

pytestmark = pytest.mark.long("test_snapshot.py shows the same without the tools")

# The rest takes two seconds for each; test_snapshot.py shows the same of all without the tools.
READ = ["a loop", "a flag in L1", "a full FIFO", "a counter of the NoC"]
# Both take longest, so they are of these alone, in the long form. `python -m
# tests.gdbstub.host.exalens.ten` reads all of all.
SLOW = (NAMES.index(READ[0]),), (NAMES.index(READ[1]),)
WITH_DST, BY_LOADS = SLOW if is_long() else ((), ())
# What no hang hides, with cores that do not hang.
ALWAYS = {
    *("L1", "configuration", "thread configuration", "semaphores"),
    *("registers of the NIUs", "counters of the NIUs"),
    *(f"{what} of T{thread}" for what in ("GPRs", "wait gate", "PCBuf") for thread in range(3)),
    *("registers of B", "registers of T2", "mailbox from B to T2", "mailbox from T1 to B"),
    *(f"row counters {row}" for row in ("dst", "dst_cr", "src_a", "src_a_cr", "src_b", "src_b_cr")),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with a snapshot and the own core file of each hang."""
    if importlib.util.find_spec("ttexalens") is None:
        unavailable("tt-exalens is not installed: it is for Linux on x86-64")
    folder = tmp_path_factory.mktemp("hangs")
    read_all(folder, [NAMES.index(name) for name in READ], WITH_DST, BY_LOADS)
    return folder


@pytest.mark.parametrize("name", READ)
def test_what_is_known_is_as_it_is(files: Path, name: str) -> None:
    assert differences(of(files, name, "card"), of(files, name, "own")) == []


@pytest.mark.parametrize("name", READ)
def test_all_that_hardware_shows_is_known(files: Path, name: str) -> None:
    """And is there: the company has put something into each of them."""
    number, card = NAMES.index(name), of(files, name, "card")
    known = dict(fields(card, card.unknown))
    goes = company(number) | HANGS[name]
    local = {f"local RAM of {HART_NAMES[hart]}" for hart in range(HARTS) if hart in goes}
    assert ALWAYS | local | ({"Dst"} if number in WITH_DST else set()) <= set(known)
    S = card.S
    value = 0x1000 * (number + 1)
    assert S.gpr.word[2 * 64 + 5] == (value << 4) + 5
    assert S.config.word[0, 12] == value << 2
    assert S.config.thread[2, 15] == value
    assert S.niu.word[1, BASES[0]] == value << 1
    assert S.semaphore.value[7] == number + 1
    assert bytes(card.peek(3, 0xFFB00000, 4)) == (value << 8).to_bytes(4, "little")
    assert S.rwc.dst[2] == 5
    if number in WITH_DST:
        assert any(S.dst.bits[row, 0] == value + 77 for row in range(1024))


def test_undisturbed(files: Path) -> None:
    """No core halted: the rest is there all the same."""
    card = machine_from(read_core(str(files / "undisturbed.card")), "reference")
    assert differences(card, of(files, NAMES[0], "own")) == []
    assert {"local RAM of B", "local RAM of T2", "configuration"} <= set(
        dict(fields(card, card.unknown))
    )
    assert "leave out --undisturbed" in card.unknown["registers of B"]


@pytest.mark.parametrize("name", READ)
def test_why_says_the_same_or_that_it_cannot_be_known(files: Path, name: str) -> None:
    assert said_otherwise(of(files, name, "card"), of(files, name, "own")) == []


@pytest.mark.parametrize("name", READ)
def test_go_on(files: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """From each of them, with all that is assumed."""
    core = str(files / f"{NAMES.index(name)}.card")
    main(["run", "--from", core, "--max-cycles", "1500", "--engine", "reference"])
    unknown = of(files, name, "card").unknown
    assert f"assumed to be as after a reset: {', '.join(unknown)}\n" in capsys.readouterr().out
    assert {"mutexes", "SrcA and SrcB", "LRegs", "latched wait of T0"} <= set(unknown)
    # Its load is from an address that is not known.
    assert ("registers of T0" in unknown) == (
        name in {"a mailbox that no hart fills", "a full FIFO"}
    )


def test_the_counter_of_the_noc_that_nc_polls(files: Path) -> None:
    said = why_of(of(files, "a counter of the NoC", "card"))
    assert "the debug interface does not reach it: registers of NC" in said


def test_core_says_what_is_not_known(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["core", str(files / "0.card")]) == 0
    said = capsys.readouterr().out
    assert "Not known: what is shown of it means nothing" in said
    assert "LRegs: the debug interface does not show it" in said


def test_halted_cores_go_on(files: Path) -> None:
    own = of(files, "a flag in L1", "own")
    assert not own.S.hart.paused[0]
