# SPDX-License-Identifier: Apache-2.0
"""Findings that need a look at the whole kernel: which of them count, and what C1 to C11 say.

U1      a field that nothing has written since reset is 0, and of some fields 0 adds nothing; a word
        that the ARC's firmware writes on a card; a tile in which one datum is broadcast
M4      not what the producer of the pages reads itself, nor scratch memory that no hart pushes
C1      the load is one of get_arg_val
C3      a hart waits for more pages than its circular buffer has
C7      the kernel uses the two halves of Dst in turn: LLK's functions have selected both
C9      a place where cards are reported to fail was reached
C10     not those of LLK's own functions
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator, Sequence

from tensix_gdb.core.arch.blackhole import HARTS, THREADS
from tensix_gdb.core.devices.backend_config import BANKS, WORDS
from tensix_gdb.core.devices.overlay import OVERLAY_BASE, STREAM_STRIDE, STREAMS, as_here
from tensix_gdb.core.isa.config_words import fields_of_word
from tensix_gdb.core.isa.opcodes import UNPACR
from tensix_gdb.core.polls.poll import Poll
from tensix_gdb.core.race.checks.reports import access_of, finding
from tensix_gdb.core.race.fields import CONFIG_CELLS, pc_of
from tensix_gdb.core.race.findings import Place, Report, State
from tensix_gdb.core.race.kept import Family, places_of
from tensix_gdb.core.race.registers import own_words
from tensix_gdb.core.race.shadow import site_of
from tensix_gdb.core.race.state import contract
from tensix_gdb.core.race.state.areas import Arguments, Buffer
from tensix_gdb.core.race.state.fields import is_kernel
from tensix_gdb.core.race.state.leaked import Functions, is_one_of
from tensix_gdb.core.race.state.memory import COUNT_BITS
from tensix_gdb.core.race.state.table import CHECKS, Number
from tensix_gdb.core.record.layout import View

Polled = Callable[[int], Poll | None]  # the loop in which a hart polls
Said = Callable[[int], str]  # a row of core/faults/reports.py in words
SECTIONS = ("dest_section_flip", "set_dest_section_base")
READERS = ("get_arg_val", "get_common_arg_val", "get_arg_addr", "get_common_arg_addr")
# Fields that do nothing while they have the 0 of the reset, with what they do otherwise
# (UNPACR_Regular.md, Dst.md). Formats, sizes of tiles and addresses are none of them, and neither
# are Pack_L1_Acc and Exp_threshold: functions of LLK switch them on in the middle of a kernel, so
# each hw_configure has to set them (tt-llk#1342, tt-llk#1346).
ADDS_NOTHING = (
    ("THCON_SEC?_REG2_Unpack_fifo_size", "is subtracted from addresses beyond the limit"),
    ("THCON_SEC?_REG2_Unpack_limit_address", "is the limit, beyond which 0 is subtracted"),
    ("THCON_SEC?_REG7_Offset_*address", "is added to the address"),
    ("DEST_REGW_BASE_Base", "is added to the row"),
    ("DEST_SP_BASE_Base", "is added to the row"),
    ("ALU_ACC_CTRL_Zero_Flag_disabled_*", "switches flags of zeros off"),
    ("THCON_SEC?_REG2_Upsample_rate", "inserts zeros"),
    ("THCON_SEC?_REG2_Haloize_mode", "transposes"),
    ("THCON_SEC?_REG2_Tileize_mode", "reads rows"),
    ("STACC_RELU_*", "applies ReLU"),
)
LLK_FILES = "ckernel_sfpu_*.h"
# MEM_L1_ARC_FW_SCRATCH of tt-metal's dev_mem_map.h: 16 bytes that the ARC's firmware writes, of
# which a matrix product reads how far it is to be slowed down.
ARC_LINE = 1
ALL_BYTES = 0xFFFF  # of a line
DIGEST = "THCON_SEC?_REG0_TileDescriptor", 0xFF000000  # DigestSize, the last byte of it
STRIDE = "UNP?_ADDR_CTRL_XY_REG_1_Ystride"  # times a counter


class Judge:
    """The findings of one tile, as they are now."""

    def __init__(
        self,
        S: View,
        functions: Functions,
        buffers: Sequence[Buffer],
        arguments: Sequence[Arguments],
        *,
        firmware: bool,
    ) -> None:
        self._S, self._functions, self._firmware = S, functions, firmware
        self._buffers, self._arguments = buffers, arguments

    def counts(self, i: int) -> bool:
        """True if finding `i` is one."""
        S = self._S
        number = int(S.found.key[i]) >> 44 & 0xFF
        if number == Number.U1:
            return not self._is_harmless(i)
        if number == Number.M4:
            return self._is_consumer(i)
        if number == Number.C1:
            return self._is_argument(i)
        if number == Number.C2:
            return self._is_first(i)
        if number == Number.C10:
            return not self._is_of_llk(i) and self._is_first(i)
        if number == Number.C7:
            return self._has_halves(i)
        return True

    def _is_harmless(self, i: int) -> bool:
        """True of a read of what nothing has written that changes no result."""
        S = self._S
        cell, mask = int(S.found.cell[i]), int(S.found.mask[i])
        if cell >= CONFIG_CELLS:
            return self._adds_nothing(cell - CONFIG_CELLS, mask)
        if cell == ARC_LINE and self._firmware:
            return True
        # The first line that was read has data: the rest of the tile is not used in a broadcast.
        site = int(S.race.site[int(S.found.key[i]) & 0x3FFF])
        unpacks = (site >> 3) & 3 and (site >> 8) & 0xFF == UNPACR
        return bool(unpacks and mask != ALL_BYTES and int(S.state.written[cell]))

    def _is_consumer(self, i: int) -> bool:
        """True of a read of a page by anything but the hart that pushes pages there. A buffer that
        no hart has pushed is scratch memory of a hart, if no unpacker reads it."""
        S = self._S
        site = int(S.race.site[int(S.found.key[i]) & 0x3FFF])
        if (site >> 3) & 3:
            return True
        stream = int(S.state.stream[int(S.found.key[i]) >> 28 & 0xFF]) - 1
        pushed, popped = (int(S.state.pages_by[stream, which]) for which in range(2))
        is_own = pushed == 1 + (site & 7) and popped != pushed
        return not is_own and bool(pushed or popped)

    def _is_of_llk(self, i: int) -> bool:
        """True of an instruction in a function of LLK's own files of the Vector Unit."""
        files = (name.rpartition(" ")[2] for name in self._functions(*self._site(i)))
        return any(fnmatch.fnmatchcase(file, LLK_FILES) for file in files)

    def _adds_nothing(self, at: int, mask: int) -> bool:
        if not 0 <= at < BANKS * WORDS:
            return False
        word = at % WORDS
        rest = mask
        for each in fields_of_word(own_words.arch(self._S), word, thread=False):
            bits = each.mask >> 32 * (word - each.word) & 0xFFFFFFFF
            if self._is_neutral(each.name):
                rest &= ~bits
            elif fnmatch.fnmatchcase(each.name, DIGEST[0]) and word == each.word + 3:
                rest &= ~DIGEST[1]
        return rest == 0

    def _is_neutral(self, name: str) -> bool:
        if fnmatch.fnmatchcase(name, STRIDE):
            adc = self._S.adc
            unit = int(name[3])
            return not any(
                int(rows[t, unit, 1, 1]) for t in range(THREADS) for rows in (adc.value, adc.cr)
            )
        return any(fnmatch.fnmatchcase(name, pattern) for pattern, _ in ADDS_NOTHING)

    def _is_argument(self, i: int) -> bool:
        hart, pc = self._site(i)
        functions = self._functions(hart, pc)
        return any(reader in name for name in functions for reader in READERS)

    def _is_first(self, i: int) -> bool:
        """True of the first of findings that have one cause: accesses to the counters of one
        circular buffer, in each turn of a wait; the macros of a loop that is unrolled."""
        S = self._S
        first = int(S.found.when[i, 0])
        mine = int(S.found.key[i]) >> 28
        is_macro = mine >> 16 & 0xFF == Number.C10
        return all(
            int(S.found.key[j]) >> 28 != mine
            or int(S.found.when[j, 0]) >= first
            or (is_macro and self._is_of_llk(j))
            for j in places_of(S, Family.STATE)
        )

    def _has_halves(self, i: int) -> bool:
        """True if functions of LLK have selected the half of the section, and both halves."""
        S = self._S
        thread = int(S.found.mask[i])
        selected = [int(S.state.half_site[thread, half]) for half in range(2)]
        selected.append(int(S.found.key[i]) >> 14 & 0x3FFF)
        return all(site and is_one_of(self._names(site), SECTIONS) for site in selected)

    def _names(self, site: int) -> Sequence[str]:
        key = int(self._S.race.site[site])
        return self._functions(key & 7, pc_of(key))

    def _site(self, i: int) -> tuple[int, int]:
        key = int(self._S.race.site[int(self._S.found.key[i]) & 0x3FFF])
        return key & 7, pc_of(key)

    # What is said

    def place(self, i: int) -> tuple[Place, str] | None:
        """Return the place of one of these checks, and a sentence; None of others."""
        S = self._S
        key = int(S.found.key[i])
        detail, cell, mask = key >> 28 & 0xFFFF, int(S.found.cell[i]), int(S.found.mask[i])
        match key >> 44 & 0xFF:
            case Number.C1:
                return self._argument(i, cell)
            case Number.C2:
                return Place(State.SYNC, 0, detail, 0, f"cb {detail}"), ""
            case Number.C3:
                buffer = self._buffers[detail & 0xFF]
                return _of(buffer), _PAGES[detail >> 8].format(cell, mask)
            case Number.C4:
                text = f"It has {mask} pages, and {cell} do not fit before its end."
                return _of(self._buffers[detail]), text
            case Number.C5:
                return Place(State.L1, 0, 0, 0, "L1 0x0"), ""
            case Number.C6:
                return Place(State.SYNC, 0, 0, 0, "a division"), ""
            case Number.C7:
                text = (
                    f"Thread {mask} has the {_HALVES[detail]} half, as the first line has selected."
                )
                return Place(State.DST, 0, cell, 0, f"dst {cell}"), text
            case Number.C8:
                return Place(State.SEMAPHORE, 0, detail, 1, f"sem {detail}"), ""
            case Number.C10:
                return Place(State.SYNC, 0, 0, 0, "SFPLOADMACRO"), ""
            case Number.C11:
                text = f"Thread {detail} has instructions under way."
                return Place(State.DST, 0, 0, 0, "dst"), text
            case Number.U3:
                place = Place(State.LOCAL, 0, cell, 0, f"local RAM {cell:#x}")
                return place, f"It decides {_DECIDES[detail]}."
        return None

    def _argument(self, i: int, addr: int) -> tuple[Place, str]:
        hart, pc = self._site(i)
        is_common = any("common_arg" in name for name in self._functions(hart, pc))
        place = Place(State.L1, 0, addr, 0, f"L1 {addr:#x}")
        for one in self._arguments:
            if one.hart == hart and one.is_common is is_common and addr >= one.first:
                last = (one.end - one.first) // 4 - 1
                what = "common argument" if is_common else "argument"
                number = (addr - one.first) // 4
                return place, f"It is {what} {number}, and there is room up to number {last}."
        return place, ""

    def waits(self, polled: Polled) -> Iterator[Report]:
        """Yield C3 of harts that wait for more pages than there can be."""
        S = self._S
        if not S.state.ring:
            return
        for hart in range(HARTS):
            poll = polled(hart)
            for read in poll.polled if poll is not None else ():
                addr = as_here(int(S.tile.chip), read.addr)
                stream, offset = divmod(addr - OVERLAY_BASE, STREAM_STRIDE)
                which = {contract.RECEIVED: 0, contract.ACKNOWLEDGED: 1}.get(offset >> 2)
                if which is None or not 0 <= stream < STREAMS or not S.state.buffer_of[stream]:
                    continue
                assert poll is not None
                buffer = self._buffers[int(S.state.buffer_of[stream]) - 1]
                other = int(S.state.pages_at[stream, 1 - which])
                count = buffer.size // buffer.page
                ends = poll.condition(read)
                pages = range(count + 1)
                if any(ends(other + (-n if which else n) & COUNT_BITS) for n in pages):
                    continue
                now = int(S.tile.cycle)
                site = site_of(S, hart, 0, 0, 0, read.pc)
                later = access_of(S, site, now, now)
                text = f"It waits for more than {count} pages, which is all that the buffer has."
                yield finding(CHECKS[Number.C3 - 1], _of(buffer), later, later, 1, text)

    def defects(self, before: Sequence[int], said: Said) -> Iterator[Report]:
        """Yield C9: SiliconDefects since they were counted `before`, as they are `said`."""
        S = self._S
        for i, times in enumerate(times_of(S)):
            more = times - (before[i] if i < len(before) else 0)
            hart, pc = int(S.report.hart[i]), int(S.report.pc[i])
            site = site_of(S, hart, 0, 0, 0, pc)
            if more and is_kernel(S, site):
                now = int(S.tile.cycle)
                later = access_of(S, site, now, now)
                place = Place(State.SYNC, 0, i, 0, "a SiliconDefect")
                yield finding(CHECKS[Number.C9 - 1], place, later, later, more, said(i))


def times_of(S: View) -> list[int]:
    """Return how often each place was reached where cards are reported to fail."""
    return [int(S.report.times[i]) for i in range(int(S.report.count))]


_HALVES = ("lower", "upper")
_DECIDES = ("an address", "where a jump goes", "a branch")
_PAGES = {
    contract.TOO_MANY: "These are {}, and it has {}.",
    contract.NO_ROOM: "With them {} pages are in it, and it has {}.",
    contract.NOT_THERE: "{} of them were not pushed; it has {} pages.",
}


def _of(buffer: Buffer) -> Place:
    return Place(State.L1, 0, buffer.first, 0, buffer.name)
