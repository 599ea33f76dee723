# SPDX-License-Identifier: Apache-2.0
"""Bare loops of one instruction, as cards have been measured with: how many cycles `n` rounds take.

    rounds(PROBES["MVMUL"], threads=(1,), n=(32, 64, 96, 128))      {(1, 32): 12095, ...}

Each thread that takes part waits at a barrier in L1, reads the wall clock, runs a block of
instructions `n` times and reads the wall clock again: the measurement of mesham/tt-sim's riscvbench
and tensixbench, written anew. As a compiler has it, the counter is set after the first reading, and
an instruction makes the clock's address anew before the second. No two threads read the clock in
one cycle. The harts' cfg0 is what tt-metal's firmware sets. Cores that take no
part poll a byte of L1, as tt-metal's firmware does while it waits (brisc.cc, trisc.cc, ncrisc.cc).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tensix_gdb.core.arch.blackhole import HARTS, T0, THREADS
from tensix_gdb.core.assembly.rv32_read import assemble
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image, Segment
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.regfiles.rwc import DST_WORD

WALL_CLOCK = 0xFFB121F0
BARRIER, RESULTS, MESSAGE, SCRATCH = 0x1000, 0x1100, 0x12C0, 0x20000
SCRATCH_BYTES = 0x800
CODE, CODE_BYTES = 0x40000, 0x10000
LOCAL = 0xFFB00F98  # where tt-metal has the stack of a T core
CFG0 = 0x40008  # DisTriscCache, DisLowCash
UNROLL = 64
ROUNDS = (32, 64, 96, 128)
TIMEOUT = 4_000_000


@dataclass(frozen=True, slots=True)
class Probe:
    """A block of instructions: lines of RV32 assembly, and Tensix instructions after `.ttinsn`."""

    body: str
    unroll: int = UNROLL  # instructions of a block, by which cycles are divided
    source_banks: bool = False  # instructions of the Matrix Unit want SrcA and SrcB
    beside: str = ""  # what T0 and T2 run instead
    moves: bool = False  # T1's ADDR_MOD_0 moves Dst on, as LLK's matmul leaves it


def _repeat(lines: str, times: int) -> str:
    return (lines.strip() + "\n") * times


def _risc(lines: str, times: int) -> Probe:
    return Probe(_repeat(lines, times))


def _tensix(text: str) -> Probe:
    return Probe(_repeat(f".ttinsn {text}", UNROLL), source_banks=text.startswith(("MVMUL", "ELW")))


def _moving(text: str) -> Probe:
    """The same, onto the next block each time, on T1 alone."""
    return replace(_tensix(text), moves=True)


def _stalled(text: str, condition: str) -> Probe:
    """Pairs of an instruction and a STALLWAIT of all that follows."""
    wait = f"STALLWAIT block_mask=ALL, condition_mask={condition}"
    return Probe(_repeat(f".ttinsn {text}\n.ttinsn {wait}", UNROLL))


def _beside(text: str, others: str) -> Probe:
    """Pairs on T1, and other pairs on T0 and T2."""
    return Probe(_repeat(text, UNROLL), beside=_repeat(others, UNROLL))


def _after_adddmareg(left: str) -> Probe:
    """RDCFG and ADDDMAREG in turn."""
    add = f"ADDDMAREG.Imm result_reg=G63, right_imm6=1, left_reg={left}"
    return Probe(_repeat(f".ttinsn RDCFG result_reg=G60\n.ttinsn {add}", UNROLL))


def _footprint(count: int) -> Probe:
    return Probe(_repeat("addi a0, a0, 1", count), count)


_WAIT_C12 = ".ttinsn STALLWAIT block_mask=ALL, condition_mask=C12"
_INDEPENDENT = "addi a0, a0, 1; addi a1, a1, 1; addi a2, a2, 1; addi a3, a3, 1"
_STORES = "sw a0, {}(a5); sw a0, {}(a5); sw a0, {}(a5); sw a0, {}(a5)"
_ADDS = _repeat("addi a0, a0, 1", 16)
PROBES: Mapping[str, Probe] = {
    "loop_overhead": Probe("", 1),
    "rv_addi_indep": _risc(_INDEPENDENT, 16),
    "rv_addi_dep": _risc("addi a0, a0, 1", 64),
    "rv_mul_indep": _risc("mul a0, a0, a4; mul a1, a1, a4; mul a2, a2, a4; mul a3, a3, a4", 16),
    "rv_mul_dep": _risc("mul a0, a0, a4", 64),
    "rv_div": _risc("divu a1, s6, a4", 64),
    "rv_load_chase": _risc("lw a6, 0(a6)", 64),
    "rv_load_indep": _risc("lw a0, 0(a5); lw a1, 16(a5); lw a2, 32(a5); lw a3, 48(a5)", 16),
    "rv_store_spread": _risc(_STORES.format(0, 16, 32, 48), 16),
    "rv_store_coalesce": _risc(_STORES.format(0, 4, 0, 4), 16),
    "rv_load_stack": _risc("lw a7, 0(a7)", 64),
    "rv_store_stack": _risc("sw a0, 0(a7)", 64),
    "c_ctrl_xor": _risc("xori a0, a0, 1", 64),
    "c_nt": Probe("".join(f"bne a0, a0, n{i}; n{i}:\n" for i in range(64))),
    "c_t": Probe("".join(f"beq a0, a0, n{i}; n{i}:\n" for i in range(64))),
    "c_xor_nt": Probe("".join(f"xori a0, a0, 1; bne a1, a1, n{i}; n{i}:\n" for i in range(64))),
    "c_xor_t": Probe("".join(f"xori a0, a0, 1; beq a1, a1, n{i}; n{i}:\n" for i in range(64))),
    "c_xor_alt": Probe("".join(f"xori a0, a0, 1; beq a0, zero, n{i}; n{i}:\n" for i in range(64))),
    "c_jal": Probe("".join(f"jal zero, n{i}; n{i}:\n" for i in range(64))),
    "NOP": _tensix("NOP"),
    "DMANOP": _tensix("DMANOP"),
    "SFPNOP": _tensix("SFPNOP"),
    "SFPMOV": _tensix("SFPMOV vc=L0, vd=L1"),
    "SFPADD": _tensix("SFPADD va=L10, vb=L1, vc=L2, vd=L3"),
    "SFPMUL": _tensix("SFPMUL va=L0, vb=L1, vc=L9, vd=L3"),
    "SFPMAD": _tensix("SFPMAD va=L0, vb=L1, vc=L2, vd=L3"),
    "SFPABS": _tensix("SFPABS vc=L0, vd=L1"),
    "SETDMAREG": _tensix("SETDMAREG.Immediate result_half_reg=G60_lo"),
    "ADDDMAREG": _tensix("ADDDMAREG.Imm result_reg=G60, right_imm6=1, left_reg=G60"),
    "MULDMAREG": _tensix("MULDMAREG.Imm result_reg=G61, right_imm6=1, left_reg=G60"),
    "SHIFTDMAREG": _tensix("SHIFTDMAREG.Imm result_reg=G61, right_imm6=1, left_reg=G60"),
    "CMPDMAREG": _tensix("CMPDMAREG.Imm result_reg=G62, right_imm6=1, left_reg=G60"),
    "RDCFG": _tensix("RDCFG result_reg=G60"),
    "SETRWC": _tensix("SETRWC"),
    "INCRWC": _tensix("INCRWC"),
    "MVMUL": _tensix("MVMUL"),
    "ELWADD": _tensix("ELWADD"),
    "ELWMUL": _tensix("ELWMUL"),
    "MVMUL_MOVING": _moving("MVMUL"),
    "ELWADD_MOVING": _moving("ELWADD"),
    "ELWMUL_MOVING": _moving("ELWMUL"),
    "RDCFG_STALL": _stalled("RDCFG result_reg=G60", "C10"),
    "SETDMA_STALL": _stalled("SETDMAREG.Immediate result_half_reg=G60_lo", "C10"),
    "RDCFG_CFGSTALL": _stalled("RDCFG result_reg=G60", "C12"),
    "RMWCIB_CFGSTALL": _stalled("RMWCIB0", "C12"),
    "SETDMA_CFGSTALL": _stalled("SETDMAREG.Immediate result_half_reg=G60_lo", "C12"),
    "RMWCIB0": _tensix("RMWCIB0"),
    "C12_XTHREAD": _beside(f"{_WAIT_C12}\n.ttinsn NOP", ".ttinsn RMWCIB0\n.ttinsn NOP"),
    "C12_XTHREAD_NULL": _beside(".ttinsn NOP\n.ttinsn NOP", ".ttinsn RMWCIB0\n.ttinsn NOP"),
    "RDCFG_DEP": _after_adddmareg("G60"),
    "RDCFG_INDEP": _after_adddmareg("G59"),
    "q_loop_addi": _risc("addi a0, a0, 1", 16),
    "q_loop_adddmareg": Probe(
        _repeat(".ttinsn ADDDMAREG.Imm result_reg=G60, right_imm6=1, left_reg=G60", 16)
    ),
    "tt_pad": Probe(_repeat(_ADDS, 16), 16),
    "tt_fuse2": Probe(_repeat(_repeat(".ttinsn NOP", 2) + _ADDS, 16), 16),
    "tt_fuse4": Probe(_repeat(_repeat(".ttinsn NOP", 4) + _ADDS, 16), 16),
    "tt_spread4": Probe(
        _repeat(_repeat(".ttinsn NOP\naddi a0, a0, 1", 4) + _repeat("addi a0, a0, 1", 12), 16), 16
    ),
    **{f"{kind}_{count}": _footprint(count) for kind, count in (
        *(("f", 64 << i) for i in range(6)),
        *(("g", count) for count in (1024, 1152, 1280, 1408, 1536, 1792)),
    )},
}  # fmt: skip


def _constant(register: str, value: int) -> str:
    low = ((value & 0xFFF) ^ 0x800) - 0x800
    high = ((value - low) >> 12) & 0xFFFFF
    return f"lui {register}, {high:#x}\naddi {register}, {register}, {low}\n"


def _barrier(thread: int, threads: Sequence[int]) -> str:
    """Publish a number in the thread's word, and wait until all others have done so."""
    text = f"addi s7, s7, 1\nsw s7, {4 * thread}(s8)\n"
    for other in threads:
        text += f"w{other}: lw t0, {4 * other}(s8)\nblt t0, s7, w{other}\n"
    return text


def program(probe: Probe, thread: int, threads: Sequence[int], rounds: Sequence[int]) -> str:
    """The assembly of one T core."""
    text = _constant("t0", CFG0) + "csrrs zero, 0x7c0, t0\n"
    scratch = SCRATCH + thread * SCRATCH_BYTES
    body = probe.beside if probe.beside and thread != 1 else probe.body
    for register, value in (
        *(("s8", BARRIER), ("s9", RESULTS + 0x40 * thread), ("s0", WALL_CLOCK), ("s6", 0x12345678)),
        *(("a5", scratch), ("a6", scratch), ("a7", LOCAL), ("a4", 3), ("s7", 0)),
    ):
        text += _constant(register, value)
    text += "sw a7, 0(a7)\n"  # a chain of one node in local RAM
    if probe.moves and thread == 1:
        text += f".ttinsn SETC16 cfg_index={DST_WORD}, new_value=8\n"
    if probe.source_banks and thread == threads[0]:
        text += ".ttinsn SETDVALID flip_src_a=1, flip_src_b=1\n"
    text += _constant("s5", min(rounds)) + "li s10, 0\nagain: add s10, s10, s5\n"
    text += _barrier(thread, threads)
    text += "addi t0, t0, 0\n" * (4 * thread) + "lw s2, 0(s0)\nadd s4, s10, zero\nround:\n" + body
    text += "addi s4, s4, -1\n"
    # A conditional branch reaches 4 KiB; longer loops close with a jump, as a compiler writes them.
    text += "bne s4, zero, round\n" if probe.unroll <= 960 else "beq s4, zero, out\nj round\nout:\n"
    text += "addi t0, s0, 0\nlw s3, 0(t0)\nsub s3, s3, s2\nsw s3, 0(s9)\naddi s9, s9, 4\n"
    text += _constant("t0", max(rounds)) + "bge s10, t0, done\nj again\ndone: j done\n"
    return text


def idle() -> str:
    """Return the program of an idle core: firmware waits for a message in L1."""
    text = _constant("t0", CFG0) + "csrrs zero, 0x7c0, t0\n" + _constant("s8", MESSAGE)
    return text + "poll: lbu t0, 0(s8)\nbne t0, zero, poll\nfence\nj poll\n"


def rounds(
    probe: Probe, threads: Sequence[int] = (1,), n: Sequence[int] = ROUNDS, engine: str = "compiled"
) -> dict[tuple[int, int], int]:
    """Cycles by thread and number of rounds; `n` are multiples of its first number."""
    machine = Machine(engine=engine, schedule=Schedule.LATENCY)
    try:
        for thread in threads:
            base = CODE + thread * CODE_BYTES
            words = [placed.word for placed in assemble(program(probe, thread, threads, n), base)]
            data = b"".join(word.to_bytes(4, "little") for word in words)
            for i in range(64):
                here = SCRATCH + thread * SCRATCH_BYTES
                machine.load_bytes(
                    here + 16 * i, (here + 16 * ((i + 1) % 64)).to_bytes(4, "little")
                )
            machine.load(T0 + thread, Image(Path("probe"), base, (Segment(base, data),), b""))
        for hart in set(range(HARTS)) - {T0 + thread for thread in threads}:
            base = CODE + (THREADS + hart) * CODE_BYTES
            data = b"".join(placed.word.to_bytes(4, "little") for placed in assemble(idle(), base))
            machine.load(hart, Image(Path("idle"), base, (Segment(base, data),), b""))
        last = [RESULTS + 0x40 * thread + 4 * (len(n) - 1) for thread in threads]
        for _ in range(TIMEOUT // 20_000):
            stop = machine.run(20_000)
            if stop is not None:
                raise RuntimeError(f"the probe stopped: {stop}")
            if all(_word(machine, addr) for addr in last):
                break
        return {
            (thread, count): _word(machine, RESULTS + 0x40 * thread + 4 * i)
            for thread in threads
            for i, count in enumerate(n)
        }
    finally:
        machine.close()


def _word(machine: Machine, addr: int) -> int:
    return int.from_bytes(machine.peek(T0, addr, 4), "little")
