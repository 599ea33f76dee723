# SPDX-License-Identifier: Apache-2.0
"""The tables of instructions in the manual and core/isa/README.md, made from the rows.

`python -m tensix_gdb.core.explain.instruction.pages` puts it between the marks in all pages, which
is done after every change of a row; a test compares.
"""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.explain.instruction.any_machine import explain
from tensix_gdb.core.explain.instruction.block import MANUAL, ROOT, Generated
from tensix_gdb.core.explain.instruction.table import by_unit, markdown, meanings
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.tensix.table import rows_of

TABLES = ROOT / "core/isa/README.md"
# What the manual explains: the text after `tensix-gdb explain`.
EXPLAINED = (
    "STALLWAIT(B3, C10)",
    "SEMWAIT block=B6, sem=S1, wait=C0",
    "MOP template=DOUBLE_LOOP",
    "WRCFG input_reg=G4, cfg_index=THCON_SEC0_REG3_Base_address",
    "s_waitcnt vmcnt(1) lgkmcnt(0)",
    "WAIT 0xf0:ub",
)


def explanations() -> str:
    """Return each of EXPLAINED as printed, folded."""
    return "".join(
        f"<details><summary><code>tensix-gdb explain '{text}'</code></summary>\n\n"
        f"```\n{explain(text).show()}```\n\n</details>\n"
        for text in EXPLAINED
    )


def instructions() -> str:
    """Opcodes by unit on Blackhole."""
    return by_unit(rows_of(Arch.BLACKHOLE))


def opcodes() -> str:
    """Return the table of Blackhole's instructions and their meanings."""
    return meanings(rows_of(Arch.BLACKHOLE))


def whole_table(arch: Arch) -> Callable[[], str]:
    """Makes the table of an architecture, a row for each opcode."""
    return lambda: markdown(rows_of(arch), arch)


MAKER = "python -m tensix_gdb.core.explain.instruction.pages"
PARTS: tuple[tuple[Generated, Callable[[], str]], ...] = (
    (Generated("instructions", MAKER, MANUAL / "instructions.md"), instructions),
    (Generated("explanations", MAKER, MANUAL / "explanations.md"), explanations),
    (Generated("opcodes", MAKER, MANUAL / "opcodes.md"), opcodes),
    (Generated("blackhole", MAKER, TABLES), whole_table(Arch.BLACKHOLE)),
    (Generated("wormhole", MAKER, TABLES), whole_table(Arch.WORMHOLE)),
)

if __name__ == "__main__":
    for block, part in PARTS:
        block.write(part())
