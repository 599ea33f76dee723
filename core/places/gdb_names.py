# SPDX-License-Identifier: Apache-2.0
"""GDB's names of registers as words of a place: `$gpr[5]` is `gpr 5`, `$sem.is.max[3]` `sem 3.max`.

`NAMES` is the table: the registers of a Tensix thread (`info registers tensix`), the pc, and v0 to
v31. Every other register of a hart is the place `reg`. GDB means those of the selected thread: its
owner is left out of the words, and its number in a row of the record is that of the caller.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, T2
from tensix_gdb.core.assembly.rv32 import ALL_ABI_NAMES, ALL_NUMERIC_NAMES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.perf.counters import fields_of
from tensix_gdb.core.perf.fields import BANKS, L1
from tensix_gdb.core.perf.fields import NAMES as BANK_NAMES
from tensix_gdb.core.places.kinds import ADC_UNITS, GPRS, RWC_LARGEST
from tensix_gdb.core.places.place import COUNTERS, NotAPlace
from tensix_gdb.core.riscv.csrs import CSRS
from tensix_gdb.core.tensix.frontend.fifo import A, B, C
from tensix_gdb.core.tensix.sync import MUTEXES
from tensix_gdb.core.tensix.vector.state import EXTRA, LANES

_REGISTERS = {*ALL_ABI_NAMES, *ALL_NUMERIC_NAMES, "fp"}
_CSRS = {name for _, name in CSRS}
_NO_PLACE = "is no place: type for example $gpr[5] or $lreg3.f[7]"
_NAME = re.compile(
    r"(\$?)([a-z]\w*?)(?:\.is\b)?(?:\.([a-z]\w*))?(?:\[(\d+)\])?", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True, slots=True)
class Field:
    """The words of one element of a field: {i} is one of `each`, {o} the owner, if one is named,
    {t} and {h} the number of the thread and the hart. Without words GDB computes it, and it is no
    place."""

    words: str = ""
    each: tuple[str, ...] = ()


def _each(count: int) -> tuple[str, ...]:
    return tuple(map(str, range(count)))


def _banks() -> dict[str, dict[str, Field]]:
    """Return the performance counters by bank."""
    found = {}
    for bank in range(BANKS):
        fields = {"cycles": Field(f"perf.reference[{bank}]")}
        if bank == L1:
            fields["mux"] = Field()
        for name, kind, selects in fields_of(bank):
            each = tuple(map(str, selects)) if len(selects) > 1 else ()
            at = "{i}" if each else selects[0]
            fields[name] = Field(f"perf.count[{bank},{kind},{at}]", each)
        found[f"perf_{BANK_NAMES[bank].lower()}"] = fields
    return found


def _counters(unit: int) -> dict[str, Field]:
    found = {}
    for channel in range(2):
        axes = COUNTERS[4 * channel : 4 * channel + 4]
        found[f"ch{channel}"] = Field(f"adc {{o}} {ADC_UNITS[unit]} {{i}}", axes)
        found[f"ch{channel}_cr"] = Field(f"adc.cr[{{t}},{unit},{channel},{{i}}]", _each(4))
    return found


_MASKS = ("kind", "block", "conditions", "semaphores", "target", "stream")
# By register and field; "" is a register that is a vector or a word.
NAMES: dict[str, dict[str, Field]] = {
    "gpr": {"": Field("gpr {o} {i}", _each(GPRS))},
    "gate": {
        "word": Field(),
        "held": Field("gate.held[{t}]"),
        "since": Field("gate.since[{t}]"),
        "passed": Field("passed.count[{t}]"),
        "nth": Field("passed.index[{t}]"),
    },
    "wait": {name: Field(f"latch.{name}[{{t}}]") for name in _MASKS},
    "fifo": {name: Field(f"fifo.count[{{t}},{at}]") for name, at in (("a", A), ("b", B), ("c", C))}
    | {"expanding": Field("mop.expanding[{t}]"), "replay": Field("replay.mode[{t}]")},
    "sem": {
        "value": Field("sem {i}", _each(SEMAPHORES)),
        "max": Field("sem {i}.max", _each(SEMAPHORES)),
    },
    "mutex": {"": Field("mutex {i}", _each(MUTEXES))},
    "adc_unp0": _counters(0),
    "adc_unp1": _counters(1),
    "adc_pack": _counters(2),
    "rwc": {name: Field(f"rwc {{o}} {name}") for name in RWC_LARGEST},
    "lanes": {
        "flags": Field("vector.flags"),
        "use_flags": Field("vector.use_flags"),
        "enabled": Field(),
    },
    **{
        f"lreg{number}": dict.fromkeys(("", *"fui"), Field(f"lreg {number}.{{i}}", _each(LANES)))
        for number in range(EXTRA + 1)
    },
    "cfg_bank": {"": Field("cfg CFG_STATE_ID_StateID {o}")},
    **_banks(),
    "pc": {"": Field("hart.pc[{h}]")},
    **{
        f"v{number}": dict.fromkeys(
            "wf", Field("rvv.word[{i}]", tuple(str(4 * number + i) for i in range(4)))
        )
        for number in range(32)
    },
}


def plain(words: Sequence[str], hart: int | None = None) -> list[str]:
    """Return the words, with a name of GDB's as words of a place; `hart` goes with the selected
    thread. NotAPlace for a `$` that is none."""
    found = _NAME.fullmatch(words[0])
    if found is None:
        if words[0].startswith("$"):
            raise NotAPlace(f"{words[0]} {_NO_PLACE}")
        return list(words)
    dollar, name, member, index = found[1], found[2].lower(), found[3] or "", found[4]
    rest = list(words[1:])
    # A word of a place, or a row of the record.
    if not dollar and (index is None or member) and not name.startswith("lreg"):
        return list(words)
    fields = NAMES.get(name)
    if fields is None:
        if number := re.fullmatch(r"lreg(\d+)", name):
            return ["lreg", number[1], *rest]  # which there is not, as words.py says
        if not dollar:
            return list(words)
        is_register = not member and not index and name in _REGISTERS
        if is_register and (not rest or rest[0].upper() in HART_NAMES):
            return ["reg", *rest, name]
        if member or index or not rest:
            what = "is a CSR and no place: GDB's `print` has it" if name in _CSRS else _NO_PLACE
            raise NotAPlace(f"{words[0]} {what}")
        return [name, *rest]  # `$dst 16.4`: as people write it
    if name == "sem" and not member:
        member = "value"
    if rest and not member and "" not in fields:
        return [name, *rest]  # `$rwc dst`
    owner = rest.pop(0).upper() if rest and rest[0].upper() in HART_NAMES else ""
    made = _words_of(name, member, index, owner, hart)
    return [*made, *rest]


def _words_of(name: str, member: str, index: str | None, owner: str, hart: int | None) -> list[str]:
    """Return the words of a register or a field of it, of one element or of all."""
    by_name = {one.lower(): one for one in NAMES[name]}
    if member.lower() not in by_name:
        known = list(filter(None, NAMES[name]))
        example = f"${name}.{known[0]}" if known else f"${name}[0]"
        which = f"the fields {', '.join(known)}" if known else "no fields"
        raise NotAPlace(f"${name} has {which}: type for example {example}")
    field = NAMES[name][by_name[member.lower()]]
    typed = f"${name}{member and '.' + member}"
    if not field.words:
        raise NotAPlace(
            f"{typed} is computed and no place: GDB's `print ${name}.is.{member}` has it"
        )
    hart = HART_NAMES.index(owner) if owner else hart
    if "{h}" in field.words and hart is None:
        raise NotAPlace(f"{typed}: of which hart? Type for example `{typed} T1`")
    thread = hart - T0 if hart is not None and T0 <= hart <= T2 else None
    if "{t}" in field.words and thread is None:
        raise NotAPlace(f"{typed}: of which thread? Type for example `{typed} T1`")
    if index is not None and int(index) >= max(len(field.each), 1):
        last = f": its elements are 0 to {len(field.each) - 1}" if field.each else ""
        raise NotAPlace(f"{typed} has no element {index}{last}")
    at = field.each[int(index)] if index is not None and field.each else _all(typed, field)
    return field.words.format(i=at, o=owner, t=thread, h=hart).split()


def _all(typed: str, field: Field) -> str:
    """Return every element: a range, or a list where the words may have one."""
    if not field.each:
        return ""
    numbers = [int(one) for one in field.each if one.isdecimal()]
    if numbers == list(range(numbers[0], numbers[0] + len(field.each)) if numbers else ()):
        return f"{numbers[0]}-{numbers[-1]}" if numbers else ",".join(field.each)
    raise NotAPlace(f"{typed} has {len(field.each)} elements: type for example `{typed}[0]`")
