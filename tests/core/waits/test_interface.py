# SPDX-License-Identifier: Apache-2.0
"""One driver for the waits of all machines: encode, decode, print, begin, blocked until drained."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.waits import gfx9, tensix, visa
from tensix_gdb.core.waits.wait import Reason, Wait


@dataclass
class Case:
    """A wait, its module's way to read words, a state, and steps until nothing is waited for."""

    wait: Wait[Any]
    decode: Callable[[int], Wait[Any]]
    parse: Callable[[str], Wait[Any]]
    state: Any
    steps: list[Callable[[Any], None]]
    reasons: list[list[str]]  # before each step and behind the last


def less(name: str) -> Callable[[Any], None]:
    return lambda state: setattr(state, name, getattr(state, name) - 1)


def of_tensix(text: str, arch: Arch, state: tensix.Activity, *more: Any) -> Case:
    return Case(
        tensix.parse(text, arch),
        lambda word: tensix.decode(word, arch),
        lambda written: tensix.parse(written, arch),
        state,
        *more,
    )


def posted(state: tensix.Activity) -> None:
    state.semaphores[3][0] += 1


def of_gfx9() -> Case:
    wave = gfx9.Wave()
    wave.issue("vmcnt", 2)
    wave.issue("lgkmcnt", 1)
    steps: list[Callable[[Any], None]] = [
        lambda w: w.complete("vmcnt"),
        lambda w: w.complete("lgkmcnt"),
    ]
    wait = gfx9.parse("s_waitcnt vmcnt(1) lgkmcnt(0)")
    return Case(wait, gfx9.decode, gfx9.parse, wave, steps, [["vmcnt", "lgkmcnt"], ["lgkmcnt"], []])


def of_visa() -> Case:
    threads = visa.Threads()
    threads.depend(7, 8, 9)
    steps: list[Callable[[Any], None]] = [lambda t: t.end(9), lambda t: t.end(7)]
    return Case(
        *(visa.parse("WAIT 2"), visa.decode, visa.parse, threads, steps),
        [["TDR0", "TDR2"], ["TDR0"], []],
    )


def cases() -> Iterator[tuple[str, Case]]:
    for arch in (Arch.BLACKHOLE, Arch.WORMHOLE):
        mover, riscv = ("C9", "C10") if arch is Arch.BLACKHOLE else ("C12", "C13")
        yield (
            f"STALLWAIT of {arch.title}",
            of_tensix(
                "STALLWAIT block=B3, wait=XMOV|TRISC_CFG",
                arch,
                tensix.Activity(riscv_requests=2, mover_requests=1),
                [less("riscv_requests"), less("mover_requests"), less("riscv_requests")],
                [[mover, riscv], [mover, riscv], [riscv], []],
            ),
        )
        yield (
            f"FLUSHDMA of {arch.title}",
            of_tensix(
                *("FLUSHDMA", arch, tensix.Activity(scalar_requests=1, matrix=5)),
                [less("scalar_requests")],
                [["C0"], []],
            ),
        )
        yield (
            f"SEMWAIT of {arch.title}",
            of_tensix(
                *("SEMWAIT block=B1, sem=S3, wait=C0", arch, tensix.Activity()),
                [posted],
                [["C0"], []],
            ),
        )
    yield "s_waitcnt", of_gfx9()
    yield "WAIT", of_visa()


@pytest.mark.parametrize("name", dict(cases()))
def test_every_wait_by_one_driver(name: str) -> None:
    case = dict(cases())[name]
    wait = case.wait
    assert case.decode(wait.encode()) == wait == case.parse(wait.show())
    wait.begin(case.state)
    seen: list[list[str]] = []
    for step in [*case.steps, None]:
        reasons = wait.blocked(case.state)
        assert all(isinstance(one, Reason) and one.sentence for one in reasons)
        seen.append([one.condition for one in reasons])
        if step:
            step(case.state)
    assert seen == case.reasons
