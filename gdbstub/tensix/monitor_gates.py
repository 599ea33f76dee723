# SPDX-License-Identifier: Apache-2.0
"""`monitor break`, `monitor watch`, `monitor delete`: stops at the gates, changed words.

    break gate MVMUL UNPACR thread T1 if which_unpacker=UNP1, last=0 nth 5
    break gate unpack.c:45
    watch gpr T1 5          watch cfg THCON_SEC0_REG3_Base_address       watch sem 3

They belong to the tile, whoever has typed them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.arch.blackhole import THREADS, B
from core.armed import ArmedError
from core.devices.backend_config import BANKS, CONFIG_BASE, THREAD_WORDS, WORDS
from core.devices.semaphores import SEMAPHORE_BASE, SEMAPHORES
from core.gate_armed import (
    ALL_THREADS,
    ANYWHERE,
    FieldTest,
    GateBreak,
    GateWatch,
    Word,
    WordTest,
    words_at,
)
from core.isa.architecture import Arch
from core.isa.config_words import ConfigField, Space, config_fields
from core.isa.expression import ExpressionError
from core.isa.schema import EncodingError
from core.isa.text import field_called
from core.machine import Machine
from core.tensix import dst
from core.tensix.gate_stops import Compare
from core.tensix.gate_watch import Cell
from core.tensix.instruction import Instruction
from core.tensix.sync import MUTEXES, is_mutex
from core.tensix.table import by_mnemonic
from core.tensix.vector.state import LANES
from gdbstub.target import TargetError
from gdbstub.tensix.monitor_command import NAMES, chosen, named, no_more, number_of
from gdbstub.tensix.pushes import Place, places_called, pushes_in
from gdbstub.tensix.threads import hart_of

_COMPARES = {
    "=": Compare.EQUAL,
    "==": Compare.EQUAL,
    "!=": Compare.NOT_EQUAL,
    "<": Compare.LESS,
    "<=": Compare.AT_MOST,
    ">": Compare.GREATER,
    ">=": Compare.AT_LEAST,
}
_TEST = re.compile(r"\s*(\w+)\s*(==|!=|<=|>=|=|<|>)\s*([^,]+?)\s*")
_FORM = (
    "type `monitor break gate UNPACR`, a line `unpack.c:45`, a function or an address, any of them "
    "with `thread T1`, `if FIELD=VALUE` and `nth 5`"
)


def monitor_break(machine: Machine, thread: int, words: list[str]) -> str:
    """List what is there, or add one."""
    if not words:
        return _listed(machine) or f"There is no gate breakpoint; {_FORM}.\n"
    if words.pop(0) != "gate" or not words:
        raise TargetError(_FORM)
    wanted, places = _parse(machine, words)
    try:
        number = machine.gates.add_break(wanted)
    except ArmedError as problem:
        raise TargetError(str(problem)) from None
    return f"Gate breakpoint {number}: {wanted.text}.{_said_about(machine, places)}\n"


def _said_about(machine: Machine, places: Sequence[Place]) -> str:
    """How much of the code it covers: a line that pushes nothing would never stop."""
    if not places:
        return ""
    pushes, stores = pushes_in(machine, places)
    shown = ", ".join(f"{pc:#010x}" for pc in pushes[:8]) + (", ..." if len(pushes) > 8 else "")
    covers = [f"{len(pushes)} push{'es' * (len(pushes) != 1)}" + f" ({shown})" * bool(pushes)]
    if stores:
        covers.append(f"{stores} store{'s' * (stores != 1)}, which may push too")
    return f" It covers {' and '.join(covers)}."


def _parse(machine: Machine, words: Sequence[str]) -> tuple[GateBreak, list[Place]]:
    text = " ".join(words)
    head, _, rest = f" {text} ".partition(" if ")
    if not rest:
        head, rest = text, ""
    head, head_nth = _take(head, "nth")
    rest, rest_nth = _take(rest, "nth")
    head, head_thread = _take(head, "thread")
    rest, rest_thread = _take(rest, "thread")
    nth, whose = head_nth or rest_nth, head_thread or rest_thread
    threads = ALL_THREADS
    if whose:
        number = named(whose)
        if number is None:
            raise TargetError(f"{whose!r} is no Tensix thread: type T0, T1 or T2")
        threads = 1 << number
    if nth and not (nth.isdecimal() and int(nth)):
        raise TargetError(f"`nth {nth}`: type a number from 1 on")
    rows: list[Instruction] = []
    places: list[Place] = []
    for word in head.replace(",", " ").split():
        found = _rows(word)
        rows += found
        if not found:
            places += places_called(machine, word)
    if not rows and not places and not whose:
        raise TargetError(_FORM)
    tests = _tests(rows, rest)
    ranges = _joined([r for place in places for r in place.ranges]) or ANYWHERE
    return GateBreak(" ".join(text.split()), ranges, threads, tests, int(nth or 0)), places


def _take(text: str, key: str) -> tuple[str, str]:
    """What follows a key word, taken out of the text."""
    found = re.search(rf"(?:^|\s){key}\s+(\S+)", text)
    if found is None:
        return text, ""
    return text[: found.start()] + " " + text[found.end() :], found[1].rstrip(",")


def _rows(word: str) -> list[Instruction]:
    """The rows of the table that a mnemonic means; none if it is no mnemonic."""
    mnemonic, _, form = word.upper().partition(".")
    rows = by_mnemonic(Arch.BLACKHOLE).get(mnemonic, ())
    return [row for row in rows if not form or row.form.upper() == form]


def _tests(rows: Sequence[Instruction], text: str) -> tuple[WordTest, ...]:
    """For each row what it is known by; rows that lack a field that is compared drop out."""
    if not text.strip():
        tests = [WordTest(row.encoding.mask, row.encoding.match) for row in rows]
        return tuple(tests) or (WordTest(),)
    if not rows:
        raise TargetError("name the instruction whose fields are compared: `UNPACR if last=1`")
    tests = []
    refused = ""
    for row in rows:
        try:
            fields = tuple(_field_test(row, part) for part in text.split(","))
        except TargetError as problem:
            refused = refused or str(problem)
            continue
        tests.append(WordTest(row.encoding.mask, row.encoding.match, fields))
    if not tests:
        raise TargetError(refused)
    return tuple(tests)


def _field_test(row: Instruction, text: str) -> FieldTest:
    found = _TEST.fullmatch(text)
    if found is None:
        raise TargetError(f"{text.strip()!r} is no comparison of the form FIELD=VALUE")
    name = field_called(row, found[1])
    if name is None:
        known = ", ".join(row.encoding.fields) or "no fields"
        raise TargetError(f"{row.name} has no field {found[1]!r}; it has {known}")
    field, compare = row.encoding.fields[name], _COMPARES[found[2]]
    try:
        value = row.operands[name].kind.read(found[3], lambda _: None, Arch.BLACKHOLE)
        bits = field.put(value)
    except (ExpressionError, EncodingError) as problem:
        raise TargetError(f"{row.name}: {found[1]}: {problem}") from None
    mask = field.word_mask
    if compare in (Compare.EQUAL, Compare.NOT_EQUAL):
        return FieldTest(compare, 0, mask, bits)
    if len(field.pieces) > 1 or field.signed:
        raise TargetError(f"{found[1]} of {row.name} can be compared with = and != only")
    shift = field.pieces[0].word_shift
    return FieldTest(compare, shift, mask >> shift, bits >> shift)


def _joined(ranges: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Ranges that do not overlap, so that nothing is counted twice."""
    out: list[tuple[int, int]] = []
    for lo, hi in sorted(ranges):
        if out and lo <= out[-1][1]:
            out[-1] = out[-1][0], max(hi, out[-1][1])
        else:
            out.append((lo, hi))
    return tuple(out)


def _listed(machine: Machine) -> str:
    gates = machine.gates
    rows = [f"{n:3}  gate   {one.text}: {gates.hits(n)} hits" for n, one in gates.breaks.items()]
    rows += [
        f"{n:3}  watch  {one.text}" if n > 0 else f"     watch  {one.text}, inserted by a client"
        for n, one in gates.watches.items()
    ]
    return "".join(f"{row}\n" for row in rows)


def monitor_delete(machine: Machine, thread: int, words: list[str]) -> str:
    """Take away those that are named, or all."""
    gates = machine.gates
    own = [*gates.breaks, *(number for number in gates.watches if number > 0)]
    if words == ["all"]:
        numbers = own
    else:
        numbers = [int(word) for word in words if word.isdecimal()]
        if not words or len(numbers) < len(words) or not set(numbers) <= set(own):
            raise TargetError(
                "type `monitor delete N` with a number that `monitor break` lists, or `monitor "
                "delete all`; what GDB has inserted is deleted there"
            )
    for number in numbers:
        gates.remove(number)
    return _listed(machine) or "Nothing is left.\n"


def monitor_watch(machine: Machine, thread: int, words: list[str]) -> str:
    """List what is there, or stop when the coprocessor changes a word."""
    if not words:
        return _listed(machine) or "Nothing is watched; `monitor help watch` has the form.\n"
    kind = words.pop(0)
    text = " ".join((kind, *words))
    if kind == "gpr":
        found = list(_gprs(thread, words))
    elif kind == "cfg" and words:
        found = list(_config(thread, words))
    elif kind == "sem" and len(words) == 1:
        found = [_semaphore(words[0])]
    elif kind == "mutex" and len(words) == 1:
        number = number_of(words[0], "mutex", MUTEXES - 1)
        if not is_mutex(machine.S, number):
            raise TargetError(f"there is no mutex {number}")
        found = [Word(Cell.MUTEX, number)]
    elif kind == "lreg" and words:
        found = list(_lreg(words))
    elif kind == "dst" and words:
        found = list(_dst(machine, words))
    elif kind[:1].isdecimal():
        length = number_of(words[0], "number of bytes", 256) if words else 4
        addr = number_of(kind, "address", 0xFFFFFFFF)
        found = list(words_at(machine.S, hart_of(thread), addr, length))
    else:
        raise TargetError(
            "type `monitor watch gpr T1 5`, `cfg NAME|WORD`, `sem 3`, `sem 3.max`, `mutex 2`, "
            "`lreg 3 [LANE]`, `dst ROW [COUNT]`, or an address with a number of bytes"
        )
    if not found:
        raise TargetError(f"{text}: the coprocessor cannot change that")
    try:
        number = machine.gates.add_watch(GateWatch(text, tuple(found)))
    except ArmedError as problem:
        raise TargetError(str(problem)) from None
    return f"Watch {number}: {text}, {len(found)} word{'s' * (len(found) != 1)}.\n"


def _gprs(thread: int, words: list[str]) -> Iterator[Word]:
    asked = [words.pop()] if words and words[-1].isdecimal() and len(words) > 0 else []
    if not asked:
        raise TargetError("type `monitor watch gpr T1 5`: a thread and the number of a GPR")
    number = number_of(asked[0], "GPR", 63)
    for one in chosen(thread, words, "watch gpr"):
        yield Word(Cell.GPR, one * 64 + number)
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
    return Word(Cell.DEVICE, SEMAPHORE_BASE + 4 * number, B + 1)


def _config(thread: int, words: list[str]) -> Iterator[Word]:
    """A field or word, of the banks or threads that are named, or of all."""
    known = config_fields(Arch.BLACKHOLE)
    name = words.pop(0)
    if name in known:
        one = known[name]
        count = (one.low + one.width + 31) // 32
        masks = [one.mask >> (32 * i) & 0xFFFFFFFF for i in range(count)]
    else:
        word = number_of(name, "field or word of the configuration", WORDS - 1)
        one, masks = ConfigField(name, Space.STATE, word, 0, 32), [0xFFFFFFFF]
    if one.space is Space.THREAD:
        threads = chosen(thread, words, "watch cfg") if words else range(THREADS)
        starts = [3 * WORDS + number * THREAD_WORDS for number in threads]
    else:
        banks = [number_of(words.pop(0), "bank", BANKS - 1)] if words else range(BANKS)
        starts = [bank * WORDS for bank in banks]
    no_more(words, "watch")
    for start in starts:
        for i, mask in enumerate(masks):
            yield Word(Cell.DEVICE, CONFIG_BASE + 4 * (start + one.word + i), B, mask)


assert len(NAMES) == THREADS
