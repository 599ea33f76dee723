# SPDX-License-Identifier: Apache-2.0
"""The monitor's commands about the coprocessor, on a tile that is stuck in the middle of work."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from functools import partial

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.threads import thread_of
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.assembler import EBREAK, asm, image, li
from tests.core.tensix.programs import push_all, ttinsn
from tests.gdbstub.tensix import stuck
from tests.machines import machine_on
from tests.work import calls_in

B_THREAD = 1
MAX_CALLS = 60_000  # of functions for one line: some 25 ms


class RspClient:
    """Types `monitor` commands with a thread selected."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        monitor = tensix_target(machine).monitor
        assert monitor is not None
        self._monitor = monitor

    def __call__(self, line: str, thread: int = B_THREAD) -> str:
        return self._monitor.command(thread, line, running=False)


@pytest.fixture(params=["reference", "compiled"])
def ask(request: pytest.FixtureRequest) -> Iterator[RspClient]:
    machine = stuck.run(stuck.load(machine_on(request.param, Schedule.LATENCY)))
    yield RspClient(machine)
    machine.close()


@pytest.fixture
def ask_fresh() -> Iterator[RspClient]:
    machine = machine_on("reference", Schedule.LATENCY)
    yield RspClient(machine)
    machine.close()


def test_fifo_has_every_instruction_with_its_origin(ask: RspClient) -> None:
    S, shown = ask.machine.S, ask("fifo T1")
    counts = [S.fifo.count[1, fifo] for fifo in range(3)]
    assert counts[1:] == [8, 2]
    assert f"FIFO A, before the MOP expander: {counts[0]} of 32" in shown
    assert "T1 math  FIFO C, before the wait gate: 2 of 2" in shown
    pushed = re.findall(r"^  (.*)  pushed by T1 at (0x\w+) in cycle (\d+)$", shown, re.MULTILINE)
    assert len(pushed) == sum(counts)
    assert ("ATGETM index=0", "0x00003004") in [row[:2] for row in pushed]
    assert ask("fifo", thread_of(T1)) == shown
    assert ask("fifo 7") == shown
    assert ask("fifo").count("FIFO A") == 3


def test_sem_says_who_waits_and_sets(ask: RspClient) -> None:
    """`monitor sem`: its table, and what it writes."""
    rows = ask("sem").splitlines()
    assert rows[2].split("  ")[0] == "1"
    assert rows[2].endswith("T1 math until it is not 0; T2 pack until it is not 0")
    assert rows[1].split() == ["0", "0", "0"]
    assert ask("sem 1=3").splitlines()[1].startswith("1          3      2")
    assert ask("sem S1.max=7").splitlines()[1].startswith("1          3      7")
    assert (ask.machine.S.semaphore.value[1], ask.machine.S.semaphore.max[1]) == (3, 7)


def test_mutex(ask: RspClient) -> None:
    rows = ask("mutex").splitlines()
    assert [row.split()[0] for row in rows[1:]] == ["0", "2", "3", "4"]
    assert re.search(r"^2 +T2 pack +T0 unpack$", rows[2])
    assert rows[1].split() == ["0", "none"]


def test_gpr(ask: RspClient) -> None:
    ask.machine.S.gpr.word[64 + 9] = 0xABCD
    assert ask("gpr T1 9") == "gpr T1 9 = 0x0000abcd (43981)\n"
    assert ask("gpr 9", 7) == ask("gpr 1 G9")
    assert ask("gpr T1").splitlines()[2] == "   8  00000000 0000abcd" + " 00000000" * 6
    assert ask("gpr 9").count(" 9 = ") == 3
    assert ask("gpr T0 9=0x11") == "gpr T0 9 = 0x00000011 (17)\n"
    assert ask.machine.S.gpr.word[9] == 17


NAME = "THCON_SEC0_REG3_Base_address"


def test_cfg_by_name_word_and_part(ask: RspClient) -> None:
    assert ask("cfg") == "Every word of the configuration is 0.\n"
    assert ask(f"cfg {NAME}") == f"{NAME}  word 76  bits 31:0  0x0  both banks\n"
    assert NAME in ask("cfg base_address")
    assert ask("cfg 76") == ask(f"cfg {NAME}")
    assert "and 760 more" in ask("cfg _")


def test_cfg_sets_a_field_of_a_bank_or_of_a_thread(ask: RspClient) -> None:
    S = ask.machine.S
    ask("cfg CFG_STATE_ID_StateID=1 T0")
    assert [S.config.thread[t, 0] & 1 for t in range(3)] == [1, 0, 0]
    ask(f"cfg {NAME}=0x20", thread_of(T0))
    assert (S.config.word[0, 76], S.config.word[1, 76]) == (0, 0x20)
    ask(f"cfg {NAME}=0x30 0")
    shown = ask(f"cfg {NAME}").splitlines()
    assert shown[0].endswith("0x30  bank 0, that of T1 math, T2 pack")
    assert shown[1].endswith("0x20  bank 1, that of T0 unpack")
    S.config.word[0, 1] = 0xFFFFFFFF
    ask("cfg ALU_ACC_CTRL_Fp32_enabled=0 0")
    field = [row for row in ask("cfg 1").splitlines() if "ALU_ACC_CTRL_Fp32_enabled" in row]
    low = int(re.search(r"bit (\d+)", field[0])[1])  # type: ignore[index]
    assert S.config.word[0, 1] == 0xFFFFFFFF & ~(1 << low)


def test_mop_and_replay(ask_fresh: RspClient) -> None:
    machine = ask_fresh.machine
    config = [3, 9, 0x02000000, 0x02000000, 0x02000000, 0x46000001, 0x02000000, 0x46000001,
              0x46000001]  # fmt: skip
    code = li(5, 0xFFB80000)
    for i, word in enumerate(config):
        code += [*li(6, word), asm("sw", rs1=5, rs2=6, imm=4 * i)]
    pushes = ["ATGETM index=1", "REPLAY start_idx=4, len=2, load_mode=1", "NOP", "SEMPOST sem=S3"]
    code += [*push_all(pushes), ttinsn("MOP template=DOUBLE_LOOP"), EBREAK]
    machine.load(T0, image(code, 0x2000))
    for _ in range(3):
        machine.run(500)
    shown = ask_fresh("mop", thread_of(T0))
    assert "T0 unpack  expands template 1 (loops): outer iteration" in shown
    assert "  MOP template=DOUBLE_LOOP  pushed by T0 at 0x0000" in shown
    assert "word 0  0x00000003  3  (template 1: outer iterations)" in shown
    assert "word 5  0x46000001  FLUSHDMA wait=C0  (template 1: inner loop; template 0: A2)" in shown
    assert "by way of a MOP" in ask_fresh("fifo T0")
    nop = 0x2000 + 4 * (len(code) - 4)
    assert ask_fresh("replay T0") == (
        "T0 unpack  the Replay expander forwards instructions\n"
        f"    4  NOP  recorded at {nop:#010x}\n"
        f"    5  SEMPOST sem=S3  recorded at {nop + 4:#010x}\n"
    )


def test_adc_and_rwc(ask: RspClient) -> None:
    S = ask.machine.S
    S.adc.value[1, 2, 1, 0], S.adc.cr[1, 2, 1, 0] = 5, 3
    S.rwc.dst[2], S.rwc.fidelity[2] = 16, 1
    assert re.search(r"^T1 math  packers +channel 1  5 \(3\) +0 +0 +0$", ask("adc T1"), re.M)
    assert re.search(r"^T2 pack  16 \(0\) +0 +0 +1 +0$", ask("rwc T2"), re.M)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("show gpr T1 5 = 7", "gpr T1 5 = 0x7 (7)"),
        ("show gpr T1 5", "gpr T1 5 = 0x0 (0)"),
        ("show L1 0x21000:2 = 0x1234", "L1 0x21000:2 = 0x1234 (4660)"),
        ("show hart.pc", "hart.pc, 5 values\n  0 0 0 0 0"),
        (
            "show mmio B 0xffb12068 = 1",
            "mmio B 0xffb12068:4 (DBG_FEATURE_DISABLE, tile_control.feature_disable) = 0x1 (1)",
        ),
        (
            "show mmio B 0xffb30214",
            "mmio B 0xffb30214:4 (NIU_COUNTER[5], noc.counter[1,5]) = 0x0 (0)",
        ),
        ("show mmio B 0xffe00104", "mmio B 0xffe00104:4 (gpr T1 1) = 0x0 (0)"),
        ("show mmio B 0xffef0030", "mmio B 0xffef0030:4 (Config[0][12], cfg 12 0) = 0x0 (0)"),
        ("show $wait.kind T1", "latch.kind[1] = 0x0 (0)"),
        ("show $pc", "hart.pc[0] = 0x0 (0)"),
        ("show $gpr[5] T1 = 7", "gpr T1 5 = 0x7 (7)"),
        ("mutex 2", "mutex 2 = 0x0 (0)"),
        ("adc T1 UNP0 Z1", "adc T1 UNP0 Z1 = 0x0 (0)"),
        ("rwc T2 src_b", "rwc T2 src_b = 0x0 (0)"),
        ("mop T1 2", "mop T1 2 = 0x0 (0)"),
    ],
)
def test_show_has_any_place(ask_fresh: RspClient, line: str, shown: str) -> None:
    assert ask_fresh(line).startswith(shown)


def test_order_has_every_stage_of_a_request(ask_fresh: RspClient) -> None:
    machine = ask_fresh.machine
    code = [*li(5, 0xFFEF0130), *li(7, 0xFFE00000)]
    code += [asm("sw", rs1=5, rs2=5, imm=4 * i) for i in range(8)]
    code += [asm("sw", rs1=7, rs2=5), asm("sw", rs1=0, rs2=5, imm=0x700)]
    code += [*push_all(["STALLWAIT block=ALL, wait=C10", "NOP"]), EBREAK]
    machine.load(T0, image(code, 0x2000))
    seen: set[str] = set()
    most = 0
    while not machine.S.hart.paused[T0]:
        machine.run(1)
        shown = ask_fresh("order")
        for line in shown.splitlines():
            if found := re.match(r"T0  (in EX1|queued|emitted) +store to (?:the )?(\w+)", line):
                seen.add(" ".join(found.groups()))
                assert "from 0x0000" in line
                is_c10 = found[1] == "emitted" and found[2] == "Tensix"
                assert ("(C10)" in line) is is_c10
        if found := re.search(r"C10 would wait: (\d) requests of T0", shown):
            most = max(most, int(found[1]))
            assert int(found[1]) == shown.count("(C10)")
    assert {"in EX1 Tensix", "emitted Tensix", "in EX1 push", "emitted push"} <= seen
    assert {"in EX1 L1", "queued L1", "emitted L1"} <= seen
    assert most


REFUSED = {
    "fifo T4": "'T4' is no Tensix thread: type `monitor fifo T0`",
    "fifo T1 x": "`monitor fifo` does not know 'x'",
    "sem 8": "there is no semaphore 8: they are 0 to 7",
    "sem 1=16": "'16' is no value of sem 1: type a number from 0 to 15",
    "sem 1.min=2": "a semaphore has no 'min': type 1 or 1.max",
    "gpr 64": "there is no GPR 64: they are 0 to 63",
    "gpr 3=1": "of which thread? Type for example `monitor gpr T0 3=1`",
    "cfg nonsense": "no field of the configuration has 'nonsense' in its name",
    "cfg 224": "'224' is no word of the configuration",
    f"cfg {NAME}=1": "of which thread? Add 0 or 1 for the bank",
    f"cfg {NAME}=0x100000000 0": f"is no value of cfg {NAME} 0",
    "cfg Base=1 0": "'Base' is no field of the configuration: did you mean",
    "mutex 99": "there is no mutex 99",
    "show": "name a place",
    "show hart.pcs": "the record has no hart.pcs",
    "show rwc dst": "of which thread?",
    "show lreg 9.0 = 1": "is a constant",
    "show dst 0-99": "no more than 1024 are shown",
    "why T7": "'T7' is no hart and no Tensix thread: type one of B, T0, T1, T2, NC",
    "stauts": "there is no `monitor stauts` (`monitor status`?)",
    "core x": "`monitor core` writes where the server may: start `tensix-gdb serve`",
    "input x": "`monitor input` is for programs that read: start tensix-gdb with --semihosting",
}


@pytest.mark.parametrize("line", REFUSED)
def test_refused_with_what_to_type(line: str, ask_fresh: RspClient) -> None:
    with pytest.raises(TargetError, match=re.escape(REFUSED[line])):
        ask_fresh(line)


def test_looking_changes_nothing_and_is_quick(ask: RspClient) -> None:
    before = ask.machine.record.state()
    words = ask("help").splitlines()
    commands = [row.split()[1] for row in words]
    assert {"fifo", "sem", "mutex", "gpr", "cfg", "adc", "rwc", "mop", "replay", "order"} <= set(
        commands
    )
    slow: dict[str, int] = {}

    def answer(line: str) -> None:
        with contextlib.suppress(TargetError):  # what needs an argument says so
            ask(line)

    for command in commands:
        if command in ("reset", "reload", "ignore", "riscv"):
            continue
        for line in (command, f"help {command}"):
            answer(line)  # whatever is imported late is now
            calls = calls_in(partial(answer, line))
            if calls > MAX_CALLS:
                slow[line] = calls
    assert slow == {}
    assert ask.machine.record.state() == before
