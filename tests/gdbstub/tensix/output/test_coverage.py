# SPDX-License-Identifier: Apache-2.0
"""Coverage: exact on every engine and in every schedule, the same execution, and lcov takes it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.examples.tensix.sessions import FOLDER
from scripts.examples.tensix.threads import SOURCE, THREADS
from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.counting.tree import Call
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.tensix.output.coverage import File
from tensix_gdb.gdbstub.tensix.output.lcov import write_file
from tests.core.explain.test_inlining import FILES
from tests.elf_maker import make_elf, words
from tests.gdb.harness import serve
from tests.gdbstub.tensix.programs import five, gdb, refused, run
from tests.machines import machine_on
from tests.patience import HANG
from tests.programs.build import DEMO, GCC, PROGRAMS, build
from tests.tools import find_tool

CYCLES = 600
SCHEDULES = (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM)


def of_file(text: str, test: str, name: str) -> dict[str, list[str]]:
    """The records of what a test has executed of a file: their values by kind."""
    found: dict[str, list[str]] = {}
    for part in text.split("end_of_record\n"):
        lines = part.splitlines()
        if lines[:1] == [f"TN:{test}"] and lines[1].endswith(f"/{name}"):
            for line in lines:
                kind, _, value = line.partition(":")
                found.setdefault(kind, []).append(value)
    return found


def beside(folder: Path, *sources: Path) -> None:
    """Put sources where the ELFs are, so that they are found: their files name them without a
    path."""
    for source in (*sources, DEMO / "crt0.S", DEMO / "tile.h"):
        shutil.copy(source, folder)


def lines_of(text: str, test: str, name: str) -> dict[int, int]:
    records = of_file(text, test, name)["DA"]
    return {int(line): int(count) for line, count in (one.split(",") for one in records)}


@pytest.fixture(params=SCHEDULES, ids=lambda schedule: schedule.name)
def schedule(request: pytest.FixtureRequest) -> Schedule:
    return Schedule(request.param)


def both(elfs: dict[int, Path], schedule: Schedule) -> Iterator[Machine]:
    """Machines that have counted, on each engine and on the compiled one with a hart's run cut into
    pieces."""
    for engine, piece in (("reference", CYCLES), ("compiled", CYCLES), ("compiled", 7)):
        machine = machine_on(engine, schedule, 5)
        for hart, path in elfs.items():
            machine.load(hart, read_elf(path))
        machine.count()
        while machine.S.tile.cycle < CYCLES:
            machine.run(min(piece, CYCLES - machine.S.tile.cycle))
            if machine.idle():
                break
        yield machine
        machine.close()


def uncounted(elfs: dict[int, Path], schedule: Schedule) -> str:
    machine = machine_on("compiled", schedule, 5)
    for hart, path in elfs.items():
        machine.load(hart, read_elf(path))
    while machine.S.tile.cycle < CYCLES and not machine.idle():
        machine.run(CYCLES - machine.S.tile.cycle)
    machine.close()
    return machine.hash()


def seconds(call: Call) -> list[object]:
    return [call.pc, call.calls, call.spent, [seconds(below) for below in call.below]]


def check_same(elfs: dict[int, Path], schedule: Schedule) -> None:
    found = []
    for machine in both(elfs, schedule):
        counts = machine.runner.counts
        assert counts is not None
        assert machine.hash() == uncounted(elfs, schedule)
        for hart in range(HARTS):
            assert sum(counts.executions(hart).values()) == machine.S.hart.retired[hart]
            assert sum(counts.cycles(hart).values()) == counts.time(hart)
            assert counts.calls(hart).total == counts.time(hart)
        issued = counts.issued()
        for thread in range(3):
            passed = sum(n for (site, _), n in issued.items() if site.thread == thread)
            assert passed == machine.S.passed.count[thread]
        found.append(
            (
                [counts.executions(hart) for hart in range(HARTS)],
                [counts.cycles(hart) for hart in range(HARTS)],
                [seconds(counts.calls(hart)) for hart in range(HARTS)],
                issued,
                counts.holds(),
                counts.busy(),
            )
        )
        assert counts.lost == 0
    assert found[0] == found[1] == found[2]


def test_five_harts_are_counted_exactly(tmp_path: Path, schedule: Schedule) -> None:
    check_same(dict(enumerate(five(tmp_path).values())), schedule)


def test_one_hart_that_pushes_is_counted_exactly(tmp_path: Path, schedule: Schedule) -> None:
    find_tool("riscv64-unknown-elf-gcc")
    check_same({2: THREADS.elfs(tmp_path)["T1"]}, schedule)


def test_lines_functions_and_what_a_mop_expands_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    find_tool("riscv64-unknown-elf-gcc")
    elf = THREADS.elfs(tmp_path)["T1"]
    beside(tmp_path, FOLDER / "mop.c", FOLDER / "tensix.h")
    of_harts, of_tensix = tmp_path / "harts.info", tmp_path / "tensix.info"
    said = run(
        capsys, {"T1": elf}, "--coverage", str(of_harts), "--tensix-coverage", str(of_tensix)
    )
    assert f"coverage {of_harts}: 28 of 41 lines, 5 of 5 functions" in said
    assert f"coverage {of_tensix}: 3 of 5 lines, 4 of 6 Tensix instructions" in said
    at = {line.strip(): number for number, line in enumerate(SOURCE, 1)}
    text = of_harts.read_text("utf-8")
    lines = lines_of(text, "T1", "mop.c")
    # Nine words; compute() twice, and its caller is never done with the second.
    assert lines[at["MOP_CFG[i] = words[i];"]] == 9
    assert lines[at["MOP();"]] == lines[at["SEMGET(S1);"]] == 2
    assert lines[at["return 0;"]] == 0
    assert {"2,compute", "1,main", "1,set_up_mop"} <= set(of_file(text, "T1", "mop.c")["FNDA"])
    # Of the second round nothing was issued but its MOP's: six additions and two DMANOPs are one.
    text = of_tensix.read_text("utf-8")
    issued = lines_of(text, "T1_math", "mop.c")
    mop = at["MOP();"]
    assert issued[mop] == 8
    assert issued[at["SEMGET(S1);"]] == 0
    assert set(of_file(text, "T1_math", "mop.c")["FNDA"]) == {
        f"1,SEMINIT at {at['SEMINIT(1, 0, S1);']}",
        f"1,SEMWAIT at {at['SEMWAIT_WHILE_0(S1);']}",
        f"6,ADDDMAREG of a MOP at {mop}",
        f"2,DMANOP of a MOP at {mop}",
        f"0,WRCFG at {at['WRCFG(5, BASE_ADDRESS);']}",
        f"0,SEMGET at {at['SEMGET(S1);']}",
    }


def tool(name: str, *words: str, folder: Path) -> str:
    done = subprocess.run(
        [find_tool(name), *words], capture_output=True, text=True, timeout=HANG, cwd=folder
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_lcov_adds_runs_up_and_makes_pages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    find_tool("lcov")
    elfs, one, two = five(tmp_path), tmp_path / "one.info", tmp_path / "two.info"
    beside(tmp_path, PROGRAMS / "five.c")
    run(capsys, elfs, "--schedule", "sc", "--coverage", str(one))
    run(capsys, elfs, "--schedule", "random:3", "--coverage", str(two))
    first, second = (path.read_text("utf-8") for path in (one, two))
    # The same file on five harts: `work` has ten rounds on each.
    for hart in elfs:
        assert "10,work" in of_file(first, hart, "five.c")["FNDA"]
    both_runs = tmp_path / "both.info"
    tool("lcov", "-a", str(one), "-a", str(two), "-o", str(both_runs), folder=tmp_path)
    added = both_runs.read_text("utf-8")
    lines = lines_of(added, "T1", "five.c")
    assert lines == {
        line: count + lines_of(second, "T1", "five.c")[line]
        for line, count in lines_of(first, "T1", "five.c").items()
    }
    said = tool("genhtml", "--show-details", str(both_runs), "-o", "pages", folder=tmp_path)
    assert "functions..: 100.0% (3 of 3 functions)" in said
    page = next((tmp_path / "pages").rglob("five.c.gcov.html")).read_text("utf-8")
    assert "everybody comes here" in page


def test_no_lines_and_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elf = tmp_path / "bare.elf"
    elf.write_bytes(make_elf([(0, words(0x00100073))]))
    file = tmp_path / "c.info"
    said = run(capsys, {"B": elf}, "--coverage", str(file))
    assert f"coverage {file}: nothing has source lines; build the programs with -g" in said
    command = ("run", f"--elf=b={elf}", "--coverage", str(tmp_path / "none" / "c.info"))
    assert "No such file or directory" in refused(capsys, *command)


def test_a_session_is_counted_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elfs, info, profile = five(tmp_path), tmp_path / "s.info", tmp_path / "s.txt"
    beside(tmp_path, PROGRAMS / "five.c")
    counted = ("--coverage", str(info), "--profile", str(profile))
    with serve(elfs, *counted) as server:
        said = gdb(server.port, "break work if round == 7", "continue", "monitor record on")
    assert "@entry=7" in said
    assert "would be counted again" in said
    # B has called it eight times, the last time not to its end.
    assert "7,work" in of_file(info.read_text("utf-8"), "B", "five.c")["FNDA"]
    assert "B, functions" in profile.read_text("utf-8")
    assert f"coverage {info}: " in "".join(server.output)
    refusal = refused(capsys, "serve", f"--elf=b={elfs['B']}", "--record", *counted)
    assert "leave out --record" in refusal


def test_what_a_header_pushes_counts_for_the_kernels_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    find_tool(GCC)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    elf = build(tmp_path / "kernel.c", "T0", tmp_path / "t0.elf", optimize="-O2")
    file = tmp_path / "t.info"
    run(capsys, {"T0": elf}, "--tensix-coverage", str(file))
    assert lines_of(file.read_text("utf-8"), "T0_unpack", "kernel.c")[5] == 1
    headers = [line for line in file.read_text("utf-8").splitlines() if line.endswith("er.h")]
    assert headers, "and for that of the header, which has pushed it"


def test_functions_of_one_name_stay_apart_and_genhtml_shows_the_source_s_names(
    tmp_path: Path,
) -> None:
    """The file has the linker's names: without types of parameters these two are the same."""
    (tmp_path / "k.cpp").write_text("void run(int) {}\nvoid run(char) {}\n")
    file = File({1: 3, 2: 0}, {"_Z3runi": (1, 3), "_Z3runc": (2, 0)})
    info = tmp_path / "k.info"
    with info.open("w") as out:
        write_file(out, "B", str(tmp_path / "k.cpp"), file)
    assert "FN:1,_Z3runi\nFN:2,_Z3runc\nFNDA:3,_Z3runi\nFNDA:0,_Z3runc\n" in info.read_text()
    pages = tmp_path / "pages"
    command = [find_tool("genhtml"), "--quiet", "--demangle-cpp", "-o", str(pages), str(info)]
    subprocess.run(command, check=True, capture_output=True)
    shown = "".join(page.read_text("utf-8") for page in pages.rglob("*.func*.html"))
    assert "run(int)" in shown
    assert "run(char)" in shown
