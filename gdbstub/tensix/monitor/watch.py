# SPDX-License-Identifier: Apache-2.0
"""`monitor watch`: stops after a change by the coprocessor.

watch gpr T1 5          watch cfg THCON_SEC0_REG3_Base_address       watch sem 3
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import T0, THREADS, B
from tensix_gdb.core.arch.chips import CONFIG_WORDS, L1_END, THREAD_CONFIG_WORDS
from tensix_gdb.core.arch.wormhole import THREAD_CONFIG_STRIDE
from tensix_gdb.core.debug.breakpoints import ArmedError
from tensix_gdb.core.debug.gate_breakpoints import GateWatch, Word, watched_at
from tensix_gdb.core.devices.backend_config import BANKS, CONFIG_BASE
from tensix_gdb.core.devices.semaphores import SEMAPHORE_BASE, SEMAPHORES
from tensix_gdb.core.isa.config_words import ConfigField, Space, config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.gate.watchpoints import Cell
from tensix_gdb.core.tensix.regfiles import dst
from tensix_gdb.core.tensix.sync import MUTEXES, is_mutex
from tensix_gdb.core.tensix.vector.state import LANES
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of
from tensix_gdb.gdbstub.tensix.monitor.gate_breaks import listed
from tensix_gdb.gdbstub.tensix.monitor_row import chosen, no_more, number_of


def monitor_watch(machine: Machine, thread: int, words: list[str]) -> str:
    """List what is there, or stop when the coprocessor changes a word."""
    if not words:
        return listed(machine) or "Nothing is watched; `monitor help watch` has the form.\n"
    wanted = watch_of(machine, thread, words)
    try:
        number = machine.gates.add_watch(wanted)
    except ArmedError as problem:
        raise TargetError(str(problem)) from None
    count = len(wanted.words)
    counted = [f"{count} word{'s' * (count != 1)}"] if count else []
    counted += [f"{one.end - one.start} bytes of L1" for one in wanted.ranges]
    return f"Watch {number}: {wanted.text}, {', '.join(counted)}.\n"


def watch_of(machine: Machine, thread: int, words: list[str]) -> GateWatch:
    """What the words after `watch` mean; `thread` is GDB's, for those that name none."""
    text = " ".join(words)
    kind = words.pop(0)
    if kind == "gpr":
        watched = list(_gprs(thread, words))
    elif kind == "cfg" and words:
        watched = list(_config(machine, thread, words))
    elif kind == "sem" and len(words) == 1:
        watched = [_semaphore(words[0])]
    elif kind == "mutex" and len(words) == 1:
        number = number_of(words[0], "mutex", MUTEXES - 1)
        if not is_mutex(machine.S, number):
            raise TargetError(f"there is no mutex {number}")
        watched = [Word(Cell.MUTEX, number)]
    elif kind == "lreg" and words:
        watched = list(_lreg(words))
    elif kind == "dst" and words:
        watched = list(_dst(machine, words))
    elif kind[:1].isdecimal():
        addr = number_of(kind, "address", 0xFFFFFFFF)
        inside = max(0, L1_END[machine.S.tile.chip] - addr)
        length = number_of(words[0], "number of bytes", max(256, inside)) if words else 4
        of_words, ranges = watched_at(machine.S, hart_of(thread), addr, length)
        if ranges or of_words:
            return GateWatch(text, of_words, ranges=ranges)
        watched = []
    else:
        raise TargetError(
            "type `monitor watch gpr T1 5`, `cfg NAME|WORD`, `sem 3`, `sem 3.max`, `mutex 2`, "
            "`lreg 3 [LANE]`, `dst ROW [COUNT]`, or an address with a number of bytes"
        )
    if not watched:
        raise TargetError(f"{text}: the coprocessor cannot change that")
    return GateWatch(text, tuple(watched))


def _gprs(thread: int, words: list[str]) -> Iterator[Word]:
    asked = [words.pop()] if words and words[-1].isdecimal() and len(words) > 0 else []
    if not asked:
        raise TargetError("type `monitor watch gpr T1 5`: a thread and the number of a GPR")
    number = number_of(asked[0], "GPR", 63)
    for owner in chosen(thread, words, "watch gpr"):
        yield Word(Cell.GPR, owner * 64 + number)
    no_more(words, "watch")


def _lreg(words: list[str]) -> Iterator[Word]:
    """All lanes of an LReg, or one."""
    number = number_of(words.pop(0).upper().removeprefix("L"), "LReg", 16)
    lanes = [number_of(words.pop(0), "lane", LANES - 1)] if words else range(LANES)
    no_more(words, "watch")
    for lane in lanes:
        yield Word(Cell.LREG, number * LANES + lane)


def _dst(machine: Machine, words: list[str]) -> Iterator[Word]:
    """Rows of Dst32b, both halves; rows of Dst16b are the high ones."""
    first = number_of(words.pop(0), "row of Dst32b", 511)
    count = number_of(words.pop(0), "count", 512 - first) if words else 1
    no_more(words, "watch")
    for row in range(first, first + count):
        at = dst.row32(machine.S, 0, row)
        for half in (at, at + dst.LOW):
            for pair in range(dst.COLUMNS // 2):
                yield Word(Cell.DST, half * (dst.COLUMNS // 2) + pair)


def _semaphore(text: str) -> Word:
    name, _, what = text.partition(".")
    number = number_of(name, "semaphore", SEMAPHORES - 1)
    if what == "max":
        return Word(Cell.SEMAPHORE_MAX, number)
    if what:
        raise TargetError(f"a semaphore has no {what!r}; type `{name}` or `{name}.max`")
    return Word(Cell.DEVICE, SEMAPHORE_BASE + 4 * number, T0)


# By chip: banks before ThreadConfig in the window, and words from one of ThreadConfig to the next.
BANKS_FIRST = (3, 2)
STRIDE = (1, THREAD_CONFIG_STRIDE)


def _config(machine: Machine, thread: int, words: list[str]) -> Iterator[Word]:
    """A field or word, of the banks or threads that are named, or of all."""
    chip = int(machine.S.tile.chip)
    known = config_fields(machine.arch)
    name = words.pop(0)
    if name in known:
        field = known[name]
        count = (field.low + field.width + 31) // 32
        masks = [field.mask >> (32 * i) & 0xFFFFFFFF for i in range(count)]
    else:
        word = number_of(name, "field or word of the configuration", CONFIG_WORDS[chip] - 1)
        field, masks = ConfigField(name, Space.STATE, word, 0, 32), [0xFFFFFFFF]
    if field.space is Space.THREAD:
        threads = chosen(thread, words, "watch cfg") if words else range(THREADS)
        first = BANKS_FIRST[chip] * CONFIG_WORDS[chip] + field.word * STRIDE[chip]
        each = THREAD_CONFIG_WORDS[chip] * STRIDE[chip]
        starts = [first + number * each for number in threads]
    else:
        banks = [number_of(words.pop(0), "bank", BANKS - 1)] if words else range(BANKS)
        starts = [bank * CONFIG_WORDS[chip] + field.word for bank in banks]
    no_more(words, "watch")
    for start in starts:
        for i, mask in enumerate(masks):
            yield Word(Cell.DEVICE, CONFIG_BASE + 4 * (start + i), B, mask)
