# SPDX-License-Identifier: Apache-2.0
"""Put back what a kernel has left besides configuration (K2 to K7), at the end of a kernel, when
the units of its thread are idle: by the instructions that LLK's uninit functions have for it.

K2  address counters       SETADCXY, SETADCZW, SETADCXX
K3  a semaphore            SEMGET, after SEMWAIT, or SEMPOST
K4  a mutex                ATRELM
K5  a bank of a source     CLEARDVALID, after a wait for it
K6  LReg[11]               SFPCONFIG, of its constant or of a value that is loaded
K7  flags of lanes         SFPENCC
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, T1, THREADS
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.assembly.rv32_read import assemble
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.places.kinds import ADC_UNITS
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.race.remedies import waits
from tensix_gdb.core.race.remedies.remedy import Beside, Remedy, RemedyKind
from tensix_gdb.core.race.state.leaks import Kept
from tensix_gdb.core.tensix.vector.state import DEFAULTS
from tensix_gdb.gdbstub.order.tried import words
from tensix_gdb.gdbstub.order.tried.registers import Code
from tensix_gdb.gdbstub.order.tried.restore import BUSY
from tensix_gdb.gdbstub.order.tried.words import CannotTry, Here, Insertion, stallwait_word

VALID = (waits.SRCA_VLD, waits.SRCB_VLD)
CONSTANT = 11  # the LReg of K6
IN_A_FIELD = 8  # values that SETADCXY and SETADCZW have room for
IN_X = 1 << 10  # and SETADCXX
UNITS = ("u0", "u1", "pk")
TAKES_AND_WAITS = words.SEMGET, words.SEMWAIT


class States(Protocol):
    """The state before and after a run, and the programs of its harts."""

    kept: tuple[Kept, Kept] | None

    def program(self, hart: int) -> Code | None: ...


@dataclass(frozen=True, slots=True)
class PutBack(Remedy):
    """Instructions of a thread at the end of the kernel of its core."""

    thread: int = 0
    pushed: tuple[int, ...] = ()
    why_not: str = ""  # a sentence, if there are none


def put_backs(report: Report, runs: States, arch: Arch) -> Iterator[PutBack]:
    """Yield what puts back what a finding names, the likeliest first; nothing for another one."""
    kept, hart = runs.kept, report.later.hart
    if kept is None or report.check not in _OF:
        return
    try:
        yield from _OF[report.check](report, *kept, runs, arch)
    except CannotTry as problem:
        yield _made(report, max(hart - T0, 0), (), "put back what was there", arch, str(problem))


def inserted(remedy: PutBack, code: Code | None) -> Insertion:
    """Return the instructions, before the return of the kernel. CannotTry with a sentence."""
    hart = T0 + remedy.thread
    if remedy.why_not:
        raise CannotTry(remedy.why_not)
    end = code.end_of_kernel() if code is not None else None
    if code is None or end is None:
        raise CannotTry(
            f"the function of {HART_NAMES[hart]}'s kernel has not one return that is known"
        )
    return Here(code, hart, end).pushed(Beside.BEFORE, remedy.thread, remedy.pushed)


def _made(
    report: Report, thread: int, pushed: Sequence[int], what: str, arch: Arch, why_not: str = ""
) -> PutBack:
    where = f"at the end of {HART_NAMES[T0 + thread]}'s kernel"
    return PutBack(
        RemedyKind.RESTORE, where, register=report.place.words, words=what, arch=arch,
        thread=thread, pushed=tuple(pushed), why_not=why_not,
    )  # fmt: skip


def _thread(report: Report) -> int:
    """Return the thread that has changed it. CannotTry if it was none."""
    thread = report.later.hart - T0 if report.later.thread is None else report.later.thread
    if not report.later.pc:
        raise CannotTry("the instruction that has changed it is not known")
    if not 0 <= thread < THREADS:
        raise CannotTry("it was changed by a core that has no thread")
    return thread


def _idle(thread: int, block: int, arch: Arch, more: int = 0) -> int:
    """Return the wait that comes first."""
    conditions = BUSY[thread] | more
    if arch is Arch.WORMHOLE:
        conditions = waits.of_wormhole(conditions)
    return stallwait_word(block, conditions)


def _word(text: str) -> int:
    """Return an instruction that is written as `explain` shows it."""
    word = assemble(f".ttinsn {text}")[0].word
    return (word >> 2 | word << 30) & MASK32


def _counters(
    report: Report, before: Kept, after: Kept, _: States, arch: Arch
) -> Iterator[PutBack]:
    thread = _thread(report)
    _name, owner, unit_name = report.place.words.split()
    if owner != f"T{thread}":
        raise CannotTry("the counters are those of another thread than the one that set them")
    unit = ADC_UNITS.index(unit_name)
    first = (thread * 3 + unit) * 16
    old, new = (one.counters[first : first + 16] for one in (before, after))
    changed = {i & 7 for i in range(16) if old[i] != new[i]}
    if any(old[i] != old[i + 8] for i in changed):
        raise CannotTry("a counter and its carriage return value were two values, and one "
                        "instruction sets both to one")  # fmt: skip
    pushed, text = [], []
    values = dict(sorted((i, old[i]) for i in changed))  # 4 for each channel: X, Y, Z, W
    if any(i & 3 == 0 and values[i] >= IN_A_FIELD for i in values):
        if max(old[0], old[4]) >= IN_X:
            raise CannotTry(f"SETADCXX has no room for an X of {max(old[0], old[4])}")
        pushed.append(_word(f"SETADCXX {UNITS[unit]}=1, x1_val={old[4]}, x0_val={old[0]}"))
        text.append(f"X = {old[0]}, {old[4]}")
        values = {i: value for i, value in values.items() if i & 3}
    for name, axes in (("SETADCXY", "xy"), ("SETADCZW", "zw")):
        at = [i for i in values if "xyzw"[i & 3] in axes]
        if not at:
            continue
        if any(values[i] >= IN_A_FIELD for i in at):
            raise CannotTry(f"{name} has no room for {max(values[i] for i in at)}")
        fields = [f"{UNITS[unit]}=1"]
        for i in at:
            axis = f"{'xyzw'[i & 3]}{i >> 2}"
            fields += [f"{axis}_val={values[i]}", f"{axis}=1"]
            text.append(f"{axis[0].upper()} of channel {i >> 2} = {values[i]}")
        pushed.append(_word(f"{name} {', '.join(fields)}"))
    what = f"put back {', '.join(text)} of {ADC_UNITS[unit]}"
    yield _made(report, thread, [_idle(thread, Block.B0, arch), *pushed], what, arch)


def _semaphore(
    report: Report, before: Kept, after: Kept, runs: States, arch: Arch
) -> Iterator[PutBack]:
    number, last = int(report.place.words.split()[-1]), _thread(report)
    over = after.semaphores[number] - before.semaphores[number]
    if over < 0:
        pushed = [_idle(last, Block.B1, arch), *[words.post_word(number)] * -over]
        text = f"{-over} SEMPOST of semaphore {number}"
        yield replace(_made(report, last, pushed, text, arch), semaphore=number)
        return
    for thread in _takers(number, last, runs):
        get = words.semwait_word(Block.B1, number), words.get_word(number)
        pushed = [_idle(thread, Block.B1, arch), *get * over]
        text = f"{over} SEMGET of semaphore {number}, each after SEMWAIT,"
        yield replace(_made(report, thread, pushed, text, arch), semaphore=number)


def _takers(number: int, last: int, runs: States) -> list[int]:
    """Return the threads that may have left out a SEMGET: first one that waits for the semaphore
    and never takes it, and the one that has changed it last after it."""
    waiting = []
    for thread in range(THREADS):
        code = runs.program(T0 + thread)
        used = {} if code is None else _of_semaphore(code, number)
        if words.SEMWAIT in used and words.SEMGET not in used:
            waiting.append(thread)
    return list(dict.fromkeys([*waiting, last]))


def _of_semaphore(code: Code, number: int) -> set[int]:
    """Return the opcodes with which a program names a semaphore."""
    found = set()
    for segment in code.image.segments:
        for at in range(0, len(segment.data) - 3, 4):
            word = int.from_bytes(segment.data[at : at + 4], "little")
            pushed = (word >> 2 | word << 30) & MASK32
            if word & 3 != 3 and pushed >> 24 in TAKES_AND_WAITS and pushed >> number + 2 & 1:
                found.add(pushed >> 24)
    return found


def _mutex(report: Report, _: Kept, after: Kept, __: States, arch: Arch) -> Iterator[PutBack]:
    number = int(report.place.words.split()[-1])
    thread = after.mutexes[number] - 1
    if not 0 <= thread < THREADS:
        raise CannotTry("no thread holds it")
    pushed = [_idle(thread, Block.B1, arch), _word(f"ATRELM index={number}")]
    yield _made(report, thread, pushed, f"ATRELM of mutex {number}", arch)


def _bank(report: Report, before: Kept, after: Kept, runs: States, arch: Arch) -> Iterator[PutBack]:
    source = "ab".index(report.place.words.split()[1])
    banks = [2 * source, 2 * source + 1]
    count = sum(after.banks[i] != before.banks[i] for i in banks)
    math = runs.program(T1)
    has_math = math is not None and math.end_of_kernel() is not None
    thread = T1 - T0 if has_math else _thread(report)
    wait = _idle(thread, Block.B6, arch, waits.MATH | VALID[source])
    clear = _word(f"CLEARDVALID flip_src_{'ab'[source]}=1")
    times = "" if count == 1 else f" {count} times"
    text = f"CLEARDVALID of Src{'AB'[source]}{times}, after a wait for the bank,"
    yield _made(report, thread, [wait, clear] * count, text, arch)


def _constant(report: Report, before: Kept, _: Kept, __: States, arch: Arch) -> Iterator[PutBack]:
    thread, values = _thread(report), set(before.constant)
    wait = _idle(thread, Block.B8, arch)
    if len(values) > 1:
        raise CannotTry(f"LReg[{CONSTANT}] had other values in other lanes, and no instruction "
                        "brings them back")  # fmt: skip
    (value,) = values
    pushed = [_word(f"SFPCONFIG vd={CONSTANT}, mod1=1")]
    text = f"put back LReg[{CONSTANT}], {value:#010x}, by SFPCONFIG"
    if value != int(DEFAULTS[0]):
        halves = ((10, value & 0xFFFF), (8, value >> 16))
        pushed = [_word(f"SFPLOADI vd=0, mod0={mode}, imm16={half}") for mode, half in halves]
        pushed.append(_word(f"SFPCONFIG vd={CONSTANT}, mod1=0"))
        text += " of LReg[0]"
    yield _made(report, thread, [wait, *pushed], text, arch)


def _lanes(report: Report, _: Kept, __: Kept, ___: States, arch: Arch) -> Iterator[PutBack]:
    thread = _thread(report)
    pushed = [_idle(thread, Block.B8, arch), _word("SFPENCC imm2=0, vd=0, mod1=0")]
    yield _made(report, thread, pushed, "SFPENCC, which switches all lanes on,", arch)


_OF = {
    "K2": _counters, "K3": _semaphore, "K4": _mutex, "K5": _bank, "K6": _constant, "K7": _lanes,
}  # fmt: skip
CHECKS = tuple(_OF)
