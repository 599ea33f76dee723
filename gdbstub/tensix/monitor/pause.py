# SPDX-License-Identifier: Apache-2.0
"""`monitor pause`: let a hart or Tensix thread stand still at a place."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, THREAD_NAMES, THREADS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.ordering import pauses
from tensix_gdb.gdbstub.target import TargetError
from tensix_gdb.gdbstub.tensix.monitor_row import no_more
from tensix_gdb.gdbstub.tensix.pauses import FORM, add_pause, describe
from tensix_gdb.gdbstub.usage import UsageError


def monitor_pause(machine: Machine, thread: int, words: list[str]) -> str:
    """List the pauses that are named, add one, or with `none` forget them."""
    if words:
        text = words.pop(0)
        no_more(words, "pause")
        if text == "none":
            machine.pauses.clear()
        else:
            try:
                add_pause(machine, text)
            except UsageError as problem:
                raise TargetError(str(problem)) from None
    lines = describe(machine) or f"No pause is named: {FORM}.\n"
    return "".join(_now(machine)) + lines


def _now(machine: Machine) -> Iterator[str]:
    """What is paused in this cycle, and how many pauses there were."""
    S = machine.S
    names = (*HART_NAMES, *THREAD_NAMES)
    said = [pauses.sentence(S, hart) for hart in range(HARTS)]
    said += [pauses.thread_sentence(S, thread) for thread in range(THREADS)]
    for name, sentence in zip(names, said, strict=True):
        if sentence:
            yield f"{name} is {sentence}.\n"
    if S.pause.count:
        yield f"Pauses so far: {S.pause.count}.\n"
