# SPDX-License-Identifier: Apache-2.0
"""Promises: kept in every seed, counted, and broken in `strict`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tensix_gdb.core.arch.blackhole import PUSH_BASE, T0, T1
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.devices.mailboxes import MAILBOX_BASE, MAILBOX_STRIDE
from tensix_gdb.core.devices.semaphores import SEMAPHORE_BASE
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.explain.orders import broken, order_lines, relied_on
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.ordering.promises import OLD, PROMISES, Number, Trust
from tensix_gdb.core.schedule import LONGEST_DELAY, Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.tensix.blocked.why import monitor_why
from tests.assembler import EBREAK, NOP, asm, image, li
from tests.machines import ENGINES, machine_on

SEMGET, SEMPOST, RMWCIB0 = 0xA5000080, 0xA4000080, 0xB3000000  # of semaphore 5; of word 0
TENSIX_NOP = 0x02000000
SEEDS = 300
LONGEST = 2_000  # cycles
CONFIG_BASE = 0xFFEF0000
CONFIG_WORD = 5
START = 0x1000


@pytest.fixture(scope="module")
def machines() -> Iterator[dict[str, Machine]]:
    made = {kind: machine_on(kind) for kind in ENGINES}
    yield made
    for machine in made.values():
        machine.close()


@pytest.fixture
def compiled(machines: dict[str, Machine]) -> Machine:
    return machines["compiled"]


def begin(machine: Machine, execution: Execution, *programs: tuple[int, list[int]]) -> None:
    machine.images.clear()
    machine.reschedule(execution)
    machine.reset()
    for hart, words in programs:
        machine.load(hart, image([*words, EBREAK], START + 0x400 * hart))


def run(machine: Machine) -> None:
    """To the end of every hart, and of what they have under way."""
    while (stop := machine.run(LONGEST)) is not None:
        if stop.kind is StopKind.ALL_PAUSED:
            return


def post_and_get(nops: int, pushed: int = SEMGET) -> list[int]:
    """UNPACK_SYNC as every unpack kernel has it: posted by a store, taken by a pushed SEMGET, with
    some instructions pushed between the two."""
    return [
        *li(5, SEMAPHORE_BASE + 4 * 5),
        asm("sw", rs1=5, rs2=0),
        *([asm(".ttinsn", imm=TENSIX_NOP)] * nops),
        asm(".ttinsn", imm=pushed),
    ]


def left_over(machine: Machine, nops: int, *, strict: bool) -> list[int]:
    """The seeds in which the SEMGET came first."""
    found = []
    for seed in range(1, SEEDS + 1):
        execution = Execution(Schedule.RANDOM, seed, strict)
        begin(machine, execution, (T0, post_and_get(nops)))
        run(machine)
        if machine.S.semaphore.value[5]:
            found.append(seed)
            assert [order.promise.name for order in broken(machine.S)] == ["P2"]
    return found


@pytest.mark.parametrize(("nops", "least", "most"), [(0, 25, 45), (4, 10, 25), (16, 1, 10)])
def test_a_posted_semaphore_is_lost_only_in_strict(
    compiled: Machine, nops: int, least: int, most: int
) -> None:
    assert not left_over(compiled, nops, strict=False)
    lost = len(left_over(compiled, nops, strict=True))
    assert least * SEEDS <= 100 * lost <= most * SEEDS


def test_after_the_longest_delay_nothing_is_lost(compiled: Machine) -> None:
    assert not left_over(compiled, 64, strict=True)


@pytest.mark.parametrize("engine", ENGINES)
def test_both_engines_count_alike(machines: dict[str, Machine], engine: str) -> None:
    for seed in range(1, 9):
        for strict in (False, True):
            hashes = set()
            for machine in (machines["reference"], machines[engine]):
                execution = Execution(Schedule.RANDOM, seed, strict)
                begin(machine, execution, (T0, post_and_get(0)))
                run(machine)
                hashes.add((machine.hash(), tuple(relied_on(machine.S)), tuple(broken(machine.S))))
            assert len(hashes) == 1


def test_what_was_relied_on_is_said(compiled: Machine) -> None:
    (seed, *_) = left_over(compiled, 0, strict=True)
    lines = list(order_lines(compiled.S, compiled.places))
    begin(compiled, Execution(Schedule.RANDOM, seed), (T0, post_and_get(0)))
    run(compiled)
    (order,) = relied_on(compiled.S)
    assert (order.promise.number, order.times) == (Number.P2, 1)
    assert (order.earlier.hart, order.later.hart) == (T0, T0)
    assert order.later.pc == order.earlier.pc + 4
    assert order.earlier.cycle < order.later.cycle
    lines = list(order_lines(compiled.S, compiled.places))
    assert lines[0] == "relies on 1 order that no page grants:"
    assert lines[1].startswith("  P2  a store to a semaphore before a SEMGET of it pushed after it")


def test_why_names_the_promise(compiled: Machine) -> None:
    (seed, *_) = left_over(compiled, 0, strict=True)
    begin(compiled, Execution(Schedule.RANDOM, seed, strict=True), (T0, post_and_get(0)))
    run(compiled)
    said = monitor_why(compiled, 1, [])
    assert "Broken promise P2  a store to a semaphore before a SEMGET of it" in said


def test_sc_relies_on_nothing(compiled: Machine) -> None:
    begin(compiled, Execution(Schedule.SC), (T0, post_and_get(0)))
    run(compiled)
    assert not relied_on(compiled.S)


def test_a_sempost_is_counted_as_another_promise(compiled: Machine) -> None:
    seen = set()
    for seed in range(1, 30):
        begin(compiled, Execution(Schedule.RANDOM, seed), (T0, post_and_get(0, SEMPOST)))
        run(compiled)
        seen |= {order.promise.name for order in relied_on(compiled.S)}
    assert seen == {"P23"}


def store_then_push(nops: int) -> list[int]:
    """A store to a configuration word, and long after it an RMWCIB of another byte of it."""
    return [
        *(*li(5, CONFIG_BASE + 4 * CONFIG_WORD), *li(6, RMWCIB0 | 0xFF << 16 | 7 << 8 | 5)),
        *(*li(7, PUSH_BASE), *li(8, 0x0100)),
        asm("sw", rs1=5, rs2=8),
        *([NOP] * nops),
        asm("sw", rs1=7, rs2=6),
    ]


def lost_bytes(machine: Machine, nops: int, *, strict: bool) -> int:
    """Seeds in which the store came after the RMWCIB that follows it."""
    lost = 0
    for seed in range(1, SEEDS + 1):
        begin(machine, Execution(Schedule.RANDOM, seed, strict), (T0, store_then_push(nops)))
        run(machine)
        lost += machine.S.config.word[0, CONFIG_WORD] != 0x0107
    return lost


def test_a_fresh_store_to_configuration_may_lose(compiled: Machine) -> None:
    assert lost_bytes(compiled, 0, strict=False) > SEEDS // 10


def test_an_old_store_to_configuration_loses_less(compiled: Machine) -> None:
    """The store may leave the store queue late; only after that it grows old."""
    kept, left = (lost_bytes(compiled, OLD + 2, strict=strict) for strict in (False, True))
    assert 3 * kept < left
    assert lost_bytes(compiled, OLD + LONGEST_DELAY, strict=False) == 0


def message_then_push() -> list[int]:
    """MATH lets T0 go, and pushes configuration right after it (mailbox_read_completion)."""
    return [
        *(
            *li(5, MAILBOX_BASE + MAILBOX_STRIDE * T0),
            *li(6, RMWCIB0 | 0xFF << 16 | 7 << 8 | 5),
            *li(7, PUSH_BASE),
        ),
        *([NOP] * 100),  # until T0 waits
        asm("sw", rs1=5, rs2=7),
        asm("sw", rs1=7, rs2=6),
    ]


def message_then_load() -> list[int]:
    return [
        *(*li(5, MAILBOX_BASE + MAILBOX_STRIDE * T1), *li(6, CONFIG_BASE + 4 * CONFIG_WORD)),
        asm("lw", rd=7, rs1=5),
        asm("and", rs1=7, rs2=0),
        asm("lw", rd=10, rs1=6),
        asm("and", rs1=10, rs2=0),
    ]


def read_too_late(machine: Machine, *, strict: bool) -> int:
    """Seeds in which the reader has loaded what was pushed after its message."""
    late = 0
    programs = (T0, message_then_load()), (T1, message_then_push())
    for seed in range(1, SEEDS + 1):
        begin(machine, Execution(Schedule.RANDOM, seed, strict), *programs)
        run(machine)
        assert machine.S.config.word[0, CONFIG_WORD] == 7
        late += machine.read_x(T0, 10) != 0
    return late


def test_a_waiting_reader_loads_before_the_writer_goes_on(compiled: Machine) -> None:
    assert read_too_late(compiled, strict=False) == 0
    assert read_too_late(compiled, strict=True) > SEEDS // 10


def test_a_push_waits_for_a_reader_that_is_slow_only_for_a_while(compiled: Machine) -> None:
    """The reader never loads: the push continues all the same."""
    reader = [*message_then_load()[:-2]]
    begin(
        compiled, Execution(Schedule.RANDOM, 3), (T0, reader), (T1, message_then_push())
    )  # fmt: skip
    run(compiled)
    assert compiled.S.config.word[0, CONFIG_WORD] == 7


def test_each_promise_is_a_row() -> None:
    assert [promise.number for promise in PROMISES] == list(Number)
    for promise in PROMISES:
        assert promise.sentence.endswith(".")
        assert promise.source
        assert promise.page.endswith(".md")
    assert {promise.trust for promise in PROMISES} == set(Trust)
    assert [promise.name for promise in PROMISES if not promise.holds] == ["P18"]


def setdmareg_and_wrcfg(between: Sequence[str] = ()) -> list[int]:
    """GPR 1 is written, and then copied to word 100 of the configuration."""
    pushed = (
        "SETDMAREG.Immediate new_value=5, result_half_reg=2",
        *between,
        "WRCFG input_reg=1, cfg_index=100",
    )
    return [asm(".ttinsn", imm=parse(text)) for text in pushed]


def test_an_old_gpr_is_told_of_by_default(compiled: Machine) -> None:
    old = []
    for seed in range(1, SEEDS + 1):
        begin(compiled, Execution(Schedule.RANDOM, seed), (T0, setdmareg_and_wrcfg()))
        run(compiled)
        orders = broken(compiled.S)
        if compiled.S.config.word[0, 100] == 5:
            assert not orders
            continue
        old.append(seed)
        (order,) = orders
        assert (order.promise.number, order.times) == (Number.P18, 1)
        assert order.later == (T0, order.earlier.pc + 4, order.earlier.cycle + 1)
    assert 10 < 100 * len(old) / SEEDS < 40


def test_c0_keeps_setdmareg_before_wrcfg(compiled: Machine) -> None:
    program = setdmareg_and_wrcfg(["STALLWAIT block=B7, wait=C0"])
    for seed in range(1, SEEDS + 1):
        begin(compiled, Execution(Schedule.RANDOM, seed), (T0, program))
        run(compiled)
        assert compiled.S.config.word[0, 100] == 5
        assert not broken(compiled.S)
