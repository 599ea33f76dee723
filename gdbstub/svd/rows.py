# SPDX-License-Identifier: Apache-2.0
"""The contents of the file: peripherals of registers of fields, made from the rows of the machine.

What a debugger cannot look at is left out: registers that are known by their name only, and those
that pop or wait when they are read. So is ConfigDualWrite, which reads as bank 0 and writes both.
Words of configuration without a field have no name to be shown by.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices import backend_config
from tensix_gdb.core.devices.registers import Access, Bits, Register, RegisterBlock
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import Space, fields_of_word
from tensix_gdb.core.memory.devices import DEVICES, Device

WORD_BITS = 32
NAMES = {
    "TDMA": "TDMA_RISC", "MOP_CONFIG": "MOP_CFG", "GPR": "TENSIX_GPR", "MAILBOX": "MAILBOXES",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shown:
    """One register: 32 bits at an offset from its peripheral's base."""

    offset: int
    name: str
    access: Access
    doc: str
    reset: int = 0
    fields: tuple[Bits, ...] = ()


@dataclass(slots=True)
class Peripheral:
    """Registers from `base` on; `copies` of them follow each other, each of `size` bytes."""

    name: str
    base: int
    size: int
    doc: str
    registers: list[Shown] = field(default_factory=list)
    copies: int = 1
    of_copy: str = ""
    same_as: str = ""  # a peripheral with the same registers elsewhere


def peripherals() -> Iterator[Peripheral]:
    """Yield all of the tile, by address."""
    seen: dict[int, str] = {}
    for device in DEVICES:
        module = device.load()
        block: RegisterBlock | None = getattr(module, "BLOCK", None)
        if device.key == "CONFIG":
            yield from configuration()
        elif block is not None:
            made = _of_block(device, block, seen.get(id(block), ""))
            seen.setdefault(id(block), made.name)
            yield made
        elif window := getattr(module, "WINDOW", ()):
            yield _of_window(device, window)


def _of_block(device: Device, block: RegisterBlock, same_as: str) -> Peripheral:
    span = device.spans[0]
    copies = (span.end - span.start) // block.size if block.copies else 1
    made = Peripheral(
        NAMES.get(device.key, device.key),
        span.start,
        block.size,
        f"{device.name} ({block.page})",
        copies=copies,
        of_copy=block.copies.upper(),
        same_as=same_as,
    )
    seen = [_shown(row, index, offset, block.part) for offset, row, index in block if _is_seen(row)]
    made.registers = list(_once(seen))
    return made


def _of_window(device: Device, window: tuple[Register, ...]) -> Peripheral:
    span = device.spans[0]
    made = Peripheral(
        NAMES.get(device.key, device.key), span.start, span.end - span.start, device.name
    )
    shown = [
        _shown(register, index, register.offset + index * register.step, "")
        for register in window
        for index in range(register.count)
        if _is_seen(register)
    ]
    made.registers = list(_once(sorted(shown, key=lambda one: one.offset)))
    return made


def _is_seen(register: Register) -> bool:
    """True if a debugger can look at it, or at least store to it."""
    return register.access is not Access.MISSING and not register.may_wait


def _shown(register: Register, index: int, offset: int, part: str) -> Shown:
    name = register.title(index)
    if register.count > 1 and name == register.name:
        name = f"{name}_{index}"
    path = register.path(part)
    doc = f"{register.doc} (row {path} of the record)" if path else register.doc
    return Shown(offset, identifier(name), register.access, doc, register.reset, register.fields)


def identifier(name: str) -> str:
    """Return a name as C has it: `SW_INT[3]` is SW_INT_3, `SCALERS + 0x100` SCALERS_0x100."""
    plain = re.sub(r"\W+", "_", name).strip("_")
    return plain if not plain[:1].isdigit() else f"_{plain}"


def _once(registers: list[Shown]) -> Iterator[Shown]:
    """Yield each name once: a further one gets its offset."""
    known: set[str] = set()
    for one in registers:
        name = one.name if one.name not in known else f"{one.name}_{one.offset:X}"
        known.add(name)
        yield Shown(one.offset, name, one.access, one.doc, one.reset, one.fields)


# The configuration


def configuration() -> Iterator[Peripheral]:
    """Yield both banks of Config and ThreadConfig of each thread, with the fields by name."""
    base, bank = backend_config.CONFIG_BASE, 4 * backend_config.WORDS
    for number in range(backend_config.BANKS):
        yield Peripheral(
            f"CFG_STATE_{number}",
            base + number * bank,
            bank,
            f"Tensix configuration, bank {number}, for threads with CFG_STATE_ID {number}",
            list(_words(backend_config.WORDS, Access.READ_WRITE, thread=False)),
            same_as="CFG_STATE_0" if number else "",
        )
    size = 4 * backend_config.THREAD_WORDS
    for thread in range(THREADS):
        yield Peripheral(
            f"CFG_THREAD_T{thread}",
            base + 3 * bank + thread * size,
            size,
            f"ThreadConfig of T{thread}; SETC16 writes it",
            list(_words(backend_config.THREAD_WORDS, Access.READ_ONLY, thread=True)),
            same_as="CFG_THREAD_T0" if thread else "",
        )


def _words(count: int, access: Access, *, thread: bool) -> Iterator[Shown]:
    """Yield the words that have fields. A word is named as in the text of instructions."""
    for word in range(count):
        fields = fields_of_word(Arch.BLACKHOLE, word, thread=thread)
        if not fields:
            continue
        first = fields[0]
        more = word - first.word
        name = identifier(first.name) + (f"_{more}" if more else "")
        both = "; the same in both banks" if first.space is Space.GLOBAL else ""
        parts = []
        for one in fields:
            low = max(one.low - WORD_BITS * (word - one.word), 0)
            high = min(one.low + one.width - WORD_BITS * (word - one.word), WORD_BITS)
            after = f"_{word - one.word}" if word > one.word else ""
            parts.append(Bits(low, high - low, identifier(one.name) + after))
        yield Shown(4 * word, name, access, f"word {word}{both}", fields=tuple(parts))
