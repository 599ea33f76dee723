# SPDX-License-Identifier: Apache-2.0
"""The registers of the performance counters (tt-metal: tech_reports/PerfCounters, registers.h).

A bank has a reference period, a mode and a control register. A rising edge of bit 0 of the control
register clears all its counts and starts it, one of bit 1 stops it. PERF_CNT_ALL does the same for
INSTRN_THREAD and FPU only. OUT_L is the number of cycles that it ran, OUT_H the count that bits 8
and up of the mode register select, of grants where bit 16 is set. The mux says which eight ports of
L1 its bank counts; it acts while they count.

UNSPECIFIED(perf-counters.md): both edges in one store; the bank starts and stops, with counts of 0.
UNSPECIFIED(perf-counters.md): "no refclk maintenance" of mode 2; OUT_L stays 0. In mode 0 the
reference period does nothing.
"""

from collections.abc import Iterator

from tensix_gdb.core.devices.registers import Access, Bits, Elsewhere, Register, Write
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.perf import fields
from tensix_gdb.core.perf.counters import CANONICAL, SELECT_MASK, TIED, UNKNOWN
from tensix_gdb.core.perf.fields import BANKS, GRANT, PENDING_COUNT, SELECTS
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import fault

START, STOP = 1, 2
CONTINUOUS, UNTIL_PERIOD, WITHOUT_REFERENCE = range(3)  # bits 7:0 of the mode register
MODES = 3
# Where the registers of each bank begin; the order of the outputs is another one.
OFFSETS = (0x000, 0x018, 0x00C, 0x030, 0x0F0)
OUTPUTS = (fields.INSTRN_THREAD, fields.TDMA_UNPACK, fields.TDMA_PACK, fields.L1, fields.FPU)
FIRST_OUTPUT = 0x100
# The bank of a register, by word.
BANK = tuple(
    next((bank for bank, at in enumerate(OFFSETS) if at <= 4 * word < at + 12), 0)
    for word in range(FIRST_OUTPUT // 4)
)


def write_mode(S: View, hart: int, addr: int, value: int) -> int:
    """Write the mode register of a bank."""
    if value & 0xFF >= MODES:
        return fault(S, hart, Fault.PERF_MODE, addr, value)
    S.tile_control.perf_mode[BANK[(addr & 0xFFF) >> 2]] = value
    return 0


def write_control(S: View, hart: int, addr: int, value: int) -> int:
    """Write the control register of a bank: edges act."""
    bank = BANK[(addr & 0xFFF) >> 2]
    edges = value & ~S.tile_control.perf_control[bank]
    S.tile_control.perf_control[bank] = value
    return command(S, bank, edges)


def write_both(S: View, hart: int, addr: int, value: int) -> int:
    """PERF_CNT_ALL: edges act on INSTRN_THREAD and FPU."""
    edges = value & ~S.tile_control.perf_all
    S.tile_control.perf_all = value
    command(S, fields.INSTRN_THREAD, edges)
    return command(S, fields.FPU, edges)


def command(S: View, bank: int, edges: int) -> int:
    """Start or stop a bank by the rising edges in its control register."""
    if edges & START:
        start(S, bank)
    if edges & STOP:
        S.perf.running[bank] = 0
    return 0


def start(S: View, bank: int) -> int:
    """Clear all counts of a bank, and let it count from here on."""
    S.perf.running[bank] = 1
    S.perf.reference[bank] = 0
    for kind in range(2):
        for select in range(SELECTS):
            S.perf.count[bank, kind, select] = 0
    if bank == fields.INSTRN_THREAD:
        for thread in range(3):
            S.perf.passed[thread] = S.passed.count[thread]
    if not S.tile.pending & PENDING_COUNT:
        S.tile.pending |= PENDING_COUNT
        S.perf.cycle = S.tile.cycle
    return 0


def cycles(S: View, hart: int, addr: int) -> int:
    """OUT_L: how many cycles the bank has counted."""
    return S.perf.reference[OUTPUTS[((addr & 0xFFF) - FIRST_OUTPUT) >> 3]]


def selected(S: View, bank: int) -> int:
    """Return where the selected count is: kind * SELECTS + select, TIED or UNKNOWN."""
    mode = S.tile_control.perf_mode[bank]
    kind = GRANT if mode >> 16 & 1 else 0
    select = mode >> 8 & SELECT_MASK[bank]
    return CANONICAL[(2 * bank + kind) * SELECTS + select]


def look(S: View, hart: int, addr: int) -> int:
    """OUT_H as a debugger sees it.

    UNSPECIFIED(perf-counters.md): what there is for a select that it does not name; 0.
    """
    return max(count(S, hart, addr), 0)


def count(S: View, hart: int, addr: int) -> int:
    """OUT_H without the fault: the selected count, or -1."""
    bank = OUTPUTS[((addr & 0xFFF) - FIRST_OUTPUT) >> 3]
    at = selected(S, bank)
    if at == TIED:
        return 0
    return -1 if at == UNKNOWN else S.perf.count[bank, at // SELECTS, at % SELECTS]


def read_count(S: View, hart: int, addr: int) -> int:
    """OUT_H: a fault for a select that no document names."""
    value = count(S, hart, addr)
    if value < 0:
        bank = OUTPUTS[((addr & 0xFFF) - FIRST_OUTPUT) >> 3]
        return fault(S, hart, Fault.PERF_SELECT, addr, S.tile_control.perf_mode[bank])
    return value


_RW, _RO = Access.READ_WRITE, Access.READ_ONLY
_PAGE = "tt-metal tech_reports/PerfCounters/perf-counters.md"
_EDGES = (Bits(0, 1, "start", "rising edge"), Bits(1, 1, "stop", "rising edge"))


# fmt: off
def _of_banks(number: int, doc: str, row: str, write: Write | None = None,
              bits: tuple[Bits, ...] = ()) -> Iterator[Register]:
    for bank, at in enumerate(OFFSETS):
        name = f"PERF_CNT_{fields.NAMES[bank]}" + ("_" if bank == fields.L1 else "")
        yield Register(at + 4 * number, f"{name}{number}", _RW, f"performance counters: {doc}",
                       row=row, write=write, fields=bits, page=_PAGE)


def _outputs(bank: int) -> tuple[Register, ...]:
    output = f"DBG_{fields.NAMES[bank]}" if bank == fields.L1 else fields.NAMES[bank]
    at = FIRST_OUTPUT + 8 * OUTPUTS.index(bank)
    return (
        Register(at, f"PERF_CNT_OUT_L_{output}", _RO, "cycles counted", peek=cycles,
                 elsewhere=Elsewhere("perf.reference", lambda hart, copy, i: (bank,)), page=_PAGE),
        Register(at + 4, f"PERF_CNT_OUT_H_{output}", _RO, "the selected count",
                 peek=look, read=read_count, page=_PAGE),
    )


REGISTERS = (
    *_of_banks(0, "reference period", "perf_period"),
    *_of_banks(1, "mode and select", "perf_mode", write_mode),
    *_of_banks(2, "control", "perf_control", write_control, _EDGES),
    *(row for bank in range(BANKS) for row in _outputs(bank)),
    Register(0x03C, "PERF_CNT_ALL", _RW, "control of INSTRN_THREAD and FPU at once",
             write=write_both, row="perf_all", fields=_EDGES, page=_PAGE),
    Register(0x218, "PERF_CNT_MUX_CTRL", _RW, "which ports of L1 are counted",
             row="perf_mux", fields=(Bits(4, 3, "L1", "0 to 5"),), page=_PAGE),
)
# fmt: on
