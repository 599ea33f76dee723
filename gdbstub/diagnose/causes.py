# SPDX-License-Identifier: Apache-2.0
"""The causes of a failing run, a row each, ranked: the first row that finds something is the most
likely cause.

A cause is ranked by how much it explains. A fault stops a run by itself. In a hang the word that
is polled, or the signal that was lost, comes before the wait, which is only where it shows. Of a
wrong tile, what has a part in the first wrong datum comes before what has none, data before
settings, and a mistake before the mere chain of writes. What a kernel takes from the one before it
or leaves for the next is a cause where the run itself was right. Other orders of events are tried
last: they take many runs, and say that a wait is missing, but seldom which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.race.findings import Report, Verdict
from tensix_gdb.gdbstub.diagnose import data, symptoms
from tensix_gdb.gdbstub.diagnose.evidence import Evidence, Symptom
from tensix_gdb.gdbstub.diagnose.found import Found
from tensix_gdb.gdbstub.diagnose.reported import (
    in_chain,
    is_left,
    is_of_agreement,
    is_of_data,
    is_of_memory,
    is_of_stages,
    is_race,
    is_stale,
    is_sync,
    is_unwritten,
    is_unwritten_data,
    stale_and_polled,
    that,
)

FAULT = frozenset({Symptom.FAULT})
STUCK = frozenset({Symptom.HANG, Symptom.WAITS, Symptom.ENDLESS})
WRONG = frozenset({Symptom.WRONG_TILE})
GOOD = frozenset({Symptom.NONE, Symptom.STATUS})
ALL = frozenset(Symptom)


def _race_on_data(report: Report) -> bool:
    return is_race(report) and is_of_data(report)


def _race_on_settings(report: Report) -> bool:
    return is_race(report) and not is_of_data(report)


def _may_sample_late(report: Report) -> bool:
    return is_race(report, Verdict.SAMPLING)


@dataclass(frozen=True, slots=True)
class Cause:
    """A row: its name, the meaning for people, the symptoms that it explains, what finds it, and
    the words that rule it out; "" where its absence says nothing."""

    name: str
    means: str
    explains: frozenset[Symptom]
    find: Callable[[Evidence], Iterator[Found]]
    ruled_out: str = ""
    observed: bool = False  # needs reports: nothing is ruled out in a run that was not observed
    alone: bool = False  # asked only where no other row has found anything
    of_others: bool = False  # about kernels before or after: this run may fail by something else


_RULES_KEPT = "no semaphore, bank or mutex was used against its rules"

# fmt: off
CAUSES = (
    Cause("fault", "what the hardware forbids, or no page describes",
          FAULT, symptoms.fault),
    Cause("old copy that is polled", "a hart polls a word in its L0 data cache",
          STUCK, stale_and_polled,
          "no hart polls an old copy in its L0 data cache", observed=True),
    Cause("agreement, in a hang", "a check of what stages, or a program and its library, agree on",
          STUCK, that(is_of_agreement)),
    Cause("lost signal", "a check of synchronisation: a semaphore, bank or mutex",
          STUCK, that(is_sync), _RULES_KEPT, observed=True),
    Cause("hang", "the wait that waits for no other, or the circle",
          frozenset({Symptom.HANG, Symptom.WAITS}), symptoms.hang),
    Cause("no end", "a poll that may end by a counter, or a loop",
          frozenset({Symptom.ENDLESS, Symptom.STATUS}), symptoms.endless),
    Cause("old copy", "a load that an L0 data cache has answered with an old value",
          ALL, that(is_stale), "no load read an old copy from an L0 data cache", observed=True),
    Cause("agreement, in the datum", "a check of what stages agree on: formats, layouts",
          WRONG, in_chain(is_of_stages)),
    Cause("race on data, in the datum", "nothing orders two accesses to data",
          WRONG, in_chain(_race_on_data)),
    Cause("race on settings, in the datum", "nothing orders a write of a setting and its use",
          WRONG, in_chain(_race_on_settings)),
    Cause("move that does not fit", "an UNPACR or PACR that moves no tile of the files",
          WRONG, data.odd_move,
          "unpackers and packer have moved whole tiles of the files, in their formats"),
    Cause("agreement", "the same checks, where the datum does not show them",
          ALL, that(is_of_stages)),
    Cause("numbers beyond IEEE", "numbers that NumPy reads as infinity or NaN",
          WRONG, data.beyond_ieee),
    Cause("read of unwritten data", "data in the datum that nothing has written",
          WRONG, in_chain(is_unwritten_data),
          "the first wrong datum was made of nothing unwritten, as far as it was followed",
          observed=True),
    Cause("nothing written", "bytes of the tile that no instruction has written",
          WRONG, data.unwritten),
    Cause("tile left out", "a tile that no UNPACR or PACR begins with",
          WRONG, data.left_out),
    Cause("lost value", "a move that made zero of something else, and its settings",
          WRONG, data.lost_value),
    Cause("mistake with memory", "a check of buffers, stacks and transfers",
          ALL, that(is_of_memory),
          "no buffer, stack or transfer of the NoC was used wrongly", observed=True),
    Cause("synchronisation", "a check of synchronisation",
          ALL, that(is_sync), _RULES_KEPT, observed=True),
    Cause("race on data", "nothing orders two accesses to data",
          ALL, that(_race_on_data), "no race on data", observed=True),
    Cause("race on settings", "nothing orders a write of a setting and its use",
          ALL, that(_race_on_settings), "no race on settings", observed=True),
    Cause("sampled late, in the datum", "a setting that a unit may sample after its change",
          WRONG, in_chain(_may_sample_late)),
    Cause("lanes off", "an instruction in the datum's chain that lane flags have kept from writing",
          WRONG, data.lanes_off, alone=True),
    Cause("origin", "the chain of writes, where nothing else was found",
          WRONG, data.origin, alone=True),
    Cause("read of unwritten state", "a value that the kernel takes from what has run before it",
          GOOD, that(is_unwritten), alone=True, of_others=True),
    Cause("state left changed", "what the kernel leaves for the next one",
          GOOD, that(is_left), alone=True, of_others=True),
)
# fmt: on
