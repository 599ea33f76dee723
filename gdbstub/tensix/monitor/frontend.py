# SPDX-License-Identifier: Apache-2.0
"""`monitor fifo`, `mop` and `replay`: instructions on their way to the wait gates."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.assembly.tensix_text import show_on
from tensix_gdb.core.explain.made import line_of
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.frontend import mop_expander, replay_expander
from tensix_gdb.core.tensix.frontend.fifo import CAPACITIES
from tensix_gdb.gdbstub.tensix.monitor_row import NAMES, chosen, instruction, no_more
from tensix_gdb.gdbstub.tensix.monitor_show import monitor_show, names_place

FIFO_NAMES = ("A", "B", "C")
_BEHIND = ("before the MOP expander", "before the Replay expander", "before the wait gate")
_TEMPLATES = {
    mop_expander.MASKED: "template 0 (mask)",
    mop_expander.DOUBLE: "template 1 (loops)",
}
# What the words of the MOP configuration are for (MOPExpander.md), by template.
_WORDS_0 = ("", "which there are", "B", "A0", "A1", "A2", "A3", "A0 of a skipped bit",
            "B of a skipped bit")  # fmt: skip
_WORDS_1 = ("outer iterations", "inner iterations", "before the inner loop", "after it",
            "after that", "inner loop", "alternating", "last of all",
            "last of an inner loop")  # fmt: skip
_MODES = {
    replay_expander.FORWARDING: "forwards instructions",
    replay_expander.RECORDING: "records, {left} instructions to come",
    replay_expander.RECORDING_AND_ISSUING: "records and issues, {left} instructions to come",
    replay_expander.PLAYING: "plays from entry {index} on, {left} instructions to come",
}


def monitor_fifo(machine: Machine, thread: int, words: list[str]) -> str:
    """Show the instructions in FIFO A, B and C, the oldest first."""
    threads = chosen(thread, words, "fifo")
    no_more(words, "fifo")
    return "".join(f"{line}\n" for number in threads for line in _fifos(machine, number))


def _fifos(machine: Machine, thread: int) -> Iterator[str]:
    S = machine.S
    for fifo, name in enumerate(FIFO_NAMES):
        count = S.fifo.count[thread, fifo]
        yield f"{NAMES[thread]}  FIFO {name}, {_BEHIND[fifo]}: {count} of {CAPACITIES[fifo]}"
        for i in range(count):
            at = (S.fifo.head[thread, fifo] + i) % CAPACITIES[fifo]
            where = thread, fifo, at
            yield "  " + instruction(
                machine,
                thread,
                S.fifo.word[where],
                S.fifo.hart[where],
                S.fifo.pc[where],
                S.fifo.cycle[where],
                S.fifo.via[where],
            )


def monitor_mop(machine: Machine, thread: int, words: list[str]) -> str:
    """Return the MOP configuration, and the expansion under way."""
    if names_place(words):
        return monitor_show(machine, thread, ["mop", *words])
    threads = chosen(thread, words, "mop")
    return "".join(f"{line}\n" for number in threads for line in _mop(machine, number))


def _mop(machine: Machine, thread: int) -> Iterator[str]:
    S = machine.S
    kind = S.mop.expanding[thread]
    if kind == mop_expander.IDLE:
        yield f"{NAMES[thread]}  expands no MOP; mask_hi of MOP_CFG {S.mop.mask_hi[thread]:#06x}"
    else:
        if kind == mop_expander.MASKED:
            how = f"{S.mop.left[thread]} bits of mask {S.mop.mask[thread]:#010x} left"
        else:
            outer, inner = mop_expander.outer_count(S, thread), mop_expander.inner_count(S, thread)
            how = (
                f"outer iteration {min(S.mop.outer[thread] + 1, outer)} of {outer}, "
                f"{S.mop.inner[thread]} of {inner} inner ones done"
            )
        yield f"{NAMES[thread]}  expands {_TEMPLATES[kind]}: {how}"
        word, pc, cycle = S.mop.word[thread], S.mop.pc[thread], S.mop.cycle[thread]
        yield "  " + instruction(machine, thread, word, T0 + thread, pc, cycle, 0)
    for i, (masked, looped) in enumerate(zip(_WORDS_0, _WORDS_1, strict=True)):
        word = S.mop_config.word[thread, i]
        meaning = (
            str(word & mop_expander.COUNT) if i < 2 else show_on(word, S.tile.chip) if word else "-"
        )
        role = f"template 1: {looped}" + (f"; template 0: {masked}" if masked else "")
        pc = int(S.mop_config.pc[thread, i])
        made = f"  configured at {line_of(machine.places, T0 + thread, pc)}" if pc else ""
        yield f"  word {i}  {word:#010x}  {meaning}  ({role}){made}"


def monitor_replay(machine: Machine, thread: int, words: list[str]) -> str:
    """Return the replay buffer, and what the expander does."""
    threads = chosen(thread, words, "replay")
    no_more(words, "replay")
    return "".join(f"{line}\n" for number in threads for line in _replay(machine, number))


def _replay(machine: Machine, thread: int) -> Iterator[str]:
    S = machine.S
    mode, left, index = S.replay.mode[thread], S.replay.left[thread], S.replay.index[thread]
    yield f"{NAMES[thread]}  the Replay expander " + _MODES[mode].format(left=left, index=index)
    if mode == replay_expander.PLAYING:
        hart, pc, cycle = S.replay.hart[thread], S.replay.pc[thread], S.replay.cycle[thread]
        yield f"  asked for at {machine.places.at(hart, pc)} in cycle {cycle}"
    known = [i for i in range(replay_expander.ENTRIES) if S.replay.buffer[thread, i]]
    for i in known:
        mark = "=>" if mode and i == index else "  "
        word = int(S.replay.buffer[thread, i])
        lines = machine.places.recorded(T0 + thread, word, i)
        made = f"  recorded at {lines}" if lines else ""
        yield f"{mark}{i:3}  {show_on(word, S.tile.chip)}{made}"
    if not known:
        yield "  the buffer is empty"
