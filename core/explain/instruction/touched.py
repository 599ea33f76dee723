# SPDX-License-Identifier: Apache-2.0
"""The state that an instruction word reads and writes, in words, from its row.

Operands are named as its fields have them: GPRs, words of configuration, LRegs, semaphores. Other
state is named by its kind, as addresses and counters decide which of it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tensix_gdb.core.tensix.config_use import ConfigUse, Stage
from tensix_gdb.core.tensix.gpr_use import WRITES, GprAccess, GprUse, Width
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.packer.metadata import ResultSize
from tensix_gdb.core.tensix.scalar.unit import Size
from tensix_gdb.core.tensix.state_use import State, StateUse, Which

Fields = Mapping[str, int]
# Kinds with numbers: of one element, and of several.
_NUMBERED = {State.SEMAPHORE: "semaphore", State.MUTEX: "mutex"}
_CONFIG_OF = {Stage.GATE: "ThreadConfig", Stage.SCALAR: "THCON's configuration"}
OWN_SCRATCH = 3  # of CFGSHIFTMASK: the thread's


def reads(row: Instruction, word: int) -> str:
    """The state that the word reads; empty if there is none."""
    return _text(row, row.encoding.decode(word), writes=False)


def writes(row: Instruction, word: int) -> str:
    """The state that the word writes; empty if there is none."""
    return _text(row, row.encoding.decode(word), writes=True)


def kinds(row: Instruction, *, written: bool) -> list[str]:
    """The kinds of state that the instruction reads, or writes, with some fields at least."""
    gprs = [use.access for _, use in row.gprs]
    found = []
    if any(_writes(use) if written else _reads(use) for use in gprs):
        found.append("GPRs")
    if row.config is not None and (row.config.writes if written else row.config.reads):
        found.append("configuration")
    uses = row.writes if written else row.reads
    return [*found, *dict.fromkeys(use.state.value for use in uses)]


def _text(row: Instruction, fields: Fields, *, writes: bool) -> str:
    parts = [*_gprs(row, fields, writes), *_config(row, fields, writes)]
    parts += _state(row.writes if writes else row.reads, fields)
    return ", ".join(dict.fromkeys(parts))


def _reads(access: GprAccess) -> bool:
    return access in (GprAccess.READ, GprAccess.COUNT_ON)


def _writes(access: GprAccess) -> bool:
    return access in (*WRITES, GprAccess.COUNT_ON)


# -- GPRs
def _gprs(row: Instruction, fields: Fields, writes: bool) -> Iterator[str]:
    for name, use in row.gprs:
        wanted = _writes(use.access) if writes else _reads(use.access)
        if writes and use.access is GprAccess.COUNT_ON:
            wanted = bool(fields["offset_increment"])
        if wanted:
            yield gprs_of(use, fields[name], fields.get(use.by, 0))


def gprs_of(use: GprUse, value: int, by: int) -> str:
    """The GPRs of a use: `G5`, `G5_lo`, `G4 to G7`, or what of one."""
    half = f"G{value >> 1}_{'hi' if value & 1 else 'lo'}"
    gpr = value >> 1 if use.width is Width.RESULT_SIZE else value
    count = 1
    match use.width:
        case Width.HALF:
            return half
        case Width.PAIR:
            count = 2
        case Width.SIZED if by in (Size.BITS_16, Size.BITS_8):
            return f"{16 if by == Size.BITS_16 else 8} bits of G{gpr}"
        case Width.SIZED:
            count = 4 if by == Size.BITS_128 else 1
        case Width.FOUR_IF:
            count = 4 if by else 1
        case Width.FOUR_UNLESS:
            count = 1 if by else 4
        case Width.RESULT_SIZE if by == ResultSize.BITS_16:
            return half
        case Width.RESULT_SIZE:
            count = 1 if by == ResultSize.BITS_32 else 4
    first = gpr & ~3 if count > 1 else gpr
    return f"G{first}" if count == 1 else f"G{first} to G{first + count - 1}"


# -- configuration
def _config(row: Instruction, fields: Fields, writes: bool) -> Iterator[str]:
    use = row.config
    if use is None:
        return
    if use.writes if writes else use.reads:
        yield _words(use, fields)
    if use.scratch and not writes:
        which = fields[use.scratch]
        yield (
            "the thread's scratch register" if which == OWN_SCRATCH else f"scratch register {which}"
        )


def _words(use: ConfigUse, fields: Fields) -> str:
    words = use.words(fields)
    of = _CONFIG_OF.get(use.stage, "Config")
    if len(words) > 1:
        return f"words {words[0]} to {words[-1]} of {of}"
    return f"word {words[0]} of {of}"


# -- the rest
def _state(uses: Iterable[StateUse], fields: Fields) -> Iterator[str]:
    for use in uses:
        if use.holds(fields):
            text = _use(use, fields)
            if text:
                yield text if use.is_sure else f"{text} if LaneConfig says so"


def _use(use: StateUse, fields: Fields) -> str:
    """A use in words; empty if the fields choose no element."""
    elements = use.elements(fields)
    if elements is None:
        return "the LReg that LReg[7] names" if use.which is Which.INDIRECT else use.state.value
    numbers = sorted(elements)
    if not numbers:
        return ""
    if use.state is State.LREG:
        numbers = [number & 15 for number in numbers] if use.field else numbers
        return ", ".join(f"LReg[{number}]" for number in numbers)
    one = _NUMBERED.get(use.state, use.state.value)
    if len(numbers) == 1:
        return f"{one} {numbers[0]}"
    return f"{use.state.value} {', '.join(map(str, numbers))}"
