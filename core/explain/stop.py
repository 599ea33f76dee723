# SPDX-License-Identifier: Apache-2.0
"""A stop in words: which hart, where in the source, what happened, what to try next."""

from __future__ import annotations

from tensix_gdb.core import stall as standstill
from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, THREADS
from tensix_gdb.core.arch.chips import BLACKHOLE, WORMHOLE
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.devices.blocks import register_name
from tensix_gdb.core.explain.advice import next_by_place
from tensix_gdb.core.explain.inlining import Inlining
from tensix_gdb.core.faults.codes import ENTRIES, Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.memory.map import REGION_NAMES, region_of_chip
from tensix_gdb.core.memory.streams import STREAMS
from tensix_gdb.core.ordering import pauses
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.reset import PAUSED_AT_EBREAK
from tensix_gdb.core.riscv.semihosting import A0, is_call
from tensix_gdb.core.semihosting.operations import call_name
from tensix_gdb.core.stop import (
    AT_GATE,
    NOTHING_MOVES,
    SCHEDULED,
    Stop,
    StopKind,
    WatchKind,
)
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.table import find

_ACCESS = {
    WatchKind.READ: "a read of",
    WatchKind.WRITE: "a write to",
    WatchKind.ACCESS: "an access to",
}

MAX_KNOWN = 4096  # places kept in words, because a debugger stops at the same ones again


class Places:
    """Addresses of code in words, from the symbols of what is loaded."""

    def __init__(self, images: list[Image]) -> None:
        self._images = images
        self._known: dict[tuple[int, int, int], str] = {}
        self._foreign: dict[tuple[int, int, int], Image | None] = {}
        self.inlining = Inlining()

    def image(self, hart: int, pc: int) -> Image | None:
        """Return the loaded file that holds `pc`: the hart's own before another's."""
        holding = [image for image in self._images if image.covers(pc)]
        own = [image for image in holding if image.hart == hart]
        return next(iter(own or holding), None)

    def learn(self, image: Image) -> None:
        """Read a file's symbols and line table now; otherwise it is done when they are wanted."""
        image.function_at(image.entry)
        self.inlining.learn(image)
        image.symbolize(image.entry)

    def recorded(self, hart: int, word: int, entry: int | None = None) -> str:
        """Return the lines that have recorded what a REPLAY plays, `add.cpp:62`; empty where no
        program of the hart says it."""
        from tensix_gdb.core.explain.recorded import recorded_text  # a run does without it

        return recorded_text(self._images, hart, word, self.inlining, entry)

    def forget_files(self) -> None:
        """Other files have come in the place of those that were loaded."""
        self._known.clear()
        self._foreign.clear()

    def foreign(self, hart: int, pc: int) -> Image | None:
        """Return the loaded file that holds `pc`, if it is another hart's."""
        # Asked of every hart at each stop of a debugger.
        if all([loaded.hart == hart for loaded in self._images]):
            return None
        key = len(self._images), hart, pc
        if key not in self._foreign:
            if len(self._foreign) >= MAX_KNOWN:
                self._foreign.clear()
            image = self.image(hart, pc)
            other = image is not None and image.hart != hart
            self._foreign[key] = image if other else None
        return self._foreign[key]

    def at(self, hart: int, pc: int) -> str:
        """`0x00006010, main at demo.c:12` as far as it is known."""
        key = len(self._images), hart, pc
        where = self._known.get(key)
        if where is None:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            where = self._known[key] = self._at(hart, pc)
        return where

    def _at(self, hart: int, pc: int) -> str:
        image = self.image(hart, pc)
        text = f"{pc:#010x}"
        if image is None:
            return text
        if steps := self.inlining.of_kernel(image, pc):
            way = ", ".join(step.text for step in steps[1:])
            return f"{text}, {steps[0].text} (through {way})"
        function = image.function_at(pc)
        if name := self.inlining.function_at(image, pc) or (function and function.shown):
            text += f", {name}"
        line = image.symbolize(pc)
        return f"{text} at {line}" if line else text


def explain(S: View, stop: Stop, places: Places) -> str:
    """Return one sentence about a stop."""
    where = f"{HART_NAMES[stop.hart]} at {places.at(stop.hart, stop.pc)}"
    match stop.kind:
        case StopKind.BREAK:
            return f"{where}: breakpoint"
        case StopKind.WATCH:
            assert stop.addr is not None
            assert stop.access is not None
            return f"{where}: before {_ACCESS[stop.access]} the watched bytes at {stop.addr:#010x}"
        case StopKind.STEP:
            return f"{where}: step done"
        case StopKind.EBREAK if is_call(S, stop.pc):
            return (
                f"{where}: {call_name(S.hart.x[stop.hart, A0])}, a semihosting call, and nothing "
                "answers it: start with --semihosting; a resume continues after its ebreak"
            )
        case StopKind.EBREAK:
            return f"{where}: ebreak; a resume continues after it"
        case StopKind.CALL:
            return (
                f"{where}: {call_name(S.stop.a)}, a semihosting call, waits for its answer; with "
                "--semihosting the debugger gives one"
            )
        case StopKind.EXIT:
            return f"{where}: the program has ended with exit status {stop.code}"
        case StopKind.ECALL:
            return f"{where}: ecall; a resume continues after it"
        case StopKind.FAULT:
            return f"{where}: {_fault(S, stop, places)}"
        case StopKind.STANDSTILL:
            return _standstill(S, places)
        case _:
            return where


def _fault(S: View, stop: Stop, places: Places) -> str:
    a, b = S.stop.a, S.stop.b
    is_code = places.image(stop.hart, b & 0xFFFFFFFF) is not None
    advice = next_by_place(S, stop.hart, stop.code, a, b, is_code=is_code)
    made = _made(S, places)
    return fault_text(stop.hart, stop.code, a, b, places, advice, int(S.tile.chip), made)


def _made(S: View, places: Places) -> str:
    """Return which lines have made the instruction of a fault, beside the one that has pushed
    it."""
    from tensix_gdb.core.explain.made import made_text, refused_text  # it needs Places

    stream, word, pc = int(S.stop.stream), int(S.stop.a), int(S.stop.b) & MASK32
    if stream == SCHEDULED:
        made = refused_text(S, places, word, pc)
        return f"; SFPLOADMACRO has scheduled it{made and f', {made}'}"
    thread = stream - AT_GATE
    if not 0 <= thread < THREADS or not S.fifo.count[thread, C]:
        return ""
    at = S.fifo.head[thread, C]
    if S.fifo.word[thread, C, at] != word:
        return ""
    hart, via = int(S.fifo.hart[thread, C, at]), int(S.fifo.via[thread, C, at])
    return made_text(S, places, thread, hart, word, via)


def fault_text(
    hart: int,
    code: int,
    a: int,
    b: int,
    places: Places,
    advice: str = "",
    chip: int = BLACKHOLE,
    made: str = "",
) -> str:
    """Return a fault in words; `advice` is what to do next, where more is known than its code, and
    `made` which lines have made the instruction."""
    entry = ENTRIES[Fault(code)]
    region = REGION_NAMES[region_of_chip(chip, hart, a & 0xFFFFFFFF)]
    register = register_name(hart, a & 0xFFFFFFFF, chip) or region
    row = find(a & 0xFFFFFFFF, Arch.WORMHOLE if chip == WORMHOLE else Arch.BLACKHOLE)
    words = {
        "a": a,
        "b": b,
        "region": region,
        "x": b & 63,
        "y": b >> 6 & 63,
        "start_x": b >> 12 & 63,
        "start_y": b >> 18 & 63,
        "register": register,
        "instruction": row.name if row else f"{a & 0xFFFFFFFF:#010x}",
        "page": row.page if row else "",
        "thread": b >> 32,
        "origin": places.at(hart, b & 0xFFFFFFFF),
    }
    said, following = entry.said.format(**words), advice or entry.next.format(**words)
    end = "" if following.endswith("?") else "."
    return f"{entry.category.value}: {said}{made}. Next: {following}{end} ({entry.page})"


def hart_state(S: View, hart: int, places: Places) -> str:
    """Return what a hart is doing, in a few words."""
    if S.hart.in_reset[hart]:
        return "in reset"
    waits = standstill.sentence(S, hart)
    if S.hart.paused[hart] and S.semihosting.exited[hart]:
        return f"ended with exit status {S.semihosting.exited[hart] - 1}"
    if S.hart.paused[hart]:
        by = "" if S.hart.paused[hart] == PAUSED_AT_EBREAK else " by the debug interface"
        left = f"; a store before that {waits}" if waits else ""
        return f"paused{by} at {places.at(hart, S.hart.pc[hart])}{left}"
    if S.hart.held[hart]:
        return f"held by the debugger{', ' + waits if waits else ''}"
    return ", ".join(filter(None, (pauses.sentence(S, hart), waits))) or "ready"


def waiting_pc(S: View, hart: int) -> int:
    """Return the instruction that waits: with time, the hart may have run past it."""
    waiting = [
        (S.stream.born[hart, stream, 0], S.stream.pc[hart, stream, 0])
        for stream in range(STREAMS)
        if S.stream.count[hart, stream]
    ]
    return int(min(waiting)[1] if waiting else S.hart.pc[hart])


def _standstill(S: View, places: Places) -> str:
    states = []
    for hart in range(HARTS):
        state = hart_state(S, hart, places)
        if S.hart.waits_for[hart] and not S.hart.in_reset[hart] and not S.hart.paused[hart]:
            state += f" (pc {places.at(hart, waiting_pc(S, hart))})"
        states.append(f"{HART_NAMES[hart]} {state}")
    return f"{NOTHING_MOVES}: {'; '.join(states)}"
