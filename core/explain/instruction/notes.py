# SPDX-License-Identifier: Apache-2.0
"""The pages' remarks on waits besides their masks: when a condition is needed, how a gate holds.

The sentences are those of STALLWAIT.md on both machines, "Functional model", "Block mask" and the
notes on the conditions. That a block mask lacks a bit for a condition is a warning (warn.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.explain.instruction.explanation import Line
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.waits.tensix import CONDITIONS, TensixWait

_SHARED = (
    "it may wait longer than necessary while several threads use the {} at once; the emulated "
    "tile waits for this thread's instructions only"
)
_UNPACK = "rarely needed: an UNPACR waits by itself until its bank belongs to the unpackers"
_MATRIX = (
    "rarely needed: a Matrix Unit instruction that reads {} waits by itself until its bank has data"
)
# By LLK's name of the condition, which is the same on both machines.
NOTES = {
    "THCON": "needed after LOADIND, LOADREG or ATINCGET, before the GPR that it loads is used",
    "MATH": _SHARED.format("Matrix Unit"),
    "SRCA_CLR": _UNPACK,
    "SRCB_CLR": _UNPACK,
    "SRCA_VLD": _MATRIX.format("SrcA"),
    "SRCB_VLD": _MATRIX.format("SrcB"),
    "TRISC_CFG": (
        "needed after the T core stored to GPRs, configuration or TDMA-RISC and before an "
        "instruction that uses it: what the block mask catches executes after that store is "
        "processed"
    ),
    "WAIT_SFPU": _SHARED.format("Vector Unit"),
}
# Blackhole's page alone: Wormhole has no Auto TTSync.
TTSYNC = (
    ". Rarely needed where Auto TTSync is on, which orders most such accesses itself, but no "
    "LOADREG after a store to TDMA-RISC (AutoTTSync.md: its class only writes GPRs)"
)
AT_ONCE = "at once: the instruction right after it is the first that its block mask can hold"
LAG = (
    "the block mask is lifted one cycle after the conditions are met, so that instruction is held "
    "for at least one cycle even if they are met already"
)
IN_ORDER = (
    "once the first instruction that it catches is at the wait gate, no later one of this thread "
    "passes, of whatever unit"
)
TOGETHER = (
    "it ends in a cycle in which all of them are met, not when each has been met at some time"
)
LATCHING = ("STALLWAIT", "SEMWAIT", "STREAMWAIT")


def notes_of(wait: TensixWait) -> Iterator[Line]:
    """Yield how the wait takes effect, and what is known of each condition that it waits for."""
    if wait.row.mnemonic not in LATCHING:
        return
    yield Line("begins", AT_ONCE)
    yield Line("holds", IN_ORDER)
    yield Line("ends", LAG)
    if wait.row.mnemonic == "STALLWAIT":
        yield from _of_conditions(wait.condition_mask(), wait.arch)


def _of_conditions(mask: int, arch: Arch) -> Iterator[Line]:
    chosen = [named for named in CONDITIONS[arch].names if named.value & mask]
    if len(chosen) > 1:
        yield Line("|".join(named.text for named in chosen), TOGETHER)
    told: dict[str, list[str]] = {}
    for named in chosen:
        note = NOTES.get(named.llk[0])
        if note and named.llk[0] == "TRISC_CFG" and arch is Arch.BLACKHOLE:
            note += TTSYNC
        if note:
            told.setdefault(note, []).append(named.text)
    for sentence, names in told.items():
        yield Line(", ".join(names), sentence)
