# SPDX-License-Identifier: Apache-2.0
"""A kernel with other contents of what nothing writes: what a card has at power-up is not known,
and after another kernel it is what that has left.

Dst, SrcA and SrcB, LReg[0] to LReg[7] and GPRs get random contents. Of configuration, each field
that the kernel reads and does not write gets another value; at power-up it is 0 here
(UNSPECIFIED(BackendConfiguration.md): a card's is not documented). Of L1, blocks that are zero
when the kernel begins get a pattern: nothing says whether a host has written zeros there, so a
finding may be about an input of zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.race.fields import LINE_BYTES
from tensix_gdb.gdbstub.pollution import state
from tensix_gdb.gdbstub.pollution.confirm import Confirming
from tensix_gdb.gdbstub.pollution.document import where_json
from tensix_gdb.gdbstub.pollution.footprint import Footprint, reads
from tensix_gdb.gdbstub.pollution.kernel import Ended, Kernel
from tensix_gdb.gdbstub.pollution.state import Element, Image, changed_bits, elements, rows
from tensix_gdb.gdbstub.pollution.verdict import Effect, Hit, Verdict, compare
from tensix_gdb.gdbstub.pollution.where import Where
from tensix_gdb.gdbstub.pollution.words import NAMED, counted

BLOCK = 1024  # bytes of L1
PATTERN = 0x3F81  # in each half: a number in most formats, and no small integer
SEED = 1
_DATUM = 0x7FFFF  # bits of one of SrcA or SrcB
_RANDOM = {
    "dst.bits": 0xFFFF,
    "src.a": _DATUM,
    "src.b": _DATUM,
    "vector.lreg": 0xFFFFFFFF,
    "gpr.word": 0xFFFFFFFF,
}
_KINDS = (state.DST, state.SOURCES, state.LREGS_, state.GPRS)
_FREE_LREGS = 8  # the others are constants


@dataclass(frozen=True, slots=True)
class Finding:
    """A result that depends on what nothing has written."""

    kernel: str
    what: str
    effect: Effect
    reader: Where | None

    def to_json(self) -> dict[str, Any]:
        """Return it for programs."""
        return {
            "kernel": self.kernel,
            "of": self.what,
            "why": self.effect.why,
            "bytes": self.effect.bytes_wrong,
            "read_by": where_json(self.reader),
        }


def tried_contents(kernel: Kernel, own: Footprint) -> list[Finding]:
    """Run the kernel with other contents; return what its result depends on."""
    confirming = Confirming(kernel, own)
    for image, left in _fills(kernel, own):
        confirming.after(_as_left(kernel, image, left), left)
    found = [
        Finding(own.name, _named(hit), hit.effect, hit.reader)
        for hit in confirming.pairs.hits
        if hit.effect.verdict is Verdict.RESULT
    ]
    return [*found, *_of_l1(kernel, own)]


def _named(hit: Hit) -> str:
    return hit.element.name if hit.element is not None else ", ".join(hit.kinds)


def _as_left(kernel: Kernel, image: Image, left: Sequence[Element]) -> Footprint:
    """Contents as if another kernel had left them."""
    return Footprint("other contents", kernel.start, Ended(b"", "", 0, image), left=list(left))


def _fills(kernel: Kernel, own: Footprint) -> Iterator[tuple[Image, list[Element]]]:
    random = np.random.default_rng(SEED)
    image = kernel.start.copy()
    for row in rows():
        part = slice(row.at, row.at + row.size)
        if mask := _RANDOM.get(row.path):
            kind = f"u{row.item}"
            values = random.integers(0, 1 << 32, row.size // row.item, np.uint64) & np.uint64(mask)
            image[part] = values.astype(kind).view(np.uint8)
        elif row.path in ("dst.undefined", "dst.from_undefined"):
            image[part] = 0
    for kind in _KINDS:
        left = [each for each in changed_bits(kernel.start, image) if each.kind == kind]
        if kind == state.LREGS_:
            left = [each for each in left if int(each.name.split()[1]) < _FREE_LREGS]
        yield image, left
    for element in dict.fromkeys(each for found in elements().values() for each in found):
        if element.kind == state.CONFIGURATION and own.read_of(element) is not None:
            other = kernel.start.copy()
            element.set(other, element.value(other) ^ 1)
            yield other, [element]


# L1


def _of_l1(kernel: Kernel, own: Footprint) -> Iterator[Finding]:
    fresh = kernel.run()
    kernel.begin()
    whole = np.frombuffer(kernel.memory(), np.uint8).reshape(-1, BLOCK)
    blocks = [int(i) for i in np.flatnonzero(~whole.any(axis=1))]
    for block, effect in _guilty(kernel, fresh, blocks):
        yield Finding(own.name, f"L1 {block * BLOCK:#x}", effect, _reader_of(kernel, block * BLOCK))


def _guilty(kernel: Kernel, fresh: Ended, blocks: Sequence[int]) -> Iterator[tuple[int, Effect]]:
    """Yield the blocks that matter by themselves."""
    if not blocks:
        return
    ended = kernel.run(begun=_filling(blocks))
    effect = compare(
        _without(kernel, fresh, blocks, 0),
        _without(kernel, ended, blocks, PATTERN),
        kernel.start,
        kernel.start,
    )
    if effect.verdict is not Verdict.RESULT:
        return
    if len(blocks) == 1:
        yield blocks[0], effect
        return
    middle = len(blocks) // 2
    yield from _guilty(kernel, fresh, blocks[:middle])
    yield from _guilty(kernel, fresh, blocks[middle:])


def _filling(blocks: Sequence[int]) -> Callable[[Machine], None]:
    def fill(machine: Machine) -> None:
        row = machine.record.row(LAYOUT.slot("l1", "word"))
        for block in blocks:
            row[block * BLOCK : (block + 1) * BLOCK] = PATTERN.to_bytes(2, "little") * (BLOCK // 2)
        machine.memory.forget_all()

    return fill


def _without(kernel: Kernel, ended: Ended, blocks: Sequence[int], filled: int) -> Ended:
    """The end of a run, where words of L1 that are as they were filled count as 0."""
    if kernel.is_kept or len(ended.result) != L1_BYTES:
        return ended
    words = np.frombuffer(ended.result, "<u2").copy()
    for block in blocks:
        part = words[block * BLOCK // 2 : (block + 1) * BLOCK // 2]
        part[part == filled] = 0
    return Ended(words.tobytes(), ended.why, ended.cycles, ended.image)


def _reader_of(kernel: Kernel, addr: int) -> Where | None:
    """Return the first instruction that reads a block of L1 before anything has written it."""
    machine = kernel.machine
    kernel.begin()
    checks = machine.check_state(["init"], fresh=True)
    checks.begin_state()
    for line in range(addr // LINE_BYTES, (addr + BLOCK) // LINE_BYTES):
        machine.S.state.written[line] = 0
    kernel.finish()
    found = [
        read
        for read in reads(machine)
        if addr // LINE_BYTES <= read.cell < (addr + BLOCK) // LINE_BYTES
    ]
    return min(found, key=lambda read: read.cycle).where if found else None


def lines_of(found: Sequence[Finding], count: int, seconds: float) -> Iterator[str]:
    """Yield the report."""
    with_one = len({each.kernel for each in found})
    yield (
        f"{counted(count, 'kernel')} with other contents of what nothing writes, in "
        f"{seconds:.1f} s: {with_one} with another result"
    )
    groups: dict[tuple[str, str, bool], list[Finding]] = {}
    for each in found:
        reader = each.reader.text if each.reader is not None else ""
        groups.setdefault((each.what, reader, bool(each.effect.why)), []).append(each)
    for (what, reader, hangs), mine in sorted(groups.items(), key=lambda one: -len(one[1])):
        read = f", which {reader} reads first" if reader else ""
        how = f"no end ({mine[0].effect.why})" if hangs else "another result"
        names = ", ".join(each.kernel for each in mine[:NAMED])
        more = f" and {len(mine) - NAMED} more" if len(mine) > NAMED else ""
        yield f"  {what}{read}: {how} in {names}{more}"
