# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb report`: each form of file gives the same sentences about the same run."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from scripts.examples.counted import kernel
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.pages.report.bounds import critical_path
from tensix_gdb.gdbstub.pages.report.command import summary_of
from tensix_gdb.gdbstub.pages.report.summary import Held, Pushed, Span, Summary, pushed
from tensix_gdb.gdbstub.pages.report.words import reason_of, report
from tests.programs.build import DEMO, PROGRAMS
from tests.tools import find_tool

Capture = pytest.CaptureFixture[str]
FORMS = ("t.json", "t.txt", "p.json", "p.txt")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One run of T0 unpacking, T1 computing and T2 packing, in all forms."""
    find_tool("riscv64-unknown-elf-gcc")
    folder = tmp_path_factory.mktemp("report")
    arguments = kernel(folder)
    for ending in ("json", "txt"):
        files = ("--trace", str(folder / f"t.{ending}"), "--profile", str(folder / f"p.{ending}"))
        assert main(["run", *arguments, *files]) == 0
    return folder


@pytest.mark.parametrize("form", FORMS)
def test_each_form_says_who_waits_for_what(folder: Path, form: str, capsys: Capture) -> None:
    capsys.readouterr()
    assert main(["report", str(folder / form)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    unsure = "maybe " if form[0] == "p" else ""
    assert (
        f"T2 pack waits 80 % of its time until semaphore 0 is posted, {unsure}at data_path.c:74 by "
        "T1 math" in said
    )
    assert "held is PACR from data_path.c:82 (12" in said
    assert "T1 math waits 6 % of its time for a source bank: held is MVMUL from" in said
    shares = r"multiply 8[56] %, configure 9 %, _start [23] %"
    assert re.search(rf"T1 runs 97 % of the time: {shares} of that\.", said)
    assert "unpacker 0 is idle 97 % of the time." in said
    assert "Matrix Unit is idle 90 % of the time." in said
    assert "Not used: " in said
    assert "unpack is idle" not in said  # a thread is no unit


@pytest.mark.parametrize("form", ["t.json", "t.txt"])
def test_a_timeline_says_what_bounds_the_run(folder: Path, form: str, capsys: Capture) -> None:
    capsys.readouterr()
    assert main(["report", str(folder / form)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Bound by RISC-V: of the critical path, RISC-V 9" in said
    assert "at T1 multiply after data_path.c:54 (RISC-V)" in said
    assert "39 at data_path.c:36 (UNPACR) (unpack)" in said
    assert "Without any time of RISC-V the run would take 1" in said


def test_a_profile_has_no_path(folder: Path, capsys: Capture) -> None:
    capsys.readouterr()
    assert main(["report", str(folder / "p.json")]) == 0
    assert "a timeline (`run --trace`) has the critical path" in capsys.readouterr().out


@pytest.mark.parametrize("form", FORMS)
def test_the_roofline_has_the_busiest_unit_first(folder: Path, form: str, capsys: Capture) -> None:
    capsys.readouterr()
    assert main(["report", str(folder / form)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert re.search(r"Roofline, busy of \d+ cycles: Matrix Unit \d+ \(10 %\), unpacker", said)


@pytest.mark.parametrize("ending", ["json", "txt"])
def test_the_first_line_says_which_hart_polls(tmp_path: Path, ending: str, capsys: Capture) -> None:
    """The demo's harts wait for each other by loads: nothing is held at a gate (tt-metal#56697)."""
    programs = [f"{name}={DEMO / name}.elf" for name in ("b", "nc", "t0", "t1")]
    file = tmp_path / f"p.{ending}"
    options = ["--max-cycles", "3000", "--engine", "reference", "--profile", str(file)]
    main(["run", *(word for one in programs for word in ("--elf", one)), *options])
    capsys.readouterr()
    assert main(["report", str(file)]) == 0
    first = capsys.readouterr().out.split("\n\n")[1].splitlines()[0]
    assert re.match(r"(T1|NC|T0) polls for [6-9]\d % of the time: in (main|put|publish) at", first)


@pytest.mark.parametrize("form", FORMS)
def test_what_lines_of_a_source_wait_for(folder: Path, form: str, capsys: Capture) -> None:
    source = PROGRAMS / "data_path.c"
    capsys.readouterr()
    assert main(["report", str(folder / form), "--source", str(source)]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head == "data_path.c"
    at = next(i for i, line in enumerate(lines) if line.startswith("    54  "))
    assert lines[at][8:] == source.read_text("utf-8").splitlines()[53].strip()
    assert "T1 math MVMUL: passes 32 times, waits 94 cycles for a source bank" in lines[at + 1]
    assert any("T2 pack PACR: " in line and "until semaphore 0 is posted" in line for line in lines)


def test_a_source_of_another_program_is_refused(folder: Path, capsys: Capture) -> None:
    for source, why in ((__file__, "no Tensix instruction"), ("none.c", "cannot be read")):
        assert main(["report", str(folder / "p.txt"), "--source", source]) == 2
        assert why in capsys.readouterr().err


def test_every_cycle_is_in_one_step(folder: Path) -> None:
    for form in ("t.json", "t.txt"):
        summary = summary_of(folder / form)
        path = critical_path(summary)
        assert abs(sum(path.kinds.values()) - summary.cycles) <= 10
        kinds: Counter[str] = Counter()
        for (kind, _), cycles in path.places.items():
            kinds[kind] += cycles
        assert path.kinds == kinds


def spans(*rows: tuple[str, int, int, str, str, str]) -> Summary:
    """A timeline: track, start, end, state, instruction, what holds it."""
    found = Summary(cycles=max(row[2] for row in rows))
    found.spans = [Span(*row[:4], pushed(row[4]), pushed(row[5])) for row in rows]
    return found


def test_a_hold_leads_to_the_thread_that_posts() -> None:
    path = critical_path(spans(
        ("T1", 0, 60, "main", "", ""),
        ("T1 math", 60, 61, "passes", "SEMPOST sem=S0 from a.c:1", ""),
        ("T2 pack", 10, 64, "held", "PACR from b.c:2", "SEMWAIT sem=S0, wait=C0 from b.c:1"),
        ("T2 pack", 64, 65, "passes", "PACR from b.c:2", ""),
        ("packer", 65, 100, "busy", "PACR of T2 pack", ""),
    ))  # fmt: skip
    assert path.kinds["RISC-V"] == 60
    assert path.kinds["pack"] + path.kinds["semaphore"] + path.kinds["math"] == 40
    assert path.places["pack", "b.c:2 (PACR)"] == 36


def test_a_hold_leads_to_the_unit_that_became_free() -> None:
    path = critical_path(spans(
        ("T0 unpack", 9, 10, "passes", "UNPACR from u.c:1", ""),
        ("unpacker 0", 10, 50, "busy", "UNPACR of T0 unpack", ""),
        ("T1 math", 20, 50, "held", "MVMUL from m.c:1", "a source bank"),
        ("T1 math", 50, 51, "passes", "MVMUL from m.c:1", ""),
        ("Matrix Unit", 51, 56, "busy", "MVMUL of T1 math", ""),
    ))  # fmt: skip
    assert path.places["unpack", "u.c:1 (UNPACR)"] == 41
    assert path.places["math", "m.c:1 (MVMUL)"] == 6


def test_the_forms_agree(folder: Path) -> None:
    found = [summary_of(folder / form) for form in FORMS]
    for one in found:
        assert one.threads() == ["T0 unpack", "T1 math", "T2 pack"]
        assert one.units == found[0].units
        assert abs(one.cycles - 1542) <= 1
        issued = {thread: 0 for thread in one.threads()}
        for (thread, _), count in one.issued.items():
            issued[thread] += count
        assert (issued["T0 unpack"], issued["T1 math"]) == (6, 47)
        assert issued["T2 pack"] in (24, 25)  # the last one passes in the last cycle


# fmt: off
REASONS = [
    ("SEMWAIT block=B2, sem=S0, wait=C0 from pack.c:9",
     "until semaphore 0 is posted, at a.c:1 by T1 math"),
    ("SEMWAIT sem=S1 wait=C0",  "until semaphore 1 is posted (no Tensix instruction of this run"),
    ("SEMWAIT sem=S0 wait=C1",  "until semaphore 0 is taken, at b.c:2 by T2 pack"),
    ("SEMWAIT sem=S0|S1 wait=C0", "until semaphores 0 and 1 is posted, at a.c:1"),
    ("STALLWAIT block=B6, wait=C3 from x.c:3",
     "while this thread has an instruction in the Packer (C3) (STALLWAIT from x.c:3)"),
    ("its unit is taken",       "because its unit is taken"),
    ("a source bank",           "for a source bank"),
]
# fmt: on


@pytest.mark.parametrize(("by", "reason"), REASONS)
def test_reasons(by: str, reason: str) -> None:
    summary = Summary(cycles=100)
    summary.issued["T1 math", pushed("SEMPOST sem=S0 from a.c:1")] += 2
    summary.issued["T2 pack", pushed("SEMGET sem=S0 from b.c:2")] += 2
    assert reason_of(pushed(by), summary).startswith(reason)


def test_where_an_inlined_instruction_comes_from() -> None:
    read = pushed("ELWADD a=1 from add.cpp:52 (ckernel.h:351)")
    assert read == Pushed("ELWADD a=1", "add.cpp:52 (ckernel.h:351)")


def test_what_is_short_is_left_out() -> None:
    summary = Summary(cycles=1000, units={"packer": 0})
    summary.held[Held("T0 unpack", Pushed("UNPACR"), Pushed("a source bank"))] = 9
    assert "No thread waited" in report(summary)
    summary.held[Held("T0 unpack", Pushed("UNPACR"), Pushed("a source bank"))] = 10
    assert "T0 unpack waits 1 % of its time for a source bank" in report(summary)


def test_a_unit_that_is_used_is_never_idle_all_the_time() -> None:
    text = report(Summary(cycles=1000, units={"packer": 1, "mover": 0}))
    assert "packer is idle more than 99 % of the time." in text
    assert "Not used: mover." in text


def test_harts_that_wait(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "demo.txt"
    programs = [f"--elf={hart}={DEMO / hart}.elf" for hart in ("t0", "t1", "nc")]
    assert main(["run", *programs, "--trace", str(path)]) == 0
    capsys.readouterr()
    assert main(["report", str(path)]) == 0
    assert "weigh" in capsys.readouterr().out


def test_refused(tmp_path: Path, capsys: Capture) -> None:
    def said(content: bytes) -> str:
        (tmp_path / "x").write_bytes(content)
        assert main(["report", str(tmp_path / "x")]) == 2
        return capsys.readouterr().err

    none = "is no timeline and no profile, or damaged; write one with `run --trace FILE`"
    events = json.dumps({"traceEvents": [1]}).encode()
    table = b"9 cycles, schedule sc\n\nUnits\n  a\n  b\n"
    for content in (b"{", b"{}", b"hello\n", b"\xff\xfe", events, b'{"traceEvents": 3}', table):
        assert none in said(content), content
    assert "is a profile for pprof; write one" in said(gzip.compress(b""))
    assert "has no cycle" in said(b"")
    assert main(["report", "/nowhere"]) == 2
    assert "/nowhere: cannot be read: No such file" in capsys.readouterr().err
