# SPDX-License-Identifier: Apache-2.0
"""`monitor perf`: the performance counters, and what tt-metal derives from them."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.perf.fields import BANKS, L1, NAMES
from tensix_gdb.core.perf.metrics import METRICS
from tensix_gdb.core.perf.reading import Reading, by_name, has_counted, mux_of, readings
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.monitor_row import no_more, table

_OFF = (
    "no bank of performance counters has been started: software starts one by a store of 1 to its "
    "control register (PERF_CNT_FPU2 and the like), or so can you: `monitor help perf`\n"
)


def monitor_perf(machine: Machine, thread: int, words: list[str]) -> str:
    """Return the banks that have counted, with what is not 0, then metrics; `all` also what is 0, a
    bank's name its counters with what each of them counts."""
    S = machine.S
    which = words.pop(0).upper() if words else ""
    no_more(words, "perf")
    if which and which != "ALL":
        return _one_bank(machine, which)
    if not which and not has_counted(S):
        return _OFF
    found = list(readings(S))
    text = ""
    for bank in range(BANKS):
        own = [one for one in found if one.counter.bank == bank and (which or one.value)]
        if which or S.perf.running[bank] or S.perf.reference[bank]:
            text += _heading(machine, bank) + table([*_counts(machine, bank, own)])
    return text + _metrics(machine)


def _heading(machine: Machine, bank: int) -> str:
    S = machine.S
    state = "runs" if S.perf.running[bank] else "stopped"
    mux = f", mux {mux_of(S)}" if bank == L1 else ""
    return f"{NAMES[bank]}: {int(S.perf.reference[bank]):,} cycles, {state}{mux}\n"


def _counts(machine: Machine, bank: int, own: list[Reading]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each counter; where there are none, one that says so."""
    cycles = int(machine.S.perf.reference[bank])
    if not own:
        yield ("  nothing",)
    for one in own:
        share = f"{100 * one.value / cycles:.1f} %" if cycles else ""
        yield f"  {one.select}", one.name, f"{one.value:,}", share


def _metrics(machine: Machine) -> str:
    counts = by_name(machine.S)
    rows = []
    for metric in METRICS:
        value = metric.value(counts)
        if value:
            rows.append((f"  {metric.label}", f"{value:.1f}", metric.formula))
    return "metrics of tt-metal's guide that are not 0\n" + table(rows) if rows else ""


def _one_bank(machine: Machine, word: str) -> str:
    fitting = [bank for bank in range(BANKS) if NAMES[bank].startswith(word)]
    if len(fitting) != 1:
        raise TargetError(
            f"{word!r} is no bank of performance counters: type `monitor perf` with one of "
            f"{', '.join(NAMES)}, or all"
        )
    (bank,) = fitting
    rows = [
        (
            f"  {one.select}",
            one.name,
            f"{one.value:,}",
            one.counter.trust.value,
            one.event,
        )
        for one in readings(machine.S)
        if one.counter.bank == bank
    ]
    return _heading(machine, bank) + table(rows)
