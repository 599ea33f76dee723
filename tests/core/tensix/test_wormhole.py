# SPDX-License-Identifier: Apache-2.0
"""`--arch wormhole`: instructions by Wormhole's encodings, and which functions execute them.

What differs in the control units is in vectors/wormhole.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.isa.architecture import DIALECTS, Arch
from tensix_gdb.core.tensix.instruction import Status, Unit
from tensix_gdb.core.tensix.table import rows_of
from tensix_gdb.gdbstub.cli.main import main
from tests.assembler import EBREAK, asm, li
from tests.core.tensix.programs import ttinsn
from tests.elf_maker import make_elf, words

# Units that compute.
DATA = {Unit.FPU, Unit.SFPU, Unit.UNPACKER, Unit.PACKER}


@pytest.mark.parametrize("arch", [Arch.BLACKHOLE, Arch.WORMHOLE])
def test_nothing_that_is_documented_is_left_out(arch: Arch) -> None:
    assert not [row for row in rows_of(arch) if row.status is Status.NOT_YET]


# Rows of units that compute which both chips execute with one function: Wormhole's page has been
# read against it.
SHARED = {
    *("ZEROSRC", "TRNSPSRCB", "SHIFTXA", "GATESRCRST", "CLEARDVALID", "SETRWC", "INCRWC"),
    "CLREXPHIST",
    *(
        "SFPLOADI",
        "SFPDIVP2",
        "SFPEXEXP",
        "SFPEXMAN",
        "SFPIADD",
        "SFPSETCC",
        "SFPMOV",
        "SFPABS",
        "SFPNOT",
        "SFPLZ",
        "SFPSETEXP",
        "SFPSETMAN",
        "SFPSETSGN",
        "SFPENCC",
        "SFPCOMPC",
        "SFPTRANSP",
        "SFPXOR",
        "SFPCONFIG",
        "SFPSWAP",
        "SFPSHFT2.Imm",
        "SFPNOP",
    ),
}


def test_nothing_computes_with_the_meaning_of_blackhole() -> None:
    """A row that both chips have is of a control unit, or was read on Wormhole's page."""
    both = [row for row in rows_of(Arch.WORMHOLE) if row.arch is Arch.BOTH and row.function]
    assert {row.name for row in both if row.unit in DATA} == SHARED


SEMAPHORE_1 = 0xFFE80024
BASE = 0x6000


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("arch", ["blackhole", "wormhole"])
def test_run(tmp_path: Path, arch: str, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Litmus 36 from the command line: a SEMWAIT behind a latched wait that nothing ends.

    On Blackhole it waits, on Wormhole it replaces that wait, and the SEMPOST behind it passes.
    """
    dialect = DIALECTS[arch]
    never = "C7" if arch == "blackhole" else "C10"  # SrcA is not the Matrix Unit's
    texts = [
        "SEMINIT new_max=15, new_value=0, sem=S0|S1",
        f"STALLWAIT block=B6, wait={never}",
        "SEMWAIT block=B6, sem=S0, wait=C0",
        "SEMPOST sem=S1",
    ]
    program = [ttinsn(parse(text, dialect)) for text in texts] + [asm("addi")] * 40
    program += [*li(5, SEMAPHORE_1), asm("lw", rd=10, rs1=5), asm("beq", rs1=10, imm=8), EBREAK]
    posted = BASE + 4 * (len(program) - 1)
    program += [EBREAK]
    elf = tmp_path / "t0.elf"
    elf.write_bytes(make_elf([(BASE, words(*program))], entry=BASE))
    main(["run", f"--elf=t0={elf}", "--arch", arch, "--engine", engine])
    out, _ = capsys.readouterr()
    stopped_at = posted if arch == "wormhole" else posted + 4
    assert f"T0: paused at {stopped_at:#010x}" in out, out
    waits = "STALLWAIT block=B6" in out
    assert waits is (arch == "blackhole")
