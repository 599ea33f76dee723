# SPDX-License-Identifier: Apache-2.0
"""`monitor break` and `monitor delete`: stops at the gates.

    break gate MVMUL UNPACR thread T1 if which_unpacker=UNP1, last=0 nth 5
    break gate unpack.c:45
    break gate compute.cpp:12 pending

They belong to the tile, whichever client has typed them.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from functools import partial

from tensix_gdb.core.assembly.tensix_names import mnemonics_called
from tensix_gdb.core.assembly.tensix_read import field_called
from tensix_gdb.core.debug.breakpoints import ArmedError
from tensix_gdb.core.debug.gate_breakpoints import (
    ALL_THREADS,
    ANYWHERE,
    FieldTest,
    GateBreak,
    WordTest,
)
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.expression import ExpressionError
from tensix_gdb.core.isa.schema import EncodingError
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.gate.breakpoints import Compare
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.table import by_mnemonic
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.monitor.push_sites import PushSites, places_called, pushes_in
from tensix_gdb.gdbstub.tensix.monitor_row import named

log = logging.getLogger(__name__)

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
_PENDING = re.compile(r"(?:^|\s)pending(?=\s|$)")
_FORM = (
    "type `monitor break gate UNPACR`, a line `unpack.c:45`, a function or an address, any of them "
    "with `thread T1`, `if FIELD=VALUE` and `nth 5` (the fifth of each push); with `pending` it "
    "may be in a program that is loaded later"
)


def monitor_break(machine: Machine, thread: int, words: list[str]) -> str:
    """List what is there, or add one."""
    if not words:
        return listed(machine) or f"There is no gate breakpoint; {_FORM}.\n"
    kind = words.pop(0)
    if kind == "race":
        from tensix_gdb.gdbstub.tensix.races.monitor import break_race

        return break_race(machine, words)
    if kind != "gate" or not words:
        raise TargetError(_FORM)
    wanted, places = gate_break(machine, " ".join(words))
    try:
        number = machine.gates.add_break(wanted)
    except ArmedError as problem:
        raise TargetError(str(problem)) from None
    machine.loader.on_changed = partial(follow_programs, machine)
    return f"Gate breakpoint {number}: {wanted.text}.{_said_about(machine, wanted, places)}\n"


def follow_programs(machine: Machine) -> None:
    """Put the gate breakpoints where the programs that are loaded now have their places: a host
    loads a kernel with each launch, and each time elsewhere."""
    for number, old in tuple(machine.gates.breaks.items()):
        new, _ = gate_break(machine, f"{old.text} pending")
        if new.ranges == old.ranges:
            continue
        try:
            machine.gates.replace_break(number, new)
        except ArmedError as problem:
            log.warning("gate breakpoint %s (%s) stays as it was: %s", number, old.text, problem)


def _said_about(machine: Machine, wanted: GateBreak, places: Sequence[PushSites]) -> str:
    """Return how much of the code it covers: a line that pushes nothing would never stop."""
    if not wanted.ranges:
        return " No program that is loaded has code for it; it is set when one comes."
    if not places:
        return ""
    pushes, stores = pushes_in(machine, places)
    if not pushes and not stores:
        return " Nothing is pushed there, so it stops nothing: name a line that pushes."
    shown = ", ".join(f"{pc:#010x}" for pc in pushes[:8]) + (", ..." if len(pushes) > 8 else "")
    covers = [f"{len(pushes)} push{'es' * (len(pushes) != 1)}" + f" ({shown})" * bool(pushes)]
    if stores:
        covers.append(f"{stores} store{'s' * (stores != 1)}, which may push too")
    return f" It covers {' and '.join(covers)}."


def gate_break(machine: Machine, text: str) -> tuple[GateBreak, list[PushSites]]:
    """Parse the words after `break gate`. Return the breakpoint and the places among them."""
    head, _, rest = f" {text} ".partition(" if ")
    if not rest:
        head, rest = text, ""
    is_pending = "pending" in f"{head} {rest}".split()
    head, rest = (_PENDING.sub("", part) for part in (head, rest))
    text = _PENDING.sub("", text)
    head, head_nth = _take_word(head, "nth")
    rest, rest_nth = _take_word(rest, "nth")
    head, head_thread = _take_word(head, "thread")
    rest, rest_thread = _take_word(rest, "thread")
    nth, named_thread = head_nth or rest_nth, head_thread or rest_thread
    threads = ALL_THREADS
    if named_thread:
        number = named(named_thread)
        if number is None:
            raise TargetError(f"{named_thread!r} is no Tensix thread: type T0, T1 or T2")
        threads = 1 << number
    if nth and not (nth.isdecimal() and int(nth)):
        raise TargetError(f"`nth {nth}`: type a number from 1 on")
    rows: list[Instruction] = []
    places: list[PushSites] = []
    has_place = False
    for word in head.replace(",", " ").split():
        named_rows = _rows(word)
        rows += named_rows
        if not named_rows:
            places += _places(machine, word, is_pending)
            has_place = True
    if not rows and not has_place and not named_thread:
        raise TargetError(_FORM)
    tests = _tests(rows, rest)
    ranges = _joined([r for place in places for r in place.ranges]) if has_place else ANYWHERE
    return GateBreak(" ".join(text.split()), ranges, threads, tests, int(nth or 0)), places


def _places(machine: Machine, word: str, is_pending: bool) -> list[PushSites]:
    """Return the places that a word means; none if it may be pending and no program has it."""
    try:
        return places_called(machine, word)
    except TargetError:
        if is_pending and not word[0].isdecimal():
            return []
        raise


def _take_word(text: str, key: str) -> tuple[str, str]:
    """Take the word after a key word out of the text. Return the rest and the word."""
    match = re.search(rf"(?:^|\s){key}\s+(\S+)", text)
    if match is None:
        return text, ""
    return text[: match.start()] + " " + text[match.end() :], match[1].rstrip(",")


def _rows(word: str) -> list[Instruction]:
    """Return the rows of the table that a mnemonic means; none if it is no mnemonic."""
    mnemonic, _, form = word.upper().partition(".")
    return [
        row
        for name in mnemonics_called(mnemonic, Arch.BLACKHOLE)
        for row in by_mnemonic(Arch.BLACKHOLE)[name]
        if not form or row.form.upper() == form
    ]


def _tests(rows: Sequence[Instruction], text: str) -> tuple[WordTest, ...]:
    """Return for each row what it is known by; rows that lack a field that is compared drop out."""
    if not text.strip():
        tests = [WordTest(row.encoding.mask, row.encoding.match) for row in rows]
        return tuple(tests) or (WordTest(),)
    if not rows:
        raise TargetError("name the instruction with these fields: `UNPACR if last=1`")
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
    match = _TEST.fullmatch(text)
    if match is None:
        raise TargetError(f"{text.strip()!r} is no comparison of the form FIELD=VALUE")
    name = field_called(row, match[1])
    if name is None:
        known = ", ".join(row.encoding.fields) or "no fields"
        raise TargetError(f"{row.name} has no field {match[1]!r}; it has {known}")
    field, compare = row.encoding.fields[name], _COMPARES[match[2]]
    try:
        value = row.operands[name].kind.read(match[3], lambda _: None, Arch.BLACKHOLE)
        bits = field.put(value)
    except (ExpressionError, EncodingError) as problem:
        raise TargetError(f"{row.name}: {match[1]}: {problem}") from None
    mask = field.word_mask
    if compare in (Compare.EQUAL, Compare.NOT_EQUAL):
        return FieldTest(compare, 0, mask, bits)
    if len(field.pieces) > 1 or field.signed:
        raise TargetError(f"{match[1]} of {row.name} can be compared with = and != only")
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


def listed(machine: Machine) -> str:
    gates = machine.gates
    rows = [f"{n:3}  gate   {stop.text}: {_hits(machine, n)}" for n, stop in gates.breaks.items()]
    rows += [
        f"{n:3}  watch  {stop.text}" if n > 0 else f"     watch  {stop.text}, inserted by a client"
        for n, stop in gates.watches.items()
    ]
    return "".join(f"{row}\n" for row in rows)


def _hits(machine: Machine, number: int) -> str:
    hits, ignored = machine.gates.hits(number), machine.gates.ignored(number)
    more = f", the next {ignored} are ignored" if ignored else ""
    more += "" if machine.gates.breaks[number].ranges else ", pending: no program has code for it"
    return f"{hits} hit{'s' * (hits != 1)}{more}"


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
    return listed(machine) or "Nothing is left.\n"
