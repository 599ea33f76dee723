# SPDX-License-Identifier: Apache-2.0
"""STALLWAIT of Blackhole: the notes: when a condition helps, and what should go with it."""

from __future__ import annotations

from collections.abc import Mapping

from tensix_gdb.core.litmus.data_path_setup import READY
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tests.documents.facts.fact import Fact
from tests.documents.facts.runs import SYNC, outcomes, passed
from tests.documents.facts.texts import notes, warns
from tests.documents.on_the_machine import after, gpr, held

# An instruction that loads a GPR from memory, and what it needs; G11 becomes a copy of the GPR.
LOADS: dict[str, tuple[str, Mapping[str, int]]] = {
    "LOADIND": (
        "LOADIND size=BITS_32, offset_half_reg=4, result_reg=10, addr_reg=1",
        {"gpr.word[1]": 0x10, "l1.word[64]": 5},
    ),
    "LOADREG": ("LOADREG result_reg=10, addr_lo=0x4409", {"tdma.word[10]": 5}),
    "ATINCGET": (
        "ATINCGET int_width=31, ofs=0, in_out_reg=10, addr_reg=1",
        {"gpr.word[1]": 0x10, "l1.word[64]": 5},
    ),
}
COPY = "ADDDMAREG result_reg=11, right_imm6=0, left_reg=10"
TTSYNC_ON = "init config.thread[0,56] = 29"  # configuration, GPRs, TDMA-RISC, instructions
READS = {
    "GPRs": ("GPR[1]", "B5", "ADDDMAREG.Reg result_reg=2, left_reg=1, right_reg=0"),
    "the configuration": ("CFG[100]", "B7", "RDCFG result_reg=2, cfg_index=100"),
    "TDMA-RISC": ("TDMA[9]", "B5", "LOADREG result_reg=2, addr_lo=0x4409"),
}


def copied(mnemonic: str) -> list[int]:
    """Return what a copy of the loaded GPR has, with C0 between and without."""
    load, state = LOADS[mnemonic]
    wait = (0, "STALLWAIT block=B5, wait=C0")
    programs = [(0, load), wait, (0, COPY)], [(0, load), (0, COPY)]
    return [gpr(after(60, program, state), 11) for program in programs]


def helps_after(mnemonic: str) -> Fact:
    """C0 after an instruction that loads a GPR."""
    return Fact(
        f"C0 after {mnemonic} has the memory request done and the GPR loaded.",
        lambda: (copied(mnemonic), notes("STALLWAIT wait=C0", "C0", says=mnemonic)),
        ([5, 0], True),
    )


def fitting(condition: str) -> list[str]:
    """The block bits with which `explain` does not warn that the mask lacks one."""
    return [
        f"B{bit}"
        for bit in range(9)
        if not warns(f"STALLWAIT block=B{bit}, wait={condition}", "does not catch")
    ]


def wants(condition: str, unit: str, *bits: str) -> Fact:
    """A condition that new instructions of the thread would keep from being met."""
    return Fact(
        f"With {condition} goes {' or '.join(bits)}, or the thread's new instructions for the "
        f"{unit} keep it waiting.",
        lambda: fitting(condition),
        sorted(bits),
    )


def unpack_waits(unpacker: int) -> list[bool]:
    """Does a UNPACR end without a STALLWAIT, with the bank its unpackers', and with it not?"""
    text = f"UNPACR.Regular which_unpacker={unpacker}, multi_context_mode={1 - unpacker}"
    ready = {path: value for path, value in READY[f"unpacker {unpacker}"].items() if "." in path}
    found = []
    for client in (0, 1):
        record = after(400, [(0, text)], {**ready, f"busy.src_client[{unpacker},0]": client})
        found.append(not record.S.busy.unpacker[unpacker, 0])
    return found


def matrix_waits(source: int) -> list[Held]:
    """Return what holds an MVMUL at its gate with both banks the Matrix Unit's, and with one
    not."""
    found = []
    for client in (1, 0):
        state = {**READY["matrix"], f"busy.src_client[{source},0]": client}
        found.append(held(after(4, [(0, "MVMUL"), (0, "MVMUL")], state)))
    return found


def executes_after(place: str) -> set[int]:
    """The values that an instruction may read that C10 holds back, after a store of 5."""
    where, block, reader = READS[place]
    text = f"sw 5, {where}\npush STALLWAIT block={block}, wait=C10\npush {reader}"
    return outcomes(text, "T0:GPR[2]")


def without_c10(place: str, init: str = "") -> set[int]:
    """The same without any wait."""
    where, _, reader = READS[place]
    return outcomes(f"sw 5, {where}\npush {reader}", "T0:GPR[2]", init)


def after_a_store(place: str) -> Fact:
    """C10 orders an instruction after a store of the T core."""
    return Fact(
        f"What C10 holds back executes after the T core's earlier store to {place}.",
        lambda: (
            executes_after(place),
            without_c10(place),
            notes("STALLWAIT wait=C10", "C10", says="executes after that store is processed"),
        ),
        ({5}, {0, 5}, True),
    )


def mover_of_others() -> tuple[set[str], set[str]]:
    """T0 waits for C9 with B4; T1's XMOVs come one after the other, as long as they last."""
    copy = {"config.word[0,88]": 0x10, "config.word[0,89]": 0x20, "config.word[0,90]": 0xC0000040}
    moves = [(1, "XMOV"), (1, "XMOV"), (1, "XMOV"), (1, "XMOV")]
    program = [*moves, (0, "NOP"), (0, "STALLWAIT block=B1|B4, wait=C9"), (0, SYNC)]
    return passed(program, copy), passed(program[4:], copy)


def config_of_others() -> tuple[bool, bool]:
    """T0 waits for C12 with B7: much longer while T1 issues, and soon over while T1 is silent?"""
    write = (1, "STREAMWRCFG cfg_index=100")
    wait = [(0, "STALLWAIT block=B1|B7, wait=C12"), (0, SYNC)]
    cycles = [
        next(n for n in range(1, 80) if after(n, program).S.semaphore.value[0])
        for program in ([*[write] * 4, *wait], wait)
    ]
    return cycles[0] - cycles[1] > 5, cycles[1] < 8


NOTES = [
    *(helps_after(mnemonic) for mnemonic in LOADS),
    wants("C1", "unpackers", "B0", "B3"),
    wants("C2", "unpackers", "B0", "B3"),
    wants("C3", "packer", "B0", "B2"),
    wants("C4", "Matrix Unit", "B6"),
    Fact(
        "C5 is rarely needed, because an UNPACR waits for its bank of SrcA without it.",
        lambda: (unpack_waits(0), notes("STALLWAIT wait=C5", "C5", says="rarely needed")),
        ([True, False], True),
    ),
    Fact(
        "C6 is rarely needed, because an UNPACR waits for its bank of SrcB without it.",
        lambda: (unpack_waits(1), notes("STALLWAIT wait=C6", "C6", says="rarely needed")),
        ([True, False], True),
    ),
    Fact(
        "C7 is rarely needed, because what reads SrcA waits at its gate without it.",
        lambda: (matrix_waits(0)[1], notes("STALLWAIT wait=C7", "C7", says="rarely needed")),
        (Held.SOURCE_BANK, True),
    ),
    Fact(
        "C8 is rarely needed, because what reads SrcB waits at its gate without it.",
        lambda: (matrix_waits(1)[1], notes("STALLWAIT wait=C8", "C8", says="rarely needed")),
        (Held.SOURCE_BANK, True),
    ),
    wants("C9", "Mover", "B0", "B4"),
    Fact(
        "No block mask keeps other threads from the Mover, and their XMOVs prolong a wait for C9.",
        mover_of_others,
        (set(), {SYNC}),
    ),
    Fact(
        "TDMA-RISC can give the Mover more work during a wait for C9, too.",
        lambda: warns("STALLWAIT block=B4, wait=C9", "other threads and for TDMA-RISC"),
    ),
    *(after_a_store(place) for place in READS),
    Fact(
        "C10 is rarely needed, because Auto TTSync lets instructions pass only after such stores.",
        lambda: (
            [without_c10(place, TTSYNC_ON) for place in ("GPRs", "the configuration")],
            notes("STALLWAIT wait=C10", "C10", says="Rarely needed where Auto TTSync is on"),
        ),
        ([{5}, {5}], True),
    ),
    Fact(
        "Auto TTSync handles every case of it: also a LOADREG after a store to TDMA-RISC.",
        lambda: (
            without_c10("TDMA-RISC", TTSYNC_ON),
            notes("STALLWAIT wait=C10", "C10", says="but no LOADREG after a store to TDMA-RISC"),
        ),
        ({0, 5}, True),
        "AutoTTSync.md, instruction classes: LOADREG is class 6, which writes GPRs and does not "
        "read TDMA-RISC, so nothing keeps it until the store is processed; C10 is needed there",
    ),
    wants("C11", "Vector Unit", "B8"),
    wants("C12", "Configuration Unit", "B7"),
    Fact(
        "No block mask keeps other threads from the Configuration Unit, and their instructions "
        "prolong a wait for C12.",
        lambda: (
            config_of_others(),
            warns("STALLWAIT block=B7, wait=C12", "other threads' instructions"),
        ),
        ((True, True), True),
    ),
]
