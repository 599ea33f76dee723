# SPDX-License-Identifier: Apache-2.0
"""Instructions of a MOP name the store that has configured them, and those of SFPLOADMACRO what has
configured their template and sequence."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1
from tensix_gdb.core.devices.mop_config import MOP_CONFIG_BASE
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.history.replay import run_to_cycle
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.ask import origins
from tensix_gdb.core.origin.rerun import Again
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.gdbstub.tensix.blocked.why import monitor_why
from tensix_gdb.gdbstub.tensix.capabilities.threads import thread_of_tensix
from tensix_gdb.gdbstub.tensix.monitor.dst import monitor_vector
from tensix_gdb.gdbstub.tensix.monitor.frontend import monitor_fifo, monitor_mop
from tensix_gdb.gdbstub.tensix.monitor.gate_breaks import monitor_break
from tensix_gdb.gdbstub.tensix.monitor.watch import monitor_watch
from tests.assembler import EBREAK, asm, image, li
from tests.core.tensix.drive import refused
from tests.core.tensix.programs import PUSH_BASE, push_all, ttinsn, word
from tests.core.tensix.vector.macros import LOAD_0, SIMPLE, configure, fill, set_everywhere, step

CODE = 0x2000
TENSIX = thread_of_tensix(1)
NOP = word("NOP")
PLAY = word("REPLAY start_idx=4, len=2")
POST, GET = "SEMPOST sem=S3", "SEMGET sem=S3"


def program(start: str = POST, inner: int = PLAY) -> tuple[list[int], dict[int, int], int]:
    """Return a program that records two instructions and expands a MOP; by word of MopCfg the
    address of the store, and that of the first recorded instruction."""
    config = [1, 2, word(start), NOP, NOP, inner, NOP, inner, inner]
    code, stores = li(5, MOP_CONFIG_BASE), {}
    for i, value in enumerate(config):
        code += li(6, value)
        stores[i] = CODE + 4 * len(code)
        code.append(asm("sw", rs1=5, rs2=6, imm=4 * i))
    code += push_all(["REPLAY start_idx=4, len=2, load_mode=1"])
    recorded = CODE + 4 * len(code)
    code += [*push_all(["SFPLOADI vd=L1, mod0=FLOATB, imm16=0x3f80", GET])]
    return [*code, ttinsn("MOP template=DOUBLE_LOOP"), EBREAK], stores, recorded


def stopped(
    code: list[int], *texts: str, schedule: Schedule = Schedule.LATENCY
) -> tuple[Machine, Stop]:
    """Run to an instruction at the gate of T1 math."""
    machine = Machine(engine="reference", schedule=schedule)
    machine.load(T1, image(code, CODE))
    monitor_break(machine, TENSIX, ["gate", *texts])
    while True:
        stop = machine.run(5_000)
        assert stop is not None
        if stop.kind is StopKind.GATE:
            return machine, stop
        assert stop.kind is StopKind.EBREAK, stop.text


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY])
def test_a_word_of_a_mop_names_its_store(schedule: Schedule) -> None:
    code, stores, _ = program()
    machine, stop = stopped(code, "SEMPOST", schedule=schedule)
    assert stop.text.endswith(f"; configured at {stores[2]:#010x}")
    assert f"by way of a MOP; configured at {stores[2]:#010x}" in monitor_fifo(machine, TENSIX, [])
    words = monitor_mop(machine, TENSIX, ["T1"]).splitlines()[-len(stores) :]
    for line, store in zip(words, stores.values(), strict=True):
        assert line.endswith(f"  configured at {store:#010x}"), line
    machine.S.gate.held[1] = 1
    assert f"; configured at {stores[2]:#010x}\n" in monitor_why(machine, TENSIX, ["T1"])


def test_of_a_replay_in_a_mop_both_lines_are_said() -> None:
    code, stores, recorded = program()
    _, stop = stopped(code, "SEMGET")
    lines = " or ".join(f"{stores[i]:#010x}" for i in (5, 7, 8))
    assert " of a REPLAY in a MOP, at its gate" in stop.text
    assert stop.text.endswith(f"; configured at {lines}; recorded at {recorded + 4:#010x}")


def test_what_is_not_in_the_configuration_any_more_names_nothing() -> None:
    """It has been written again while the instruction was under way."""
    code, _, _ = program()
    machine, _ = stopped(code, "SEMPOST")
    machine.S.mop_config.word[1, 2] = NOP
    (line,) = (line for line in monitor_fifo(machine, TENSIX, []).splitlines() if "SEMPOST" in line)
    assert line.endswith(", by way of a MOP")


def test_what_no_mop_has_made_names_no_store() -> None:
    code, stores, _ = program(start=GET)
    code[-1:-1] = [ttinsn("STALLWAIT block=ALL, wait=C0"), ttinsn(GET)]
    _, stop = stopped(code, "SEMGET", "nth", "1")
    assert f"; configured at {stores[2]:#010x}" in stop.text
    code = [*push_all(["SEMINIT new_max=3, new_value=3, sem=S3", GET]), EBREAK]
    assert "configured" not in stopped(code, "SEMGET")[1].text


def test_a_fault_in_a_mop_names_the_store() -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    code, stores, _ = program(start="SFPLOADI vd=L1, mod0=3, imm16=0")
    machine.load(T1, image(code, CODE))
    stop = machine.run(5_000)
    while stop is not None and stop.kind is StopKind.EBREAK:
        stop = machine.run(5_000)
    assert stop is not None
    assert stop.kind is StopKind.FAULT
    assert f"; configured at {stores[2]:#010x}. Next: " in stop.text


def test_a_watch_names_the_store() -> None:
    """The instruction has left its gate."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    code, stores, _ = program(start="SFPLOADI vd=L2, mod0=FLOATB, imm16=0x4000")
    machine.load(T1, image(code, CODE))
    monitor_watch(machine, TENSIX, ["lreg", "2.0"])
    stop = machine.run(5_000)
    while stop is not None and stop.kind is StopKind.EBREAK:
        stop = machine.run(5_000)
    assert stop is not None
    assert stop.kind is StopKind.WATCH
    assert stop.text.endswith(f"; configured at {stores[2]:#010x}"), stop.text


def test_an_origin_names_the_store() -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    code, stores, _ = program(start="SFPLOADI vd=L2, mod0=FLOATB, imm16=0x4000")
    machine.load(T1, image(code, CODE))
    run_to_cycle(machine, 300)
    (origin,) = origins(machine, Again(machine), ["lreg", "2.0"]).trees
    assert origin.by.startswith("SFPLOADI of T1 math, 0x00002")
    made = f"SFPLOADI of T1 math, {stores[2]:#010x}"
    assert origin.by.startswith(f"{made}, expanded by the MOP at 0x")
    assert origin.brief == made


def test_an_origin_names_what_a_replay_in_a_mop_has_recorded() -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    code, stores, recorded = program()
    machine.load(T1, image(code, CODE))
    run_to_cycle(machine, 300)
    (origin,) = origins(machine, Again(machine), ["lreg", "1.0"]).trees
    made = f"SFPLOADI of T1 math, {recorded:#010x}"
    assert origin.by.startswith(f"{made}, replayed by {stores[5]:#010x}, of the MOP at 0x")
    assert list(origin.lines(brief=True)) == [
        f"lreg 1.0: 0x3f800000 (1 as fp32): {made}, in cycle {origin.cycles[1]}"
    ]


def test_an_origin_names_what_a_replay_has_recorded_that_a_store_has_pushed() -> None:
    """The code has the line of the store; the word that it stores is in a register."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    code = push_all(["REPLAY start_idx=4, len=1, load_mode=1"])
    recorded = CODE + 4 * len(code)
    code += push_all(["SFPLOADI vd=L1, mod0=FLOATB, imm16=0x3f80"])
    code += [*li(5, PUSH_BASE), *li(6, word("REPLAY start_idx=4, len=1"))]
    code += [asm("sw", rs1=5, rs2=6), EBREAK]
    machine.load(T1, image(code, CODE))
    run_to_cycle(machine, 300)
    (origin,) = origins(machine, Again(machine), ["lreg", "1.0"]).trees
    pushed = CODE + 4 * (len(code) - 2)
    made = f"SFPLOADI of T1 math, {recorded:#010x}"
    assert (origin.by, origin.brief) == (f"{made}, replayed at {pushed:#010x}", made)


def scheduled(texts: list[str]) -> Iterator[int]:
    """Yield the addresses of the template, of SFPCONFIG of the sequence, and of SFPLOADMACRO."""
    names = [text.split()[0] for text in texts]
    for name in ("SFPPOPC", "SFPCONFIG", "SFPLOADMACRO"):
        yield CODE + 4 * names.index(name)


def test_what_sfploadmacro_schedules_names_its_template_and_sequence() -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    fill(machine)
    texts = configure(machine, ["SFPPOPC vd=12"], step(4, 3) << SIMPLE)
    texts += [LOAD_0.format(3, 0), "NOP", "NOP", "NOP"]
    template, sequence, macro = scheduled(texts)
    made = f"template 0 configured at {template:#010x}, sequence 0 configured at {sequence:#010x}"
    machine.load(T0, image([*push_all(texts), EBREAK], CODE))
    while not machine.S.macro.count:
        machine.run(1)
    shown = monitor_vector(machine, TENSIX, [])
    assert re.search(
        rf"^scheduled +\w{{8}}  simple in \d cycles, by SFPLOADMACRO at {macro:#010x}; {made}$",
        shown,
        re.M,
    )
    assert re.search(rf"^template 0 .* SFPPOPC .*  configured at {template:#010x}$", shown, re.M)
    assert re.search(rf"^sequence 0 +0000001c  configured at {sequence:#010x}$", shown, re.M)
    stop = machine.run(1_000)
    while stop is not None and stop.kind is StopKind.EBREAK:
        stop = machine.run(1_000)
    assert stop is not None
    assert stop.code == Fault.VECTOR_STACK
    assert f"; SFPLOADMACRO has scheduled it, {made}. Next: " in stop.text


def test_a_template_that_the_back_door_has_not_made_names_no_line() -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    set_everywhere(machine, ["SFPPOPC vd=12"], 3)
    for column in range(8):
        machine.S.vector.sequence[0, column] = step(4, 0) << SIMPLE
    stop = refused(machine, LOAD_0.format(3, 0), "NOP", "NOP")
    assert "; SFPLOADMACRO has scheduled it. Next: " in stop.text
