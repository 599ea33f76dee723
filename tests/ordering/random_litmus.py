# SPDX-License-Identifier: Apache-2.0
"""Random litmus tests, for hypothesis: a few accesses and pushes on one to three cores."""

from __future__ import annotations

from hypothesis import strategies as st

from tensix_gdb.core.litmus.text import Litmus, parse

CORES = ("T0", "T1", "NC")
MAX_STATES = 15_000  # what has more takes too long for a test that runs often
MAX_OPERATIONS = {1: 8, 2: 6, 3: 5}
# Of each hart: places that others see too, places that have two names, and two regions.
SHARED = ("X", "X+4", "Y")
OWN = {
    "T0": ("LOCAL", "SLOW_T0", "GPR[1]", "GPR[65]", "CFG[190]", "CFG[414]"),
    "T1": ("LOCAL", "SLOW_T1", "GPR[1]", "CFG[190]"),
    "NC": ("LOCAL", "SLOW_NC"),
}
SETTINGS = ("", "cfg0 = 8", "cfg0 = 1", "cfg0 = 0x1000", "pmacfg0 = 1")
# Pushed by T0 and T1.
INSTRUCTIONS = (
    "SETDMAREG.Immediate result_half_reg=2, new_value=5",
    "ADDDMAREG.Reg result_reg=2, left_reg=1, right_reg=1",
    "RMWCIB0 mask=0xff, new_value=7, index4=190",
    "RDCFG result_reg=1, cfg_index=190",
    "STALLWAIT block=B5, wait=C10",
    "STALLWAIT block=B1, wait=C0",
    "SEMPOST sem=1",
    "SEMGET sem=1",
)
NO_PERIODIC_FLUSH = "csrs cfg0, 0x1000000"
# What the store queue and the forwarding of results make of neighbours.
BETWEEN = ("fence", "nop", "use a0", NO_PERIODIC_FLUSH)


@st.composite
def litmus_tests(draw: st.DrawFn) -> Litmus:
    """A test whose rows mean nothing: every register that was loaded, and the shared words."""
    cores = draw(st.integers(1, 3))
    left = MAX_OPERATIONS[cores]
    lines = ["litmus random", f"states {MAX_STATES}"]
    final = ["X", "X+4", "Y", "semaphore.value[0]"]
    programs = []
    for core in CORES[:cores]:
        if setting := draw(st.sampled_from(SETTINGS)):
            lines.append(f"init {core}:{setting}")
        count = draw(st.integers(1, max(1, min(left - (cores - 1 - len(programs)), 5))))
        left -= count
        program, loaded = draw(_program(core, count))
        programs.append((core, program))
        final += [f"{core}:{register}" for register in loaded]
        if core != "NC":
            final += [f"{core}:GPR[1]", f"{core}:GPR[2]", f"{core}:CFG[190]"]
    for core, program in programs:
        lines += [core, *program]
    lines += [f"final {' '.join(final)}", f"allowed {' '.join('0' for _ in final)}"]
    return parse("\n".join(lines))[0]


@st.composite
def _program(draw: st.DrawFn, core: str, count: int) -> tuple[list[str], list[str]]:
    program: list[str] = []
    loaded: list[str] = []
    places = st.sampled_from(SHARED * 2 + OWN[core])
    for number in range(count):
        if draw(st.integers(0, 3)) == 0:
            program.append(draw(st.sampled_from(BETWEEN)))
        register, value = f"a{number}", number + 1 + 16 * CORES.index(core)
        match draw(st.sampled_from("sslla" if core == "NC" else "sssllappp")):
            case "p":
                program.append(f"push {draw(st.sampled_from(INSTRUCTIONS))}")
            case "s":
                program.append(f"sw {value}, {draw(places)}")
            case "l":
                program.append(f"lw {register}, {draw(places)}")
                loaded.append(register)
            case _:
                program.append(f"amoadd.w {register}, {value}, {draw(st.sampled_from(SHARED))}")
                loaded.append(register)
    return program, loaded


def keeps_stale_lines(test: Litmus) -> bool:
    """True if an L0 cache never flushes by itself. `sc` has no L0 caches, and loads of one line see
    what they could not see then."""
    return any(
        statement.text == NO_PERIODIC_FLUSH
        for program in test.programs.values()
        for statement in program
    )
