# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb run --seeds`: run the program again in other orders, and say where a wait is missing.

    --seeds 20      in random:0 to random:19
    --seeds 7-40    in random:7 to random:40

What the pages leave open about the order of events, each seed decides otherwise. If some of these
runs go well and others do not, an order is missing that a wait would give. Every wait is tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, THREAD_NAMES
from tensix_gdb.core.execution import MAX_SEED, Execution
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import BLOCK_MASK
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.table import find
from tensix_gdb.gdbstub.order.seeds.search import Found, Orders, places_of, search
from tensix_gdb.gdbstub.order.seeds.trial import Interrupted, Trials, cycles_for, with_seed
from tensix_gdb.gdbstub.order.seeds.waits import Party, Until
from tensix_gdb.gdbstub.tensix.blocked.instructions import place
from tensix_gdb.gdbstub.usage import UsageError

MOST = 10_000  # seeds
NAMED = 8  # seeds
CHANCE, MOST_MORE = 100_000, 300
OFTEN = 4  # seeds that a wait has to mend, before it is tried with all


def seeds_of(text: str) -> range:
    """Return the seeds that `20` or `7-40` means. UsageError with a sentence."""
    first, dash, last = text.partition("-")
    numbers = (first, last) if dash else (first,)
    if not all(number.isdecimal() for number in numbers):
        raise UsageError(f"--seeds {text}: type how many, as in 20, or which, as in 7-40")
    seeds = range(int(first), int(last) + 1) if dash else range(int(first))
    if not seeds or len(seeds) > MOST or seeds[-1] > MAX_SEED:
        raise UsageError(f"--seeds {text}: name 1 to {MOST:,} seeds of at most 32 bits")
    return seeds


def other_orders(
    machine: Machine,
    seeds: Sequence[int],
    is_right: Callable[[Machine], bool],
    is_interrupted: Callable[[], bool],
    *,
    went_well: bool,
) -> tuple[list[str], bool]:
    """Run the program of a machine again, which has just run to its end: what there is to say, and
    True if all runs were as wanted."""
    first = machine.execution
    trials = Trials(machine, cycles_for(int(machine.S.tile.cycle)), is_right, is_interrupted)
    try:
        orders = [with_seed(first, seed) for seed in seeds]
        wrong = [order for order in orders if not trials.goes_well(order)]
        lines = [_counted(first, orders, wrong, went_well=went_well)]
        if wrong or not went_well:
            wrong = wrong if went_well else [first, *wrong]
            lines += _missing(trials, wrong, [first, *orders])
    except Interrupted:
        return ["interrupted: not all orders were looked at"], False
    return lines, not wrong


def _counted(
    first: Execution, orders: Sequence[Execution], wrong: Sequence[Execution], *, went_well: bool
) -> str:
    of_first = f"; `{first}` {'is' if went_well else 'is not either'}"
    if not wrong:
        of_first = "" if went_well else f", and `{first}` is not"
        return f"other orders: all {len(orders)} seeds are as wanted{of_first}"
    named = ", ".join(map(str, wrong[:NAMED]))
    more = f" and {len(wrong) - NAMED} more" if len(wrong) > NAMED else ""
    return (
        f"other orders: {len(wrong)} of {len(orders)} seeds are not as wanted: {named}{more}"
        f"{of_first}"
    )


def _missing(
    trials: Trials, wrong: Sequence[Execution], all_of: Sequence[Execution]
) -> Iterator[str]:
    """Yield where a wait is missing."""
    places = places_of(trials, wrong[0])
    more = _more(len(wrong) / len(all_of), all_of[-1])
    found = search(trials, places, Orders(wrong[:OFTEN], [*all_of, *more]))
    if not found:
        if len(wrong) == len(all_of):
            yield (
                "no order goes well, and no wait at one place mends it: look for a mistake that "
                "has nothing to do with waiting"
            )
        else:
            yield "no wait at one place mends it: more than one is missing, or a longer one"
        return
    if found[0].wait.until is Until.OTHERS_GO_ON:
        yield (
            "a wait for another thread is missing (SEMWAIT, a mailbox): all are as wanted if one "
            "of these comes late enough"
        )
    else:
        yield "a wait is missing: all are as wanted with one more at one of these places"
    yield from _by_party(trials.machine, found)


def _more(rate: float, last: Execution) -> list[Execution]:
    """More orders with which a wait has to go well. A wait that only moves things about goes well
    by chance where few orders go wrong: in as many as this, one in CHANCE at most does."""
    if rate == 1:
        return []
    count = min(math.ceil(math.log(CHANCE) / -math.log1p(-rate)), MOST_MORE)
    first = min(last.seed + 1, MAX_SEED - count)
    return [with_seed(last, seed) for seed in range(first, first + count)]


def _by_party(machine: Machine, found: Sequence[Found]) -> Iterator[str]:
    """Yield a line for each hart or thread: the first place, and the source lines of the others."""
    by_party: dict[Party, list[Found]] = {}
    for one in found:
        by_party.setdefault(one.wait.party, []).append(one)
    for first, *others in by_party.values():
        text = f"    {_described(machine, first)}"
        lines = dict.fromkeys(_line(machine, one) for one in others)
        lines.pop(_line(machine, first), None)
        yield f"{text}; or at {', '.join(lines)}" if lines else text


def _line(machine: Machine, found: Found) -> str:
    """`add.c:39`, of the kernel."""
    return place(machine, found.wait.party.hart, found.wait.addresses[0]).partition(" ")[0]


def _described(machine: Machine, found: Found) -> str:
    """`T0 unpack: STALLWAIT block=B3, wait=C10 before UNPACR, pushed at ..., 4 times`."""
    party, addr = found.wait.party, found.wait.addresses[0]
    where = machine.places.at(party.hart, addr)
    times = "once" if found.times == 1 else f"{found.times} times"
    is_own = found.wait.until is Until.OWN_IS_DONE
    if not party.at_gate:
        wait = "a wait until nothing of it is in flight, " if is_own else ""
        return f"{HART_NAMES[party.number]}: {wait}before {where} ({times})"
    rows = [row for code in sorted(found.opcodes) if (row := find(code << 24, Arch.BLACKHOLE))]
    names = ", ".join(dict.fromkeys(row.mnemonic for row in rows))
    before = f"before {names}, pushed at {where} ({times})"
    if not is_own:
        return f"{THREAD_NAMES[party.number]}: {before}"
    # Each of several bits would hold the instruction: the last one is the narrowest.
    blocks = [BLOCK_MASK.parts(int(row.blocked_by))[-1].text for row in rows if row.blocked_by]
    conditions = " or ".join(f"C{number}" for number in found.conditions)
    wait = f"STALLWAIT block={'|'.join(dict.fromkeys(blocks))}, wait={conditions}"
    if not conditions:
        wait = "a wait for all that it has under way"
    return f"{THREAD_NAMES[party.number]}: {wait} {before}"
