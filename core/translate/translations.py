# SPDX-License-Identifier: Apache-2.0
"""The translations of one tile: look where a hart is, ask for its code, use it, drop it.

    look        now and then, where the hart that runs alone is: code that has none yet is asked for
    collect     what has been made meanwhile
    check       what was written to, or has a breakpoint, is not used; what is true again, is

All of it is between two calls of the engine, and nothing here is state of the tile: what is
translated runs as if it were interpreted, so it makes no difference when a translation comes.
"""

from __future__ import annotations

import os

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES
from tensix_gdb.core.engine import jit
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.fields import TRANSLATIONS
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.translate.blocks import MOST, Blocks, blocks_from
from tensix_gdb.core.translate.translation import HEADS_EACH, Rows, Translation, content_of
from tensix_gdb.core.translate.translator import Translator, translator

SYMBOL = "translation"
VARIABLE = "TENSIX_GDB_TRANSLATION"  # "off": all code is interpreted
# A hart has executed so many instructions before any of its code is translated: a tenth of a
# second. Then one in so many is looked at.
BEFORE, BETWEEN = 60_000_000, 8_000_000
PATIENCE = 64  # how much longer it may be until the next look
SETTLED = 8  # the same where looks find the hart in code that is translated
RA = 1


def are_wanted() -> bool:
    """True unless the user has said that nothing is to be translated."""
    return os.environ.get(VARIABLE, "") != "off"


class Translations:
    """Those of one record."""

    def __init__(
        self,
        record: Record,
        made_by: Translator | None = None,
        *,
        before: int = BEFORE,
        between: int = BETWEEN,
    ) -> None:
        self._S = record.S
        self._rows = rows = Rows(record)
        self._dropped = rows.dropped
        self._translator = made_by
        self._before, self._between = before, between
        self._look_at = before  # the cycle
        self._patience = 1  # times `between`; more after each look that was for nothing
        self._all: dict[int, Translation] = {}
        self._waiting: Translation | None = None
        self._replaces: list[Translation] = []

    def before_call(self, cycle: int) -> int:
        """Before a call of the engine in this cycle: use what was made, see to what was dropped,
        and look where the hart is, now and then. Return how long the call may be."""
        if self._waiting is not None:
            self._collect()
        if self._dropped[0] and self._S.tile.only_hart < HARTS:
            self._check()
        if cycle >= self._look_at:
            self._look_for_code()
            self._look_at = cycle + self._between * self._patience
        elif cycle < self._look_at - self._between * self._patience - self._before:
            self._look_at = cycle + self._before  # the tile has started over
        return self._look_at - cycle

    def _look_for_code(self) -> None:
        S = self._S
        hart = int(S.tile.only_hart)
        if hart >= HARTS or S.schedule.kind != Schedule.SC or self._waiting is not None:
            return
        if S.debug.watches or S.counted.on:
            return
        pc = int(S.hart.pc[hart])
        if pc & 3 or pc >= L1_BYTES:
            return
        if self._rows.code[self._rows.of[pc >> 2]]:
            self._patience = min(2 * self._patience, SETTLED)
            return
        if self._ask(hart, pc):
            self._patience = 1
        else:
            self._was_for_nothing()

    def _was_for_nothing(self) -> None:
        """Look more rarely: code that cannot be translated is not to be looked at again and
        again."""
        self._patience = min(2 * self._patience, PATIENCE)

    def _ask(self, hart: int, pc: int) -> bool:
        """Let the code around `pc` be translated, with what surrounds it already; False if that
        cannot be done."""
        starts: tuple[int, ...] = (pc,)
        ra = int(self._S.hart.x[hart, RA])
        if not ra & 3 and 4 <= ra < L1_BYTES and self._rows.words[ra - 4 >> 2]:
            starts = (pc, ra)  # what is before it was executed: probably the call
        blocks = blocks_from(starts, self._decoded_at)
        around = [
            each
            for each in self._all.values()
            if each.hart == hart and any(each.blocks.code.keys() & blocks.code.keys())
        ]
        if around:
            starts = tuple(dict.fromkeys((*starts, *(at for each in around for at in each.starts))))
            blocks = blocks_from(starts, self._decoded_at)
            if len(blocks.code) >= MOST:
                around, taken = [], {pc for each in around for pc in each.blocks.code}
                starts = starts[:2]
                blocks = blocks_from(
                    starts, lambda at: None if at in taken else self._decoded_at(at)
                )
        if not blocks.heads or pc not in blocks.code or len(blocks.heads) > HEADS_EACH:
            return False
        return self._begin_translation(hart, starts, blocks, around)

    def _begin_translation(
        self, hart: int, starts: tuple[int, ...], blocks: Blocks, replaces: list[Translation]
    ) -> bool:
        number = self._free_number()
        one = Translation(number, hart, starts, blocks, content_of(blocks, self._rows.l1))
        if self._translator is None:
            self._translator = translator()
        if not self._translator.ask(one.key(), hart, blocks):
            return False
        self._waiting, self._replaces = one, replaces
        return True

    def _free_number(self) -> int:
        """Return a number for one more. The oldest that is not in use makes room, or the oldest."""
        for number in range(1, TRANSLATIONS):
            if number not in self._all:
                return number
        idle = [each for each in self._all.values() if not self._rows.code[each.number]]
        oldest = idle[0] if idle else next(iter(self._all.values()))
        self._remove(oldest)
        return oldest.number

    def _decoded_at(self, pc: int) -> int | None:
        """Return the instruction at an address, unless it has a breakpoint."""
        rows = self._rows
        if rows.breaks[pc >> 2]:
            return None
        d = rows.words[pc >> 2]
        if d & 0xFF:
            return d
        head = d >> 8
        if head:
            return rows.head_words[head]
        return decode(int.from_bytes(rows.l1[pc : pc + 4], "little"))

    def _collect(self) -> None:
        one = self._waiting
        assert one is not None
        assert self._translator is not None
        key = one.key()
        if not self._translator.has_answered(key):
            return
        self._waiting = None
        built = self._translator.find_translation(key)
        try:
            if built is not None and built.is_current():
                one.loaded = jit.load(f"translation {key}", built.code, (SYMBOL,))
        except (RuntimeError, MemoryError):
            pass  # it stays interpreted
        if one.loaded is None:
            self._was_for_nothing()
            return
        one.address = one.loaded.address(SYMBOL)
        for each in self._replaces:
            if self._all.get(each.number) is each:
                self._remove(each)
        self._all[one.number] = one
        self._check()

    def _check(self) -> None:
        """Use what may be used, and only that."""
        self._dropped[0] = 0
        idle = [each for each in self._all.values() if not self._rows.code[each.number]]
        for each in idle:
            self._rows.free_number(each)
        if self._S.schedule.kind == Schedule.SC:
            for each in idle:
                if self._rows.may_use(each):
                    self._rows.use(each)

    def _remove(self, one: Translation) -> None:
        self._rows.free_number(one)
        del self._all[one.number]

    # -- for tests and measurements
    def wait(self, seconds: float = 60) -> None:
        """Wait for what was asked for, and use it."""
        if self._waiting is not None and self._translator is not None:
            self._translator.wait(self._waiting.key(), seconds)
            self._collect()

    def translate(self, hart: int, pc: int) -> None:
        """Translate the code around an address now."""
        self._ask(hart, pc)
        self.wait()

    @property
    def in_use(self) -> list[Translation]:
        """Those that the hart may enter now."""
        return [each for each in self._all.values() if self._rows.code[each.number]]
