# SPDX-License-Identifier: Apache-2.0
"""`--arch wormhole`: the control units by Wormhole's encodings; data instructions stop by name.

What differs in the control units is in vectors/wormhole.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.assembly.tensix_text import parse
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import DIALECTS, Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.instruction import Instruction, Status, Unit
from tensix_gdb.core.tensix.table import rows_of
from tensix_gdb.gdbstub.cli.main import main
from tests.assembler import EBREAK, asm, li
from tests.core.tensix.drive import run
from tests.core.tensix.programs import ttinsn
from tests.elf_maker import make_elf, words

# Units that compute.
DATA = {Unit.FPU, Unit.SFPU, Unit.UNPACKER, Unit.PACKER}
NOT_YET = [row for row in rows_of(Arch.WORMHOLE) if row.status is Status.NOT_YET]


def test_no_control_unit_is_left_out() -> None:
    assert NOT_YET
    assert {row.unit for row in NOT_YET} <= DATA
    # On Blackhole nothing that is documented is.
    assert not [row for row in rows_of(Arch.BLACKHOLE) if row.status is Status.NOT_YET]


@pytest.mark.parametrize("row", NOT_YET, ids=lambda row: str(row.name))
def test_data_instructions_stop_by_name(row: Instruction) -> None:
    machine = Machine(engine="reference", arch=Arch.WORMHOLE)
    S = machine.record.S
    for source in range(2):
        S.busy.src_client[source, 0] = 1  # so that it need not wait for its banks
    stop = run(machine, {T0: [ttinsn(row.encoding.match)]})
    assert stop is not None
    assert stop.kind is StopKind.FAULT
    assert stop.code == Fault.TENSIX_WORMHOLE
    assert f"UnimplementedFunctionality: {row.mnemonic}" in stop.text
    assert f"what {row.page} has of it is not modelled yet" in stop.text
    machine.close()


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
    waits = "held at the gate by STALLWAIT block=B6" in out
    assert waits is (arch == "blackhole")
