# SPDX-License-Identifier: Apache-2.0
"""Tools that run programs, and tools that look at the tile, which changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.machine import MemoryFault
from tensix_gdb.core.race.checks.rule import NotObservable
from tensix_gdb.core.race.state.table import parse_groups
from tensix_gdb.gdbstub.mcp.arguments import Argument, Tool
from tensix_gdb.gdbstub.mcp.session import DEFAULT_CYCLES, MAX_CYCLES, Call
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.why import monitor_why
from tensix_gdb.gdbstub.tensix.capabilities.registers import NAMES
from tensix_gdb.gdbstub.tensix.capabilities.status import thread_lines
from tensix_gdb.gdbstub.tensix.capabilities.threads import thread_of
from tensix_gdb.gdbstub.tensix.monitor.coprocessor import CHANGING, LOOKING, Form
from tensix_gdb.gdbstub.tensix.races.checks import monitor_check
from tensix_gdb.gdbstub.tensix.races.monitor import monitor_races
from tensix_gdb.gdbstub.testing.report import call_stack
from tensix_gdb.gdbstub.usage import DEFAULT_SCHEDULE, SCHEDULES, UsageError

HARTS = ("B", "T0", "T1", "T2", "NC")
MAX_AROUND, MAX_LENGTH = 100, 1024
ROW = 16  # bytes in a line
# Of the commands that may change the tile, those that only show it without a `=`.
SHOWING = ("vector", "sem", "gpr", "cfg")
LOOKS: dict[str, tuple[str, str, Form]] = {
    name: (form, text, run)
    for name, form, text, run in (*LOOKING, *CHANGING)
    if ((name, form, text, run) in LOOKING or name in SHOWING) and name not in ("races", "check")
}


def run(call: Call) -> str:
    """Load programs into a fresh tile and run them."""
    call.session.load(call["elf"], call["schedule"])
    _observe(call)
    return resume(call)


def run_kept(call: Call) -> str:
    """Start a kernel from where a driver has started it."""
    call.session.load_kept(call["core"], call["schedule"])
    _observe(call)
    return resume(call)


def _observe(call: Call) -> None:
    machine = call.session.machine
    try:
        if call["races"]:
            machine.observe_races(strict=call["races"] == "strict")
        if call["check"]:
            machine.check_state(parse_groups(call["check"]), races=bool(call["races"]))
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    except NotObservable as problem:
        raise UsageError(str(problem)) from None


def races(call: Call) -> str:
    """Accesses of the last run that nothing orders."""
    if call.session.machine.runner.races is None:
        raise UsageError("races are not observed; run the programs with races=default")
    words = call["what"].split()
    if words[:1] == ["on"]:
        raise UsageError("what is a number, or promises, or nothing for a list")
    return monitor_races(call.session.machine, 0, words)


def check(call: Call) -> str:
    """Return what the checks of the last run have found. UsageError if nothing was checked."""
    observer = call.session.machine.runner.races
    if observer is None or observer.state is None:
        raise UsageError("nothing was checked; run the programs with check=all")
    words = call["what"].split()
    if words[:1] == ["on"]:
        raise UsageError("what is a number, rules, buffers, or nothing for a list")
    return monitor_check(call.session.machine, words)


def resume(call: Call) -> str:
    """Run the tile on."""
    ending = call.session.go(call["until"], call["max_cycles"], call.keyboard)
    return "\n".join([ending, "", *thread_lines(call.session.machine, 0)])


def why(call: Call) -> str:
    """Return how the run ended, and what each hart and thread waits for."""
    said = monitor_why(call.session.machine, 0, call["who"].split())
    return f"{call.session.ending}\n\n{said}" if not call["who"] else said


def hart(call: Call) -> str:
    """Return a hart's state, registers and call stack."""
    one = call.session.hart(call["hart"])
    machine = call.session.machine
    lines = [f"{one.name} {one.state}, pc {machine.places.at(one.number, one.pc)}"]
    values = [f"{name}={machine.read_x(one.number, i):#010x}" for i, name in enumerate(NAMES)]
    lines += ["  ".join(values[at : at + 4]) for at in range(0, len(values), 4)]
    return "\n".join([*lines, *call_stack(one.frames())])


def source(call: Call) -> str:
    """Return the source around a hart's place."""
    one = call.session.hart(call["hart"])
    frames = one.frames()
    if one.program is None or not frames:
        raise UsageError(f"{one.name} is nowhere that its program's debug information knows")
    if call["frame"] >= len(frames):
        raise UsageError(f"{one.name} has {len(frames)} frames, the innermost is 0")
    frame = frames[call["frame"]]
    path = one.program.source(frame.file)
    if path is None:
        raise UsageError(f"{frame.file} is not found where the debug information has it")
    path = call.session.roots.file(str(path.absolute()))
    text = path.read_text(encoding="utf-8", errors="replace").splitlines()
    first = max(frame.line - call["around"], 1)
    shown = range(first, min(frame.line + call["around"], len(text)) + 1)
    lines = (
        f"{'->' if at == frame.line else '  '} {at:5}  {text[at - 1]}".rstrip() for at in shown
    )
    return "\n".join([f"{frame.function} at {frame.file}:{frame.line}", *lines])


def look(call: Call) -> str:
    """Run a `monitor` command that only shows."""
    words = call["what"].split()
    if not words or words[0] not in LOOKS:
        raise UsageError(f"what begins with one of {', '.join(LOOKS)}")
    if "=" in call["what"]:
        raise UsageError("this server changes nothing: leave out what comes after `=`")
    thread = thread_of(HARTS.index(call["hart"]))
    return LOOKS[words[0]][2](call.session.machine, thread, words[1:])


def memory(call: Call) -> str:
    """Return bytes of memory as a hart sees it."""
    try:
        start = int(call["address"], 0)
    except ValueError:
        raise UsageError(f"{call['address']!r} is no address; write it as 0x12340") from None
    if not 0 <= start < 1 << 32:
        raise UsageError(f"{call['address']} is no address of 32 bits")
    return "\n".join(_rows(call.session.machine, call["hart"], start, call["length"]))


def _rows(machine: Machine, name: str, start: int, length: int) -> Iterator[str]:
    try:
        data = machine.peek(HARTS.index(name), start, length)
    except MemoryFault as problem:
        raise UsageError(str(problem)) from None
    for at in range(0, len(data), ROW):
        row = data[at : at + ROW]
        words = (row[i : i + 4] for i in range(0, len(row), 4))
        yield f"{start + at:#010x}  " + "  ".join(f"{word[::-1].hex():>8}" for word in words)
    if len(data) < length:
        yield f"memory ends {len(data)} bytes after {start:#010x}"


_HART = Argument("hart", "the hart", "B", one_of=HARTS)
_UNTIL = Argument("until", "stop there: a symbol, FILE:LINE or an address", "")
_CYCLES = Argument("max_cycles", "give up after so many cycles", DEFAULT_CYCLES, 1, MAX_CYCLES)
_SCHEDULE = Argument("schedule", SCHEDULES, DEFAULT_SCHEDULE)
_RACES = Argument(
    "races",
    "observe accesses that nothing orders; strict: also those that only a promise orders; see the "
    "tool races",
    "",
    one_of=("", "default", "strict"),
)
_CHECK = Argument(
    "check",
    "look for other mistakes: init (reads of what nothing has written), leaks (what a kernel "
    "leaves), memory (buffers, stacks, transfers), with commas, or all; see the tool check",
    "",
)

TOOLS = (
    Tool(
        "run",
        "Load ELF files into the harts of a fresh emulated Blackhole Tensix tile and run them, "
        "until all have paused at their ebreak, something stops them, or the cycles are over. Says "
        "how it ended and where each hart is. The tile stays for the other tools.",
        run,
        (
            Argument("elf", "programs, each HART=FILE with b, t0, t1, t2 or nc", (), required=True),
            _SCHEDULE,
            _UNTIL,
            _CYCLES,
            _RACES,
            _CHECK,
        ),
    ),
    Tool(
        "run_kept",
        "Load and run an LLK test, or another kernel as a driver has started it: a file run-N.core "
        "that `tensix-gdb llk --keep DIR` or `tensix-gdb simulator --keep DIR` has written, with "
        "run-N.json beside it. Says whether it ends with the result that its host has read.",
        run_kept,
        (
            Argument("core", "the file, DIR/run-1.core", required=True),
            Argument("schedule", "latency or random:SEED", "latency"),
            _UNTIL,
            _CYCLES,
            _RACES,
            _CHECK,
        ),
    ),
    Tool("resume", "Run the tile from where it has stopped.", resume, (_UNTIL, _CYCLES)),
    Tool(
        "why",
        "Why the tile has stopped or makes no progress: how the run ended, what each hart and "
        "Tensix thread waits for, who waits for whom.",
        why,
        (Argument("who", "a hart or Tensix thread (T1), and all that it waits for; or empty", ""),),
    ),
    Tool(
        "races",
        "Accesses of a run with `races` that nothing orders: both source lines, why nothing orders "
        "them, and what would.",
        races,
        (Argument("what", "the number of a report, or promises; a list without it", ""),),
    ),
    Tool(
        "check",
        "What a run with `check` has found: reads of what nothing has written, what the kernel "
        "leaves changed by field name, mistakes with buffers, stacks and transfers, with lines.",
        check,
        (Argument("what", "the number of a finding, rules, buffers; a list without it", ""),),
    ),
    Tool("hart", "A hart's state, pc, registers, call stack and variables.", hart, (_HART,)),
    Tool(
        "source",
        "The source lines around the place of a hart.",
        source,
        (
            _HART,
            Argument("frame", "0 is the innermost function, 1 its caller", 0, 0, 1000),
            Argument("around", "so many lines before and after", 10, 0, MAX_AROUND),
        ),
    ),
    Tool(
        "look",
        "State of the coprocessor: "
        + "; ".join(
            f"{f'{name} {form}'.strip()}: {text}" for name, (form, text, _) in LOOKS.items()
        ),
        look,
        (
            Argument("what", "one of these, as `dst 0-3`, `cfg ALU_FORMAT`, `sem`", required=True),
            Argument("hart", "whose Tensix thread is meant if none is named", "B", one_of=HARTS),
        ),
    ),
    Tool(
        "memory",
        "Words of memory as a hart sees it: L1, its local RAM, registers of devices.",
        memory,
        (
            Argument("address", "as 0x12340", required=True),
            Argument("length", "bytes", 64, 1, MAX_LENGTH),
            _HART,
        ),
    ),
)

REFUSALS = (TargetError,)
