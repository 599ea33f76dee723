# SPDX-License-Identifier: Apache-2.0
"""The expansion of MOP and REPLAY: the instruction sequence that reaches the wait gate.

A model of the two expanders for explaining and assembling, after MOPExpander.md and REPLAY.md. It
keeps for each instruction which one of the program it came from. What the pages call undefined, or
leave open, is refused with a sentence instead of guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa import opcodes
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.tensix.table import find

MOP_CFG_WORDS = 9
REPLAY_ENTRIES = 32
LONGEST = 1 << 20

# Counts of template 1: MopCfg has seven bits on Wormhole, ten on Blackhole (assembler table).
COUNT_MASK = {Arch.BLACKHOLE: 0x3FF, Arch.WORMHOLE: 0x7F}


class ExpansionError(ValueError):
    """The sequence has no defined expansion; one sentence."""


@dataclass(frozen=True, slots=True)
class Expanded:
    """An instruction after the expanders, and the position in the program that it came from."""

    word: int
    origin: int


def expand(
    words: Sequence[int], mop_cfg: Sequence[int] = (), arch: Arch = Arch.BLACKHOLE
) -> list[Expanded]:
    """Return the instructions that `words` become, in order."""
    expanded: list[Expanded] = []
    for instruction in _replay(_mop(words, mop_cfg, arch), arch):
        expanded.append(instruction)
        if len(expanded) > LONGEST:
            raise ExpansionError(f"more than {LONGEST} instructions")
    return expanded


def _fields(word: int, arch: Arch) -> dict[str, int]:
    row = find(word, arch)
    assert row is not None  # the opcodes of both expanders have one form, which matches any word
    return row.encoding.decode(word)


def _is_nop(word: int) -> bool:
    """Plain NOP only, not DMANOP or SFPNOP: this is what the expander recognises."""
    return word >> 24 == opcodes.NOP


def _mop(words: Sequence[int], mop_cfg: Sequence[int], arch: Arch) -> Iterator[Expanded]:
    mask_hi = 0
    for origin, word in enumerate(words):
        if word >> 24 == opcodes.MOP_CFG:
            mask_hi = _fields(word, arch)["mask_hi"]
        elif word >> 24 == opcodes.MOP:
            if len(mop_cfg) != MOP_CFG_WORDS:
                raise ExpansionError(
                    f"MOP needs the {MOP_CFG_WORDS} words of the MOP configuration; "
                    f"give them with .mopcfg"
                )
            fields = _fields(word, arch)
            if fields["template"]:
                if fields["count1"] or fields["mask_lo"]:
                    raise ExpansionError(
                        "MOP of template 1 with counts of its own: MOPExpander.md has none"
                    )
                sequence = _template1(mop_cfg, arch)
            else:
                mask = mask_hi << 16 | fields["mask_lo"]
                sequence = _template0(mask, fields["count1"] + 1, mop_cfg)
            for expanded in sequence:
                yield Expanded(expanded, origin)
        else:
            yield Expanded(word, origin)


def _template0(mask: int, count: int, cfg: Sequence[int]) -> Iterator[int]:
    flags, b, a0, a1, a2, a3, skip_a0, skip_b = cfg[1:9]
    for _ in range(count):
        if mask & 1:
            yield skip_a0
            if flags & 1:
                yield skip_b
        else:
            yield a0
            if flags & 2:
                yield from (a1, a2, a3)
            if flags & 1:
                yield b
        mask >>= 1


def _template1(cfg: Sequence[int], arch: Arch) -> Iterator[int]:
    outer, inner = cfg[0] & COUNT_MASK[arch], cfg[1] & COUNT_MASK[arch]
    start, end0, end1, loop, loop1, loop0_last, loop1_last = cfg[2:9]
    flip = 0
    if not _is_nop(loop1):
        flip = loop ^ loop1  # the inner loop alternates, and has twice as many iterations
        inner *= 2
    if outer == 1 and inner == 0 and _is_nop(start) and not _is_nop(end0):
        if arch is not Arch.WORMHOLE:
            raise ExpansionError(
                "MOP of one outer and no inner iteration with only an end instruction: Wormhole "
                "adds 128 iterations by mistake, and what Blackhole does no page settles"
            )
        outer += 128  # the hardware's own mistake, MOPExpander.md
    for j in range(outer):
        if not _is_nop(start):
            yield start
        for i in range(inner):
            if i < inner - 1:
                yield loop
            else:
                yield loop1_last if j < outer - 1 else loop0_last
            loop ^= flip
        if not _is_nop(end0):
            yield end0
            if not _is_nop(end1):
                yield end1


def _replay(incoming: Iterator[Expanded], arch: Arch) -> Iterator[Expanded]:
    buffer: list[int | None] = [None] * REPLAY_ENTRIES
    for instruction in incoming:
        if instruction.word >> 24 != opcodes.REPLAY:
            yield instruction
            continue
        fields = _fields(instruction.word, arch)
        index, count = fields["index"], fields["count"]
        if count > REPLAY_ENTRIES:
            raise ExpansionError(f"REPLAY of {count} instructions; 32 is the most")
        for i in range(count or REPLAY_ENTRIES):
            at = (index + i) % REPLAY_ENTRIES
            if fields["load"]:
                following = next(incoming, None)
                if following is None:
                    raise ExpansionError(f"REPLAY records {count} instructions; {i} follow")
                buffer[at] = following.word
                if fields["exec"]:
                    yield following
            else:
                recorded = buffer[at]
                if recorded is None:
                    raise ExpansionError(f"REPLAY issues entry {at}, which nothing recorded")
                yield Expanded(recorded, instruction.origin)
