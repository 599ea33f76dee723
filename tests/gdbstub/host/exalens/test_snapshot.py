# SPDX-License-Identifier: Apache-2.0
"""Snapshots of machines in this process: field by field, what they change, what is not known."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile

from tensix_gdb.core.arch.blackhole import (
    HART_NAMES,
    LOCAL_BASE,
    LOCAL_STRIDE,
    NC,
    RESET_PC,
    SLOW_LOCAL_BASE,
    T0,
    T1,
    T2,
    B,
)
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.host.exalens.command import snapshot_lines
from tensix_gdb.gdbstub.host.exalens.found import Local, Snapshot
from tensix_gdb.gdbstub.host.exalens.snapshot import take_snapshot
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of, machine_from, read_core
from tensix_gdb.gdbstub.tensix.corefile.unknown import answered
from tensix_gdb.gdbstub.tensix.corefile.unknown_memory import readable
from tests.assembler import SPIN, asm, image, li
from tests.gdbstub.host.exalens.compare import differences, said_otherwise
from tests.gdbstub.host.exalens.hangs import HANGS, MAILBOX, SEMWAIT, company, loads_once, pushes
from tests.gdbstub.host.exalens.in_process import MachineCard

CYCLES = 600
# Rows of the record that a snapshot of a tile in which nothing runs may change, without halts.
ASKING = {f"tile_control.{name}" for name in ("word", "debug_cntl0", "debug_status0",
                                              "debug_status1")}  # fmt: skip
SELECTS = {"tile_control.config_data", *ASKING}


@dataclass
class Taken:
    """A snapshot, and the machine after it."""

    found: Snapshot
    own: Machine

    @property
    def card(self) -> Machine:
        return self.found.machine


def hung(name: str) -> Machine:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    for hart, words in HANGS[name].items():
        machine.load(hart, image(list(words), RESET_PC[hart]))
    machine.run(CYCLES)
    return machine


def taken(machine: Machine, **options: Any) -> Taken:
    found = take_snapshot(MachineCard(machine), **options)
    found.machine.unknown.update(found.unknown)
    return Taken(found, machine)


@pytest.fixture(scope="module", params=list(HANGS))
def each(request: pytest.FixtureRequest) -> tuple[str, Taken]:
    """Each of the ten, with local RAM."""
    return request.param, taken(hung(request.param))


def changed(before: dict[str, bytes], machine: Machine) -> set[str]:
    after = rows(machine)
    return {name for name, value in after.items() if before[name] != value}


def rows(machine: Machine) -> dict[str, bytes]:
    """The bytes of each row of the record, by part and name."""
    layout = machine.record.layout
    return {
        f"{part}.{field}": bytes(machine.record.row(slot))
        for (part, field), slot in layout.slots.items()
        if slot.offset < layout.state_size
    }


def test_field_by_field(each: tuple[str, Taken]) -> None:
    assert differences(each[1].card, each[1].own) == []


def test_why_says_the_same_or_that_it_cannot_be_known(each: tuple[str, Taken]) -> None:
    assert said_otherwise(each[1].card, each[1].own) == []


def test_undisturbed_leaves_the_tile_as_it_is() -> None:
    """No core halted: what the registers that select had, they have again."""
    for name in HANGS:
        machine = hung(name)
        machine.poke(NC, 0xFFB12054, (1 << 29 | 7 << 16 | 13).to_bytes(4, "little"))
        machine.poke(NC, 0xFFB12058, (77).to_bytes(4, "little"))
        before, kept = rows(machine), machine.hash()
        take_snapshot(MachineCard(machine), undisturbed=True)
        assert changed(before, machine) <= SELECTS
        S = machine.S
        S.tile_control.debug_cntl0 = S.tile_control.debug_status0 = 0
        S.tile_control.debug_status1 = 0
        S.tile_control.config_data = 0
        assert machine.hash() == kept


def test_a_halt_changes_the_debug_registers_alone() -> None:
    """T0 spins: in a snapshot that halts it, it spins on; nothing but its debug registers and the
    cycles that have passed is other than before."""
    machine = hung("a semaphore that a core polls")
    before, kept = rows(machine), [machine.read_x(T0, number) for number in range(32)]
    found = take_snapshot(MachineCard(machine))
    assert found.halted == [T0]
    assert "halted for a moment, and let go: T0" in list(snapshot_lines(found))
    passing = {"hart", "pipeline", "stream", "tile", "schedule", "frontend", "l1_port", "fetch"}
    others = {row for row in changed(before, machine) if row.partition(".")[0] not in passing}
    assert {row for row in others if not row.startswith("risc_debug.")} <= SELECTS | {"request.pc"}
    assert not machine.S.hart.paused[T0]
    assert [machine.read_x(T0, number) for number in range(32)] == kept


def test_a_running_tile_goes_on() -> None:
    """B counts in L1, before the snapshot, while it is taken, and after it."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    words = [*li(10, 0x9000), asm("addi", rd=11, rs1=11, imm=1), asm("sw", rs1=10, rs2=11)]
    machine.load(B, image([*words, asm("jal", imm=-8)]))
    machine.run(CYCLES)
    first = int.from_bytes(machine.peek(B, 0x9000, 4), "little")
    found = take_snapshot(MachineCard(machine, cycles=2), local=Local.NONE)
    second = int.from_bytes(machine.peek(B, 0x9000, 4), "little")
    machine.run(CYCLES)
    assert 0 < first < second < int.from_bytes(machine.peek(B, 0x9000, 4), "little")
    assert found.halted == [B]
    assert not machine.S.hart.paused[B]
    assert first <= found.machine.read_x(B, 11) <= second + 1


def test_a_core_that_was_halted_stays_halted() -> None:
    machine = hung("a loop")
    with MachineCard(machine).halted(B):
        found = taken(machine, undisturbed=True)
        assert found.found.halted == []
        assert found.card.S.hart.paused[B]
        assert machine.S.hart.paused[B]
        assert differences(found.card, machine) == []


def test_a_core_that_waits_is_not_asked_to_halt() -> None:
    """It would halt when its load is answered, long after."""
    machine = hung("a mailbox that no hart fills")
    found = taken(machine)
    assert not machine.S.risc_debug.pausing[T0]
    assert found.found.asked == []
    assert found.found.unknown["registers of T0"].startswith("it waits in a load")


def test_a_core_that_does_not_halt_is_named() -> None:
    machine = hung("a full FIFO")
    found = taken(machine)
    assert found.found.asked == [T0]
    assert "asked to halt, and not halted: T0." in "\n".join(snapshot_lines(found.found))
    assert "T0: at 0x00006020; it cannot be known whether it runs" in (
        answered(found.card, "why", 0, []) or ""
    )


def test_all_that_a_tile_can_have() -> None:
    """Something in each field that hardware shows."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    machine.load(T1, image([*pushes(SEMWAIT, "NOP")], RESET_PC[T1]))
    machine.load(B, image([*li(10, MAILBOX), asm("sw", rs1=10, rs2=10), asm("jal")]))
    machine.load(T0, image(loads_once(0xFFE80000), RESET_PC[T0]))
    machine.run(CYCLES)
    S = machine.S
    for row in (S.rwc.dst, S.rwc.dst_cr, S.rwc.src_a, S.rwc.src_a_cr, S.rwc.src_b, S.rwc.src_b_cr):
        for thread in range(3):
            row[thread] = 5 + thread
    for number, at in enumerate(product(range(3), range(3), range(2), range(4))):
        S.adc.value[at], S.adc.cr[at] = 30 + number, 60 + number
    for thread in range(3):
        S.config.thread[thread, 60] = 0x1230 + thread
    S.config.word[1, 12] = 0xCAFE
    for number in range(192):
        S.gpr.word[number] = 0x1000 + number
    S.semaphore.value[6] = 9
    S.dst.bits[1023, 15] = 0xBEEF
    found = taken(machine, with_dst=True)
    assert differences(found.card, machine) == []
    assert "Dst" not in found.found.unknown
    key = "mailbox from B to T0"  # T0 waits for its PCBuf: nothing looks at its mailboxes
    assert found.found.unknown[key] == "T0 was not halted to look"
    assert found.card.S.gpr.word[191] == 0x10BF
    why = answered(found.card, "why", 0, []) or ""
    assert "T0: waits for B to write to the PCBuf from B to T0, at 0x0000" in why
    assert "S6 = 9" in why


def test_half_of_the_local_ram_of_t2_is_not_known(tmp_path: Path) -> None:
    """The debug interface of T2 reads it as 0: neither a command, nor a core file, has these 0s."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    for hart, words in company(0).items():
        machine.load(hart, image(list(words), RESET_PC[hart]))
    machine.run(6000)
    card = taken(machine).card
    assert card.peek(T2, LOCAL_BASE, 8) == machine.peek(T2, LOCAL_BASE, 8)
    assert readable(card, T2, LOCAL_BASE, 16) == 8
    with pytest.raises(TargetError, match=r"0xffb00008 is unknown: words at 8 and 12 of each 16"):
        readable(card, T2, LOCAL_BASE + 8, 4)
    file = tmp_path / "hung.core"
    file.write_bytes(core_of(card, "read"))
    window = SLOW_LOCAL_BASE + 4 * LOCAL_STRIDE
    with file.open("rb") as opened:
        loads = {
            row["p_vaddr"]: row["p_filesz"] for row in ELFFile(opened).iter_segments("PT_LOAD")
        }
    assert loads[window] == loads[window + 16] == 8
    assert window + 8 not in loads


def test_t2_alone_gives_no_gprs_and_no_semaphores() -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    machine.load(T2, image([SPIN], RESET_PC[T2]))
    machine.run(CYCLES)
    found = taken(machine)
    assert found.found.halted == [T2]
    assert found.found.unknown["semaphores"] == "neither T0 nor T1 could be halted"
    assert "half of them read as 0" in found.found.unknown["GPRs of T2"]
    assert differences(found.card, machine) == []


def test_local_ram_over_the_noc(each: tuple[str, Taken]) -> None:
    """Of every core that is not in reset: also of NC, and of one that cannot be halted."""
    machine = hung(each[0])
    found = taken(machine, local=Local.NOC)
    assert differences(found.card, machine) == []
    for hart in HANGS[each[0]]:
        assert f"local RAM of {HART_NAMES[hart]}" not in found.found.unknown


def test_the_nius() -> None:
    """Stored words are there, and counters; which tile it is, the card says, not the model."""
    machine = hung("a counter of the NoC")
    machine.poke(NC, 0xFFB20810, (0x1234).to_bytes(4, "little"))
    machine.S.noc.counter[1, 2] = 7
    card = taken(machine, undisturbed=True).card
    assert card.peek(NC, 0xFFB20810, 4) == (0x1234).to_bytes(4, "little")
    assert card.peek(NC, 0xFFB30208, 4) == (7).to_bytes(4, "little")
    assert readable(card, NC, 0xFFB20208, 64) == 4
    with pytest.raises(TargetError, match="0xffb20044 is unknown: devices that are not named"):
        readable(card, NC, 0xFFB20044, 4)


# What is said of it


def test_no_command_shows_a_zero_that_was_not_read() -> None:
    card = taken(hung("a loop"), undisturbed=True).card
    for name in ("order", "ttsync", "mop", "replay", "mutex", "dst", "src", "vector", "gpr", "sem"):
        assert (answered(card, name, 0, []) or "").startswith("unknown: "), name
    assert answered(card, "cfg", 0, []) is None


def test_commands_show_what_was_read() -> None:
    machine = hung("a semaphore at the gate")
    machine.S.rwc.dst[1] = 77
    machine.S.adc.value[2, 2, 1, 0] = 123
    machine.S.semaphore.value[3] = 5
    card = taken(machine).card
    assert "T0 unpack: SETDMAREG.Immediate new_value=0x5" in (answered(card, "fifo", 0, []) or "")
    assert "T1 math    77 (0)" in (answered(card, "rwc", 0, []) or "")
    assert "channel 1  123 (0)" in (answered(card, "adc", 0, []) or "")
    assert "3          5      unknown" in (answered(card, "sem", 0, []) or "")
    assert answered(card, "gpr", 0, ["T0"]) is None
    assert "`monitor gpr T0` shows" in (answered(card, "gpr", 0, []) or "")


def test_a_core_file_of_it_has_the_same(tmp_path: Path) -> None:
    card = taken(hung("a mutex")).card
    file = tmp_path / "hung.core"
    file.write_bytes(core_of(card, "read"))
    again = machine_from(read_core(str(file)), "reference")
    assert answered(again, "why", 0, []) == answered(card, "why", 0, [])
    assert "ATGETM is at the wait gate; it cannot be known what holds it: who has the mutex" in (
        answered(again, "why", 0, []) or ""
    )
