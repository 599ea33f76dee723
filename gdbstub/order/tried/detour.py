# SPDX-License-Identifier: Apache-2.0
"""Instructions put into a program that is loaded: a jump leads to a cave, where they are.

    pc      jal  cave              cave   what comes before
    pc + 4  …                             the instruction that was at pc
                                          what comes after
                                          jal  pc + 4

A cave is L1 that the run has not touched: no program is there, it is 0 at the beginning and at the
end, and the observer has seen no access to it. What a replay buffer records is counted, so in there
nothing can be put in: the place moves before the REPLAY, or after what it records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.race.remedies.remedy import Beside
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.table import FORMS, Form
from tensix_gdb.core.tensix.table import opcode
from tensix_gdb.gdbstub.order.seeds.nops import REACH, jump
from tensix_gdb.gdbstub.order.tried.registers import Code
from tensix_gdb.gdbstub.order.tried.words import CannotTry, Insertion

# The program of a hart at an address in a tile; if a line of L1 is unused in a tile.
CodeAt = Callable[[int, int, str], "Code | None"]
Unused = Callable[[int, str], bool]
LINE = 16
REPLAY = opcode("REPLAY")
RECORDS_MOST = 32
NOP = 0x00000013
# What reads its own address, or is one where a debugger or the tile stops.
FIXED = (Form.BRANCH, Form.JAL, Form.AUIPC, Form.EBREAK, Form.ECALL, Form.MRET, Form.ILLEGAL)


@dataclass(frozen=True, slots=True)
class Detours:
    """Words of L1 that are others in a run, and what the addresses in the caves stand for."""

    pokes: tuple[tuple[int, bytes], ...]
    moved: Mapping[int, int]  # address in a cave: that of the instruction it stands beside
    own: frozenset[int]  # addresses of what was put in
    tile: str = ""


def detours(
    code_at: CodeAt,
    insertions: Sequence[Insertion],
    is_unused: Unused,
    size: int,
) -> Detours:
    """Return the words that put instructions into one tile. `is_unused` is asked for lines of its
    L1, which has `size` bytes. CannotTry with a sentence."""
    tile = insertions[0].tile
    if any(one.tile != tile for one in insertions):
        raise CannotTry("it is in two tiles")
    places: dict[tuple[int, int], list[Insertion]] = {}
    for one in insertions:
        places.setdefault((one.hart, one.pc), []).append(one)
    taken: set[int] = set()
    pokes: list[tuple[int, bytes]] = []
    moved: dict[int, int] = {}
    own: set[int] = set()
    for (hart, pc), there in places.items():
        code = code_at(hart, pc, tile)
        word = code.word(pc) if code is not None else None
        if word is None or pc >= size:
            raise CannotTry(f"the code at {pc:#x} is not in L1")
        if word & 3 == 3 and FORMS[decode(word) & 0xFF] in FIXED:
            raise CannotTry(f"nothing can be put beside the instruction at {pc:#x}")
        before = [w for one in there if one.beside is Beside.BEFORE for w in one.words]
        after = [w for one in there if one.beside is Beside.AFTER for w in one.words]
        needed = len(before) + len(after) + 2
        cave = _cave(pc, needed, lambda addr: is_unused(addr, tile), taken, size)
        back = cave + 4 * (len(before) + 1 + len(after))
        own_word = NOP if any(one.replaces for one in there) else word
        words = [*before, own_word, *after, jump(back, pc + 4)]
        for number in range(len(words)):
            moved[cave + 4 * number] = pc
            if number != len(before):
                own.add(cave + 4 * number)
        pokes.append((cave, b"".join(each.to_bytes(4, "little") for each in words)))
        pokes.append((pc, jump(pc, cave).to_bytes(4, "little")))
    return Detours(tuple(pokes), moved, frozenset(own), tile)


def _cave(pc: int, words: int, is_unused: Callable[[int], bool], taken: set[int], size: int) -> int:
    """Return the address of unused lines, as far from the program as a jump reaches."""
    needed = -(-4 * words // LINE)
    found: list[int] = []
    highest = min(size, pc + REACH - LINE * (needed + 1))
    for line in range(highest // LINE - 1, -1, -1):
        at = line * LINE
        if at in taken or not is_unused(at):
            found.clear()
            continue
        found.append(at)
        if len(found) == needed:
            if pc - at >= REACH:
                break
            taken.update(found)
            return at
    raise CannotTry(f"no {LINE * needed} bytes of L1 near {pc:#x} are unused")


def outside_a_record(code: Code, one: Insertion) -> Insertion:
    """Return an insertion moved out of the instructions that a REPLAY records."""
    for back in range(1, RECORDS_MOST + 1):
        pc = one.pc - 4 * back
        word = code.word(pc)
        if word is None:
            return one
        pushed = (word >> 2 | word << 30) & MASK32
        if word & 3 == 3 or pushed >> 24 != REPLAY or not pushed & 1:
            continue
        last = _last_recorded(code, pc, pushed >> 4 & 0x3FF)
        if one.replaces and one.pc <= last:
            raise CannotTry("a REPLAY records it, and what it records is counted")
        if one.pc > last or (one.pc == last and one.beside is Beside.AFTER):
            return one
        return replace(one, pc=pc if one.beside is Beside.BEFORE else last)
    return one


def _last_recorded(code: Code, pc: int, count: int) -> int:
    """Return the address of the last push that a REPLAY at `pc` records."""
    while count > 0:
        pc += 4
        word = code.word(pc)
        if word is None:
            break
        count -= word & 3 != 3
    return pc
