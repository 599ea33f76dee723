# SPDX-License-Identifier: Apache-2.0
"""The response to a fault, by its category: stop (the default), or count, or ignore and continue.

To continue skips the guilty access: what it would have written is discarded, what it would have
read is 0, an instruction that cannot be executed does nothing. This is a choice for users that want
to see what comes after a known fault, not what the hardware does; so no fault is skipped unless
that was asked for, and skipped faults are counted in the record.

No fault is skipped when there is no instruction to continue with: a pc outside L1, a MOP that
cannot be expanded, a request that the coprocessor has made by itself.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.arch.blackhole import T0, T2
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.faults.codes import ENTRIES, Category, Fault
from tensix_gdb.core.memory import streams
from tensix_gdb.core.memory.map import fetched_at
from tensix_gdb.core.memory.ram import decode_at
from tensix_gdb.core.memory.streams import shift_out
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.pipeline.load_store import BACK
from tensix_gdb.core.riscv.pipeline.pipeline import NO_ENTRY, answer
from tensix_gdb.core.riscv.pipeline.stores import is_announced
from tensix_gdb.core.riscv.table import FORMS
from tensix_gdb.core.stop import AT_GATE, BY_DEBUG_INTERFACE, IN_UNPACKER, SCHEDULED
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.coprocessor import leave
from tensix_gdb.core.tensix.unpacker import queue as unpack_queue

CODES = 128
_WRITE_RD = (Form.LOAD, Form.AMO, Form.CSR_R, Form.CSR_I)
_NEVER_SKIPPED = (
    Fault.FETCH_OUTSIDE_L1,
    Fault.FETCH_MISALIGNED,
    Fault.MOP_OVERRIDE,
    Fault.MOP_ENDS_ONLY,
    Fault.REPLAY_COUNT,
    Fault.TENSIX_DEVICE,
    Fault.MOVER_COMPACT,
)

FAULT = Part(
    "fault",
    (
        row("skipped", "i64", CODES, Tag.MONOTONE, "how often a fault was skipped, by its code"),
        row("ignored", "i64", CODES, Tag.MONOTONE, "of these, without being counted"),
    ),
    chapter=Chapter.HARTS,
)


class Policy(enum.Enum):
    """The response to a fault."""

    STOP = "stop"
    COUNT = "count"
    IGNORE = "ignore"


class PolicyError(ValueError):
    """A category or policy that does not exist; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class SkippedFault:
    """A place where faults were counted."""

    code: int
    hart: int
    pc: int
    text: str


class Policies:
    """The policy of each category, and which faults were skipped because of it."""

    def __init__(self) -> None:
        self.of = dict.fromkeys(Category, Policy.STOP)
        self.of[Category.SILICON_DEFECT] = Policy.COUNT
        self.places: dict[tuple[int, int, int], SkippedFault] = {}

    def set(self, text: str) -> None:
        """Take over `CATEGORY=POLICY,...`; `all` is every category. PolicyError, changing nothing,
        for anything else."""
        wanted: dict[Category, Policy] = {}
        for item in text.split(","):
            name, separator, policy = item.partition("=")
            if not separator or policy not in (member.value for member in Policy):
                raise PolicyError(
                    f"{item!r} is not CATEGORY=POLICY with a policy of stop, count, ignore"
                )
            named = categories(name)
            if Policy(policy) is Policy.STOP and Category.SILICON_DEFECT in named:
                if len(named) == 1:
                    raise PolicyError(
                        f"{Category.SILICON_DEFECT.value} cannot stop: what the pages allow goes "
                        "on; count or ignore it"
                    )
                named.remove(Category.SILICON_DEFECT)
            wanted |= dict.fromkeys(named, Policy(policy))
        self.of |= wanted

    def text(self) -> str:
        """Return the policies, as `set` reads them."""
        return ",".join(f"{kind.value}={policy.value}" for kind, policy in self.of.items())

    def skips(self, code: int) -> bool:
        """True if a fault of this code does not stop the tile."""
        if not can_skip(code):
            return False
        return self.of[ENTRIES[Fault(code)].category] is not Policy.STOP

    def note(self, S: View, hart: int, pc: int, code: int, text: str) -> None:
        """Count a fault that is skipped."""
        S.fault.skipped[code] += 1
        if self.of[ENTRIES[Fault(code)].category] is Policy.IGNORE:
            S.fault.ignored[code] += 1
        else:
            self.places.setdefault((code, hart, pc), SkippedFault(code, hart, pc, text))

    def counted(self, S: View, category: Category) -> int:
        """Return how many faults of a category were counted since the start."""
        if category is Category.SILICON_DEFECT:
            is_counted = self.of[category] is Policy.COUNT
            return sum(int(S.report.times[i]) for i in range(S.report.count)) * is_counted
        return sum(
            int(S.fault.skipped[code]) - int(S.fault.ignored[code])
            for code, entry in ENTRIES.items()
            if entry.category is category
        )


def categories(name: str) -> list[Category]:
    """Return the categories that a name means: `all`, or one by the beginning of its name."""
    if name == "all":
        return list(Category)
    matching = [
        category
        for category in Category
        if name and category.value.lower().startswith(name.lower())
    ]
    if len(matching) != 1:
        names = ", ".join(category.value for category in Category)
        what = "could be several" if matching else "is no category"
        raise PolicyError(f"{name!r} {what} of all, {names}; their first letters are enough")
    return matching


def can_skip(code: int) -> bool:
    """True if there is an instruction to continue with after a fault of this code."""
    return code not in _NEVER_SKIPPED


def skip_fault(S: View) -> None:
    """Resume after the fault that has just stopped the tile."""
    hart = S.stop.hart
    if S.stop.stream >= IN_UNPACKER:
        unpack_queue.leave(S, S.stop.stream - IN_UNPACKER)
        return
    if S.stop.stream == BY_DEBUG_INTERFACE or S.stop.stream == SCHEDULED:
        return  # it is over, without a result
    if S.stop.stream >= AT_GATE:
        leave(S, S.stop.stream - AT_GATE, 1)
        S.gate.next += 1
        return
    if S.stop.stream:
        _skip_request(S, hart, S.stop.stream - 1)
        return
    pc = S.hart.pc[hart]
    d = decode_at(S, fetched_at(S, hart, pc))
    rd = (d >> 8) & 63
    if FORMS[d & 0xFF] in _WRITE_RD and rd:
        S.hart.x[hart, rd] = 0
        S.pipeline.last_writer[hart, rd] = NO_ENTRY  # what an earlier load brings is not wanted
    S.hart.pc[hart] = (pc + 4) & MASK32
    S.hart.retired[hart] += 1
    S.tile.next_hart = hart + 1
    S.tile.idle_cycles = 0


def _skip_request(S: View, hart: int, stream: int) -> None:
    """Drop a request that a region refused; a load gets 0."""
    if S.stream.kind[hart, stream, 0] != streams.WRITE:
        answer(S, hart, S.stream.entry[hart, stream, 0], 0, BACK[stream])
    elif T0 <= hart <= T2 and is_announced(S, hart, stream):
        # Auto TTSync has a slot for each word since the store was emitted.
        for word in range(4):
            if (S.stream.mask[hart, stream, 0] >> (4 * word)) & 1:
                tracker.leave(S, hart - T0, tracker.enter(S, hart - T0))
    shift_out(S, hart, stream)
