# SPDX-License-Identifier: Apache-2.0
"""The debug daisychain: 128 bits of internal signals at a time (WormholeB0 DebugDaisychain.md).

DBG_BUS_CNTL_REG selects, DBG_RD_DATA shows 32 bits of the selection. Of the some 1,300 signals that
tt-exalens names for Blackhole (functional_worker_debug_bus_signals.py) the pcs are there, which its
`get_pc` reads: of each core, `*_pc` (the frontend's) and `*_dbg_obs_cmt_pc` (the one retired last).

UNSPECIFIED(DebugDaisychain.md): selections that nobody names; 0 is read. Both pcs are that of the
next instruction, because nothing is between the frontend and retirement in the schedule `sc`.
"""

from tensix_gdb.core.arch.blackhole import NC, T0, T1, T2, B
from tensix_gdb.core.devices.registers import Access, Bits, Register
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.reset import next_pc

SELDOM = True  # little time of LLVM for it (core/engine/README.md)

ENABLED = 1 << 29
DAISY_RISCV = 7
FRONTEND_MASK = 0x3FFFFFFF
RETIRED_MASK = 0x7FFFFFFF

# SignalSel of the group with a core's `*_dbg_obs_cmt_pc`; the next one has its `*_pc`.
SIGNALS = ((10, B), (12, T0), (14, T1), (16, T2), (24, NC))
FIRST_SIGNAL, LAST_SIGNAL = 10, 25
HART_OF_SIGNAL = tuple(
    next((hart for signal, hart in SIGNALS if n in (signal, signal + 1)), -1)
    for n in range(LAST_SIGNAL + 1)
)


def control(S: View, hart: int, addr: int) -> int:
    """DBG_BUS_CNTL_REG."""
    return S.tile_control.bus_control


def set_control(S: View, hart: int, addr: int, value: int) -> int:
    """Select a group of signals and which 32 bits of it."""
    S.tile_control.bus_control = value
    return 0


def data(S: View, hart: int, addr: int) -> int:
    """DBG_RD_DATA."""
    selected = S.tile_control.bus_control
    signal = selected & 0xFFFF
    if not selected & ENABLED or (selected >> 16) & 0xFF != DAISY_RISCV or signal > LAST_SIGNAL:
        return 0
    of = HART_OF_SIGNAL[signal]
    if of < 0:
        return 0
    word = (selected >> 25) & 3
    if signal & 1:
        return next_pc(S, of) & FRONTEND_MASK if word == 1 else 0
    return next_pc(S, of) & RETIRED_MASK if word == 0 else 0


_PAGE = "WormholeB0 DebugDaisychain.md"

REGISTERS = (
    Register(
        0x054,
        "DBG_BUS_CNTL_REG",
        Access.READ_WRITE,
        "selects 32 bits of internal signals",
        peek=control,
        write=set_control,
        page=_PAGE,
        fields=(
            Bits(0, 16, "SignalSel"),
            Bits(16, 8, "DaisySel"),
            Bits(25, 2, "Read32Sel"),
            Bits(29, 1, "Enabled"),
        ),
    ),
    Register(0x05C, "DBG_RD_DATA", Access.IGNORES_WRITES, "the selection", peek=data, page=_PAGE),
)
