# SPDX-License-Identifier: Apache-2.0
"""K1: fields of configuration that a kernel has left changed, and what has changed them.

A kernel gives itself most of its configuration: what a hw_configure has written stays, and the next
kernel writes it again. So a field has leaked if it has neither its value from before nor the one
from such a function, whichever was last.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator, Sequence

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.backend_config import BANKS, THREAD_WORDS, WORDS
from tensix_gdb.core.isa.config_words import ConfigField, parts_of_word
from tensix_gdb.core.race.fields import CONFIG_CELLS, THREAD_CONFIG_CELLS, pc_of
from tensix_gdb.core.race.registers import own_words
from tensix_gdb.core.race.state.fields import WRITES_KEPT, is_kernel
from tensix_gdb.core.race.state.table import Number
from tensix_gdb.core.record.layout import View

# Functions at the site of an instruction of a hart with their files, the innermost first:
# `set ckernel_addrmod.h`.
Functions = Callable[[int, int], Sequence[str]]

# What each kernel gives itself, by the functions that write it: without their template arguments,
# or with the file, as `set ckernel_addrmod.h`.
CONFIGURES = (
    ("*hw_configure*", "formats, strides, sizes of tiles"),
    ("*reconfig*data_format*", "the same of another operand"),
    ("*reconfig_tile_shape*", "the same of another operand"),
    ("configure_unpack_AB", "the same of unpackers"),
    ("configure_pack", "the same of the packer"),
    ("set_packer_strides", "the same"),
    ("set ckernel_addrmod.h", "address modifiers: each init of LLK writes those that it uses"),
    ("*configure_addrmod*", "the same"),
    ("device_setup", "what boot code sets"),
)
# What gives itself address counters: a call of LLK sets those that it uses before its first UNPACR
# or PACR, and an init the ends of X (tt-llk#1036).
COUNTS = ("_llk_*",)
# Fields that each tile or each section of Dst has anew.
PER_TILE = (
    ("*_Base_address", "where an unpacker reads"),
    ("*_Base_cntx?_address", "the same, of its contexts"),
    ("*_L1_Dest_addr", "where the packer writes"),
    ("DEST_TARGET_REG_CFG_*_Offset", "the half of Dst that is in use"),
    ("CFG_STATE_ID_*", "the bank that is in use"),
    ("UNPACK_MISC_CFG_CfgContext*", "the context that is in use"),
    ("SCRATCH_SEC?_val", "operands of CFGSHIFTMASK: an init that uses one writes it"),
)
# Values that change nothing, so a kernel that leaves one has put the field back, whatever it was.
NEUTRAL = (("PCK_EDGE_OFFSET_SEC?_mask", 0xFFFF, "all columns stay: what LLK clears a mask to"),)


@dataclass(frozen=True, slots=True)
class Leak:
    """One of them. `cell` is of the shadow; `site` of the last write, 0 if it is not known, and
    `given` that of the hw_configure before it."""

    check: Number
    name: str
    cell: int
    mask: int
    site: int
    given: int
    text: str
    when: int = -1  # the cycle of the last write; -1: not known
    given_when: int = -1
    back: int | None = None  # the word that an uninit would write: of the hw_configure, or before


@dataclass(frozen=True, slots=True)
class _Write:
    when: int
    site: int
    value: int
    bits: int
    configures: bool  # a function of CONFIGURES, or no kernel


def leaked_words(
    S: View,
    config: Sequence[tuple[list[int], list[int]]],
    thread: Sequence[tuple[list[int], list[int]]],
    functions: Functions,
) -> Iterator[Leak]:
    """Yield the fields that differ; of each bank and thread the words from before and of now."""
    writes = _writes(S, functions)
    arch = own_words.arch(S)
    for bank in range(BANKS):
        for word, (old, new) in enumerate(zip(*config[bank], strict=True)):
            if old != new and not (bank and own_words.is_global(S, word)):
                cell = CONFIG_CELLS + bank * WORDS + word
                fields = parts_of_word(arch, word, thread=False)
                yield from _word(cell, word, old, new, writes.get(cell, []), fields)
    for number in range(THREADS):
        for word, (old, new) in enumerate(zip(*thread[number], strict=True)):
            if old != new:
                cell = THREAD_CONFIG_CELLS + number * THREAD_WORDS + word
                fields = parts_of_word(arch, word, thread=True)
                yield from _word(cell, word, old, new, writes.get(cell, []), fields)


def _word(
    cell: int,
    word: int,
    old: int,
    new: int,
    writes: list[_Write],
    fields: Sequence[ConfigField],
) -> Iterator[Leak]:
    """Yield the fields of a word that have leaked, as one."""
    given = next((one for one in reversed(writes) if one.configures), None)
    leaked = _changed(old, new, given, [each.mask for each in fields if each.word == word])
    last = _last_change(writes, leaked)
    if not leaked or (last is not None and last.configures):
        return
    names = []
    for each in fields:
        value = new >> each.low & (1 << each.width) - 1
        if each.word == word and (is_per_tile(each.name) or is_neutral(each.name, value)):
            leaked &= ~each.mask & 0xFFFFFFFF
    if not leaked:
        return
    rest = leaked
    for each in fields:
        mask = each.mask & 0xFFFFFFFF if each.word == word else 0xFFFFFFFF
        if leaked & mask and each.word == word:
            at = each.low
            size = (1 << each.width) - 1
            parts = f"{each.name} is {new >> at & size:#x}, was {old >> at & size:#x}"
            if given is not None and given.value >= 0 and given.value != old:
                parts += f", configured as {given.value >> at & size:#x}"
            names.append(parts)
            rest &= ~mask
    if rest:
        names.append(f"bits {rest:#x} are {new & rest:#x}, were {old & rest:#x}")
    text = f"{'; '.join(names)}."
    yield Leak(
        Number.K1,
        "",
        cell,
        leaked,
        last.site if last else 0,
        given.site if given else 0,
        text,
        last.when if last else -1,
        given.when if given else -1,
        given.value if given is not None and given.value >= 0 else old,
    )


def _changed(old: int, new: int, given: _Write | None, fields: Sequence[int]) -> int:
    """Return the bits of fields that have neither of the two values; no bit by itself can say it:
    3 differs from 1 in one bit, and from 2 in the other one."""
    from_given = given.value ^ new if given is not None and given.value >= 0 else 0xFFFFFFFF
    from_old, leaked, rest = old ^ new, 0, 0xFFFFFFFF
    for mask in fields:
        if from_old & mask and from_given & mask:
            leaked |= (from_old if given is None or given.value < 0 else from_given) & mask
        rest &= ~mask
    return leaked | from_old & from_given & rest


def _last_change(writes: Sequence[_Write], leaked: int) -> _Write | None:
    """Return the last write of these bits, without those that have stored them as they were: a hart
    that changes one field loads and stores the word."""
    found = None
    for one in writes:
        before = found.value if found is not None else -1
        kept = before >= 0 and one.value >= 0 and not (before ^ one.value) & leaked
        if one.bits & leaked and not kept:
            found = one
    return found


def _writes(S: View, functions: Functions) -> dict[int, list[_Write]]:
    """Return the last write of each instruction to each word, by time."""
    found: dict[int, list[_Write]] = {}
    for i in range(WRITES_KEPT):
        key = int(S.state.log_key[i])
        if not key:
            continue
        cell, site = CONFIG_CELLS + (key >> 16 & 0xFFFFFFF), key & 0xFFFF
        what = int(S.race.site[site])
        names = functions(what & 7, pc_of(what))
        configures = is_configuring(names) or not is_kernel(S, site)
        value, bits = int(S.state.log_value[i]), int(S.state.log_bits[i])
        write = _Write(int(S.state.log_when[i]), site, value, bits, configures)
        found.setdefault(cell, []).append(write)
    for writes in found.values():
        writes.sort(key=lambda one: one.when)
    return found


def is_configuring(names: Sequence[str]) -> bool:
    """True if one of the functions gives a kernel what each kernel gives itself."""
    return is_one_of(names, [pattern for pattern, _ in CONFIGURES])


def is_one_of(names: Sequence[str], patterns: Sequence[str]) -> bool:
    """True if one of the functions, with its file, has one of the names."""
    for name in names:
        function, _, file = name.rpartition(" ")
        plain = function.partition("<")[0].rpartition("::")[2]
        for pattern in patterns:
            if fnmatch.fnmatchcase(f"{plain} {file}" if " " in pattern else plain, pattern):
                return True
    return False


def is_per_tile(field_name: str) -> bool:
    """True if each tile has the field anew."""
    return any(fnmatch.fnmatchcase(field_name, pattern) for pattern, _ in PER_TILE)


def is_neutral(field_name: str, value: int) -> bool:
    """True if a field with the value changes nothing."""
    return any(
        value == neutral and fnmatch.fnmatchcase(field_name, pattern)
        for pattern, neutral, _ in NEUTRAL
    )
