# SPDX-License-Identifier: Apache-2.0
"""The two example kernels: a new project's own test passes, and GDB stops at their lines."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.kernels.sfpi.find import find_sfpi
from tensix_gdb.gdbstub.testing.tile import Tile
from tests.gdbstub.kernels.kernels import C_TOOLS, KERNELS, refusal, want, want_llk
from tests.patience import HANG
from tests.tools import find_tool, unavailable

KINDS = {"add.c": (), "add.cpp": ("--llk",)}
# A line of each part; where it is in the middle of the kernel, and what is shown there.
PLACES = {
    "add.c": ("TTINSN(UNPACK | UNPACR_which_unpacker_UNP1)", "TTINSN(ELWADD |", "PACR_last(1)"),
    "add.cpp": ("_llk_unpack_AB_<", "_llk_math_eltwise_binary_<ADD", "_llk_pack_<SYNC"),
}
SECONDS = HANG


def line_of(kernel: str, text: str) -> int:
    lines = (KERNELS / "template" / kernel).read_text("utf-8").splitlines()
    (number,) = (number for number, line in enumerate(lines, 1) if text in line)
    return number


@pytest.fixture(scope="module", params=KINDS)
def kernel(request: pytest.FixtureRequest, tool: Callable[[str], str]) -> Iterator[str]:
    """The kernel's file name: with LLK by Tenstorrent's compiler, in C by Debian's."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "add.cpp":
            want_llk(patch)
        else:
            want(tool, *C_TOOLS)
        yield request.param


@pytest.fixture(scope="module")
def project(kernel: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new project, built."""
    folder = tmp_path_factory.mktemp("new") / "mine"
    assert main(["new", str(folder), *KINDS[kernel]]) == 0
    assert main(["build", str(folder / kernel), "-o", str(folder / "build")]) == 0
    return folder


def test_its_own_test_passes(project: Path) -> None:
    """As a person runs it: in latency and random:1 to 5, against NumPy."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-o", "addopts="],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert "2 passed" in done.stdout, done.stdout + done.stderr
    for schedule in ("latency", "random"):
        assert f"test_sums[{schedule}] PASSED" in done.stdout


def test_its_own_test_can_fail(project: Path, kernel: str) -> None:
    """A kernel that leaves out the second tile."""
    source = project / kernel
    right = source.read_text("utf-8")
    wrong = re.sub(r"(for \(\S+ tile = 0; tile < )TILES(; tile\+\+|; \+\+tile)", r"\g<1>1\2", right)
    assert wrong != right
    source.write_text(wrong, "utf-8")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", "latency"],
            cwd=project,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    finally:
        source.write_text(right, "utf-8")
    assert "1 failed" in done.stdout, done.stdout
    assert "are different" in done.stdout or "differ" in done.stdout
    assert main(["build", str(source), "-o", str(project / "build")]) == 0


@pytest.mark.parametrize("part", range(3))
def test_a_breakpoint_by_source_line(part: int, project: Path, kernel: str) -> None:
    line = line_of(kernel, PLACES[kernel][part])
    with Tile(schedule="latency") as tile:
        for hart in ("t0", "t1", "t2"):
            tile.load(hart, project / "build" / f"{hart}.elf")
        tile.break_at(f"{kernel}:{line}")
        stop = tile.run()
        assert stop.hart is not None
        assert stop.hart.name == ("T0", "T1", "T2")[part]
        # LLK's functions are inlined: the line is that of the innermost, or of one that called it.
        assert line in [frame.line for frame in stop.hart.frames()]


@pytest.mark.gdb
def test_gdb_stops_in_it(project: Path, kernel: str) -> None:
    """At a line of the math, with the input that came with the project; then at a wait gate, where
    the sum is in Dst."""
    find_tool("gdb-multiarch")
    line = line_of(kernel, PLACES[kernel][1])
    typed = (f"tbreak {kernel}:{line}", "continue", "tensix-break SEMPOST thread T1")
    typed = (*typed, "continue", "monitor dst tile 0 --format bf16", "kill")
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "gdb", "--dir", "build"]
    command += ["--tile", "0x21000=left.npy:bf16", "--tile", "0x31000=right.npy:bf16"]
    command += ["--", "-nx", "-batch"]
    for one in typed:
        command += ["-ex", one]
    done = subprocess.run(
        command,
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert re.search(rf'Thread 3 "T1" hit .*\bat \S*{kernel}:{line}$', done.stdout, re.M), done
    rows = re.findall(r"^ +(\d+)((?: +[\d.]+){32})$", done.stdout, re.M)
    assert len(rows) == 32, done.stdout
    for number, values in rows:
        wanted = [column + 2 * int(number) for column in range(32)]
        assert [float(value) for value in values.split()] == wanted


def test_what_the_compiler_refuses(
    project: Path, kernel: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Options go to the compiler; what it says is shown, and what was built stays."""
    source, out = project / kernel, project / "build"
    before = (out / "t0.elf").read_bytes()
    options = ["-DNOWHERE", "--cflags=-g3 -include nowhere.h"]
    assert main(["build", str(source), "-o", str(out), *options]) == 2
    hint = "; what LLK wants as a constant may need -O3\n"
    assert capfd.readouterr().err.endswith(hint) == (kernel == "add.cpp")
    assert main(["build", str(source), "-o", str(out), "-O2", *options]) == 2
    said = capfd.readouterr().err
    assert "fatal error: nowhere.h: No such file or directory" in said
    assert said.endswith(f"tensix-gdb: {source} cannot be compiled for T0\n")
    assert (out / "t0.elf").read_bytes() == before
    assert not list(out.glob(".build-*"))


def test_what_it_says(project: Path, kernel: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The next command; and a file of before that would be loaded besides."""
    out = project / "build"
    (out / "b.elf").touch()
    assert main(["build", str(project / kernel), "-o", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    (out / "b.elf").unlink()
    assert lines[0] == f"{out}/t0.elf: T0, from {project / kernel}"
    compiler = "SFPI" if kernel == "add.cpp" else "riscv64-unknown-elf-gcc"
    assert lines[3].startswith(f"Compiled with {compiler} ")
    assert ("LLK" in lines[3]) == (kernel == "add.cpp")
    assert lines[4].startswith(f"{out}/b.elf is from before, and --dir loads it too")
    assert lines[5] == f"Next: `tensix-gdb gdb --dir {out}`, or `tensix-gdb run --dir {out}`."


@pytest.mark.long("Debian's compiler builds it in this file")
def test_c_by_sfpi(
    project: Path, kernel: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kernel != "add.c":
        pytest.skip("its project was built by SFPI")
    monkeypatch.delenv("SFPI", raising=False)
    if find_sfpi() is None:
        unavailable("no SFPI is here: `tensix-gdb sfpi --install` gets it")
    out = tmp_path / "build"
    assert main(["build", str(project / kernel), "-o", str(out)]) == 0
    with Tile(schedule="sc") as tile:
        for hart in ("t0", "t1", "t2"):
            tile.load(hart, out / f"{hart}.elf")
        one = (0x3F80).to_bytes(2, "little") * 4096
        tile.t0.write(0x21000, one)
        tile.t0.write(0x31000, one)
        tile.run_to_end()
        assert tile.t0.read(0x41000, 8192) == (0x4000).to_bytes(2, "little") * 4096


def test_nothing_is_overwritten(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    assert main(["new", str(project)]) == 2
    assert "is there already: name another folder, or move it away\n" in capsys.readouterr().err
    assert before == {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}


@pytest.mark.parametrize("wrong", ["new {file}", "build {project}/{kernel} -o {file}"])
def test_a_folder_that_cannot_be_made(
    wrong: str, project: Path, kernel: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = project / kernel
    typed = wrong.format(file=file, project=project, kernel=kernel).split()
    said = refusal(capsys, *typed)
    assert said.endswith(
        "cannot be written: " + ("Not a directory" if "new" in typed else "File exists")
    )


def test_files_for_editors(project: Path, kernel: str) -> None:
    """JSON without comments, whose tasks are there and build this kernel."""
    tasks = json.loads((project / ".vscode" / "tasks.json").read_text("utf-8"))
    by_label = {task["label"]: task for task in tasks["tasks"]}
    arguments = by_label["build"]["args"]
    assert arguments[0] == "build"
    assert kernel in arguments
    assert ("--get-llk" in arguments) == (kernel == "add.cpp")
    assert by_label["tile"]["dependsOn"] == ["build", "registers"]
    launch = json.loads((project / ".vscode" / "launch.json").read_text("utf-8"))
    own, *others = launch["configurations"]
    assert (own["type"], own["file"]) == ("tensix", f"${{workspaceFolder}}/{kernel}")
    for one in others:
        assert (one["preLaunchTask"], one["postDebugTask"]) == ("tile", "stop")
        elf = one.get("program") or one.get("executable") or one["targetCreateCommands"][0]
        assert elf.endswith("${workspaceFolder}/build/t0.elf")
    container = json.loads((project / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    install = project / container["postCreateCommand"].removeprefix("sh ")
    subprocess.run(["sh", "-n", install], check=True)
    rows = (KERNELS.parents[1] / "scripts" / "tools").read_text("utf-8").split()
    wanted = re.search(r"recommends ([^\n]+)\\\n +([^\n]+)", install.read_text("utf-8"))
    assert wanted is not None
    assert set(f"{wanted[1]} {wanted[2]}".split()) <= set(rows), "Debian packages that tests know"
    assert os.sep not in kernel
