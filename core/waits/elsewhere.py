# SPDX-License-Identifier: Apache-2.0
"""The same wait on the other machines: exactly where it can be said, else what comes nearest.

Between the two Tensix architectures a condition keeps LLK's name and changes its bit. The other
machines wait for other things, so what stands there is the nearest thing with the difference in
words, and nothing where nothing is near:

    Tensix                          gfx9                            vISA
    unpackers, packers (C1..C3)     vmcnt(0): memory operations
    memory of the Scalar Unit (C0)  lgkmcnt(0): scalar memory
    semaphores that are 0                                           threads that have not ended
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.assembly.tensix_read import parse as parse_text
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa import masks
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.operand import Bits
from tensix_gdb.core.waits import gfx9, visa
from tensix_gdb.core.waits.tensix import CONDITIONS, TensixWait, parse

GFX9, VISA = "gfx9", "vISA"
UNPACKERS, PACKERS = {"UNPACK0", "UNPACK1"}, {"PACK", "PACK0", "PACK1", "PACK2", "PACK3"}
HOLDS_ALL = "it holds the whole wave where Tensix holds what the block mask catches"
# What vISA's mask clears are dependencies; semaphores stand for those that are left.
ALL_REGISTERS = 0xFF


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The equal of a wait on another machine; `text` is empty where nothing comes near."""

    machine: str
    text: str
    word: int | None
    remark: str


def of_tensix(wait: TensixWait) -> Iterator[Elsewhere]:
    """Yield a Tensix wait on the other Tensix architecture, on gfx9 and in vISA."""
    yield _other_tensix(wait)
    match wait.row.mnemonic:
        case "SEMWAIT":
            yield Elsewhere(GFX9, "", None, "waves have no semaphores to wait for")
            yield _threads(wait)
        case "STREAMWAIT":
            yield Elsewhere(GFX9, "", None, "no counter goes up to a target")
            yield Elsewhere(VISA, "", None, "WAIT knows threads and no streams")
        case _:
            yield _counters(wait)
            yield Elsewhere(VISA, "", None, "WAIT waits for threads and for no unit")


def _names(wait: TensixWait) -> Bits:
    if wait.row.mnemonic == "FLUSHDMA":
        return masks.CONDITIONS_FLUSHDMA
    return CONDITIONS[wait.arch]


def _other_tensix(wait: TensixWait) -> Elsewhere:
    other = Arch.WORMHOLE if wait.arch is Arch.BLACKHOLE else Arch.BLACKHOLE
    if wait.row.mnemonic == "STREAMWAIT":
        return Elsewhere(other.title, "", None, "STREAMWAIT is new in Blackhole")
    text, remark = wait.show(), ""
    if wait.row.mnemonic == "STALLWAIT":
        mask, lost = _translated(wait, other)
        if lost:
            return Elsewhere(other.title, "", None, f"no condition there is {' or '.join(lost)}")
        text = parse(f"STALLWAIT block={wait.block_mask}, wait={mask}", other).show()
    elif wait.row.mnemonic == "SEMWAIT":
        remark = (
            "there only B1 of a latched wait holds it: without, it replaces that wait"
            if other is Arch.WORMHOLE
            else "there it waits until a latched wait is over"
        )
    return Elsewhere(other.title, text, parse_text(text, Dialect(other)), remark)


def _translated(wait: TensixWait, other: Arch) -> tuple[int, list[str]]:
    """Return the condition mask with the other architecture's bits, and conditions it does not
    have."""
    mask, lost = 0, []
    chosen = wait.condition_mask()
    if wait.fields()["condition_mask"] == 0:
        return 0, []  # the default means the same units on both
    for condition in CONDITIONS[wait.arch].names:
        if not condition.value & chosen:
            continue
        there = PACKERS if condition.llk[0] in PACKERS else {condition.llk[0]}
        bits = [n.value for n in CONDITIONS[other].names if n.llk[0] in there]
        mask |= sum(bits)
        if not bits:
            lost.append(f"{condition.text} ({condition.llk[0]})")
    return mask, lost


def _counters(wait: TensixWait) -> Elsewhere:
    chosen = {
        condition.llk[0]
        for condition in _names(wait).names
        if condition.value & wait.condition_mask()
    }
    counters = []
    if chosen & (UNPACKERS | PACKERS):
        counters.append("vmcnt(0)")
    if "THCON" in chosen:
        counters.append("lgkmcnt(0)")
    rest = sorted(chosen - UNPACKERS - PACKERS - {"THCON"})
    if not counters:
        return Elsewhere(GFX9, "", None, f"no counter is near {' or '.join(rest)}")
    text = f"s_waitcnt {' '.join(counters)}"
    remark = f"near: {HOLDS_ALL}"
    if rest:
        remark += f"; nothing is near {' or '.join(rest)}"
    return Elsewhere(GFX9, text, gfx9.parse(text).encode(), remark)


def _threads(wait: TensixWait) -> Elsewhere:
    if wait.condition_mask() != 1:
        return Elsewhere(VISA, "", None, "WAIT knows no Max to stay below")
    wait_threads = visa.ThreadWait(ALL_REGISTERS & ~wait.fields()["semaphore_mask"])
    return Elsewhere(
        VISA,
        wait_threads.show(),
        wait_threads.encode(),
        "near, if each semaphore is posted by a thread's end",
    )


def of_gfx9(wait: gfx9.WaitCount) -> Iterator[Elsewhere]:
    """Yield a wave's wait on both Tensix architectures and in vISA."""
    counts = {n: count for n, count in wait.counts().items() if count != gfx9.LARGEST[n]}
    near = {"vmcnt": "UNPACK|PACK", "lgkmcnt": "THCON"}
    for arch in (Arch.BLACKHOLE, Arch.WORMHOLE):
        chosen = [near[name] for name in counts if name in near]
        remarks = [f"{name} has nothing near" for name in counts if name not in near]
        if any(count for name, count in counts.items() if name in near):
            remarks.append("conditions do not count, so it waits for all and not for the oldest")
        if not chosen:
            yield Elsewhere(arch.title, "", None, "; ".join(remarks) or "it waits for nothing")
            continue
        translated = parse(f"STALLWAIT block=ALL, wait={'|'.join(chosen)}", arch)
        yield Elsewhere(
            arch.title, translated.show(), translated.encode(), "; ".join(["near", *remarks])
        )
    yield Elsewhere(VISA, "", None, "WAIT waits for threads and for no memory")


def of_visa(wait: visa.ThreadWait) -> Iterator[Elsewhere]:
    """Yield a thread's wait on both Tensix architectures and on gfx9."""
    left = ALL_REGISTERS & ~wait.mask
    for arch in (Arch.BLACKHOLE, Arch.WORMHOLE):
        if not left:
            yield Elsewhere(arch.title, "", None, "it waits for nothing")
            continue
        translated = parse(f"SEMWAIT block=ALL, sem={left}, wait=C0", arch)
        remark = "near, if the end of thread i posts semaphore i, which began at 0"
        yield Elsewhere(arch.title, translated.show(), translated.encode(), remark)
    yield Elsewhere(GFX9, "", None, "s_waitcnt waits for a wave's own operations")
