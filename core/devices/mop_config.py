# SPDX-License-Identifier: Apache-2.0
"""MOP expander configuration: nine words per T core that can only be written.

WormholeB0 TensixCoprocessor/MOPExpander.md: a load is undefined behaviour. A debugger may look all
the same, because the emulator knows what was written.

UNSPECIFIED(MOPExpander.md): stores narrower than a word; they stop the hart.
"""

from tensix_gdb.core.arch.blackhole import T0, THREADS
from tensix_gdb.core.devices.registers import Access, Elsewhere, Register
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import Chapter, Part, Role, Tag, View, row
from tensix_gdb.core.stop import fault

MOP_CONFIG_BASE = 0xFFB80000  # TENSIX_MOP_CFG_BASE
WORDS = 9

MOP_CONFIG = Part(
    "mop_config",
    (
        row("word", "u32", (THREADS, WORDS), Tag.ARCHITECTURAL, "MopCfg of each thread"),
        row(
            "pc",
            "u32",
            (THREADS, WORDS),
            Tag.ARCHITECTURAL,
            "the store of each; 0: none",
            role=Role.PROGRESS,
        ),
    ),
    chapter=Chapter.DEVICES,
)
PARTS = (MOP_CONFIG,)

WINDOW = (
    Register(
        0x0,
        "MopCfg[{i}]",
        Access.WRITE_ONLY,
        "what a MOP of this core's thread expands to",
        count=WORDS,
        elsewhere=Elsewhere("mop_config.word", lambda hart, copy, i: (hart - T0, i)),
    ),
)


def peek(S: View, hart: int, addr: int) -> int:
    """Return the word that was written, or -1."""
    index = (addr - MOP_CONFIG_BASE) >> 2
    return S.mop_config.word[hart - T0, index] if index < WORDS else -1


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Undefined behaviour."""
    if addr - MOP_CONFIG_BASE >= WORDS * 4:
        return fault(S, hart, Fault.LOAD_UNMAPPED, addr, size)
    return fault(S, hart, Fault.LOAD_WRITE_ONLY, addr, size)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """Each T core has the configuration of its own thread here."""
    if addr - MOP_CONFIG_BASE >= WORDS * 4:
        return fault(S, hart, Fault.STORE_UNMAPPED, addr, size)
    if size != 4:
        return fault(S, hart, Fault.STORE_WIDTH, addr, size)
    index = (addr - MOP_CONFIG_BASE) >> 2
    S.mop_config.word[hart - T0, index] = value
    S.mop_config.pc[hart - T0, index] = S.request.pc
    return 0
