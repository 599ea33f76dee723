# SPDX-License-Identifier: Apache-2.0
"""Programs that use ttnn, unmodified, on the emulated tile; and a GDB in the middle of one."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts.examples.ttnn import session, threads
from scripts.ttnntools.prepare import NoPython, prepare
from tensix_gdb.gdbstub.llk.suite import CannotPrepare
from tensix_gdb.gdbstub.pages.share.document import unpacked
from tests.gdbstub.kernels.sfpi.installed import installed_sfpi
from tests.patience import HANG
from tests.tools import unavailable

ROOT = Path(__file__).resolve().parents[2]
OPERATIONS = ROOT / "scripts" / "examples" / "ttnn" / "operations.py"
COMMAND = (sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn")
SECONDS = HANG


@pytest.fixture(scope="module")
def python(tool: Callable[[str], str]) -> Iterator[str]:
    """A Python with ttnn, and SFPI for its kernels, which other tests leave out."""
    tool("gdb-multiarch")
    with pytest.MonkeyPatch.context() as patch:
        installed_sfpi(patch)
        try:
            yield str(prepare())
        except NoPython as problem:
            pytest.skip(str(problem))  # in CI too: that machine need not have another Python
        except CannotPrepare as problem:
            unavailable(str(problem))
            raise


def ttnn(python: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, "--python", python, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)


@pytest.mark.long("tests/gdbstub/host/ttnn and tests/gdbstub/host/simulator")
@pytest.mark.parametrize(
    ("tiles", "dispatch", "arch"),
    [
        ("1x1", "slow", "blackhole"),
        ("2x2", "slow", "blackhole"),
        ("2x2", "fast", "blackhole"),
        ("2x2", "fast", "wormhole"),
    ],
)
def test_operations_are_right(python: str, tiles: str, dispatch: str, arch: str) -> None:
    """Without subtract and mean, which run the kernels of add and sum."""
    names = [
        "add",
        "matmul",
        "matmul_256",
        "clone",
        "tilize",
        "transpose",
        "sum",
        "l1",
        "sharded",
        "generic_op",
    ]
    words = ("--tiles", tiles, "--dispatch", dispatch, "--arch", arch)
    done = ttnn(python, *words, "--", str(OPERATIONS), *names)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    said = done.stdout.splitlines()
    assert [line for line in said if line.endswith("WRONG")] == []
    assert [line for line in said if line.endswith(": right")] == [f"{n}: right" for n in names]
    assert re.search(r"^tensix-gdb: the .*tiles? (is|are) at port \d+: gdb", done.stderr, re.M)
    assert "tensix-gdb" not in done.stdout


@pytest.mark.long("tests/gdbstub/host/simulator/test_grid.py")
@pytest.mark.parametrize("tiles", ["8x8", "14x10"])
def test_weights_that_are_sharded_in_dram(python: str, tiles: str) -> None:
    program = OPERATIONS.with_name("dram_sharded.py")
    done = ttnn(python, "--tiles", tiles, "--", str(program))
    said = done.stdout.splitlines()[-2:]
    assert (done.returncode, said) == (0, ["weights: right", "matmul: right"]), done.stderr


@pytest.mark.long("tests/gdbstub/host/ttnn and tests/gdbstub/host/simulator")
@pytest.mark.parametrize(
    ("arch", "barrier"), [("blackhole", True), ("blackhole", False), ("wormhole", False)]
)
def test_a_race_of_two_tiles_in_dram(python: str, arch: str, barrier: bool) -> None:
    """The second tile reads a page that the first one has written, and says so."""
    relay = str(OPERATIONS.with_name("relay.py"))
    words = ("--arch", arch, "--tiles", "2x1", "--races", "--", relay)
    words = (*words, *(() if barrier else ("--without-barrier",)))
    done = ttnn(python, *words)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["relay: right"]), done.stderr
    found = re.findall(r"^RACE \d+  write, then read: .*  (DRAM \d) ", done.stderr, re.MULTILINE)
    assert found == ([] if barrier else ["DRAM 0"])
    if not barrier:
        lines = re.findall(r"kernel_main at\s+kernel_includes.hpp:(\d+)", done.stderr)
        assert lines == ["17", "22"]


@pytest.mark.long("tests/scripts/test_published_operations.py")
def test_two_readers(python: str) -> None:
    """The program of which there are a card's times, on four tiles."""
    program = str(OPERATIONS.with_name("two_readers.py"))
    cases = ["nc,8,0,math,1x1", "both,4,512,math,2x2", "b,8,0,math,2x1"]
    done = ttnn(python, "--tiles", "2x2", "--", program, *cases)
    said = done.stdout.splitlines()[-3:]
    assert (done.returncode, said) == (0, [f"{case}: right" for case in cases]), done.stderr


@pytest.mark.long("tests/gdbstub/pages/share/test_wrong_value.py")
def test_a_page_of_a_wrong_result_has_the_value(
    python: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if subprocess.run([python, "-c", "import torch"], capture_output=True, check=False).returncode:
        pytest.skip("this Python has no torch, by which the program reads its result")
    monkeypatch.setenv("TENSIX_GDB_RUNS", str(tmp_path / "runs"))
    program = str(OPERATIONS.with_name("chip_fails.py"))
    done = ttnn(python, "--tiles", "2x2", "--share", str(tmp_path), "--", program, "wrong")
    assert done.returncode == 1, done.stderr
    (said,) = unpacked((tmp_path / "chip_fails.html").read_text())["chip"]["events"][:1]
    value = "A result is wrong: [3] is 4, and 3 is expected; 1 of 4 values differ; written by"
    assert said["ending"].startswith(f"{value} a request of NoC 1 that 2-3 B has made at ")


@pytest.mark.long("tests/gdbstub/host/ttnn and tests/gdbstub/host/simulator")
@pytest.mark.parametrize("program", [["chain.py"], ["operations.py", "matmul", "sharded"]])
def test_threads_and_replays_are_equal(
    python: str,
    program: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """With 1 and 4; tests/core/chip has any number of threads."""
    monkeypatch.setattr(threads, "THREADS", (1, 4))
    words = [str(OPERATIONS.with_name(program[0])), *program[1:]]
    assert threads.main(words) == 0
    said = capfd.readouterr().out
    assert said.count(": right, ") == len(threads.THREADS)
    hashes = re.findall(r"replay --threads \d: cycle \d+, hash (\w+)", said)
    assert len(hashes) == len(threads.THREADS) ** 2
    assert len(set(hashes)) == 1


@pytest.mark.long("tests/gdbstub/host/ttnn and tests/gdbstub/host/simulator")
def test_gdb_on_two_tiles_of_four(python: str) -> None:
    seen, said = session.session(python, ("chain.py",), "2x2", session.ON_TILES)
    assert "chain: right" in said, said
    shown = session.anywhere(seen)
    # How many tiles have the kernel already depends on when the host's messages come.
    for line in (
        r"  2    process 2         1 \(extended-remote 127.0.0.1:4555\)",
        r'Thread 1.5 "1-2 NC" hit Temporary breakpoint 1(\.\d+)?, ',
        "y=2  ffffK  ffff[fKw]",
        r"    1-2( \d-\d)*: Kernel_Source_Code \(NC\)",
        "1-2 NIU 0: reads 2048 bytes at",
    ):
        assert re.search(line, shown), f"{line}\n{shown}"
    typed = [line for line in session.TILES_BLOCK.read().splitlines() if line.startswith("(gdb)")]
    assert typed == [line for line in shown.splitlines() if line.startswith("(gdb)")]


IN_FAST = (
    "target extended-remote 127.0.0.1:{port}",
    "attach 1",
    "break eltwise_binary_no_bcast.cpp:70",
    "continue",
    "backtrace 2",
    "detach",
)


@pytest.mark.long("tests/gdbstub/host/ttnn and tests/gdbstub/host/simulator")
def test_a_breakpoint_in_a_kernel_that_a_dispatcher_starts(python: str) -> None:
    seen, said = session.session(python, ("operations.py", "add"), "2x2", IN_FAST, "fast")
    assert "add: right" in said, said
    shown = session.anywhere(seen)
    for line in (
        "Breakpoint 1 (eltwise_binary_no_bcast.cpp:70) pending.",
        "kernel_main () at .../eltwise_binary_no_bcast.cpp:70",
        "run_kernel () at .../chlkc_list.h:",
    ):
        assert line in shown, f"{line}\n{shown}"


# The hang of tt-metal issue 19201, with another semaphore: random:3 had it before promises.
@pytest.mark.long("tests/gdbstub/host/ttnn and tests/gdbstub/host/simulator")
@pytest.mark.parametrize("schedule", ["random:3", "random:11"])
def test_seeds_that_shipped_kernels_rely_on(python: str, schedule: str) -> None:
    done = ttnn(python, "--schedule", schedule, "--", str(OPERATIONS), "add", "matmul")
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


@pytest.mark.long("tests/gdbstub/host/ttnn and tests/gdbstub/host/simulator")
def test_breakpoints_in_kernels_before_they_are_compiled(python: str) -> None:
    seen, said = session.session(python)
    assert "add: right" in said, said
    shown = session.anywhere(seen)
    for line in (
        "Breakpoint 1 (eltwise_binary_no_bcast.cpp:70 thread 3) pending.",
        "kernel_main () at .../eltwise_binary_no_bcast.cpp:70",
        "num_tiles = 4",
        "run_kernel () at .../chlkc_list.h:",
        "kernel_main at eltwise_binary_no_bcast.cpp:70",
    ):
        assert line in shown, f"{line}\n{shown}"
    typed = [line for line in session.BLOCK.read().splitlines() if line.startswith("(gdb)")]
    assert typed == [line for line in shown.splitlines() if line.startswith("(gdb)")]


@pytest.mark.long("tests/gdbstub/host/ttnn and tests/gdbstub/host/simulator")
def test_each_launch_is_a_run_with_its_kernels(python: str, tmp_path: Path) -> None:
    runs = tmp_path / "runs.json"
    covered, profile = tmp_path / "covered.info", tmp_path / "profile.json"
    words = ["--runs", str(runs), "--races", "--schedule", "latency", "--coverage", str(covered)]
    words += ["--profile", str(profile)]
    done = ttnn(python, *words, "--", str(OPERATIONS), "add", "matmul")
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    kernels = [json.loads(line).get("kernels") for line in runs.read_text("ascii").splitlines()]
    assert kernels[0] is None, "the firmware"
    assert "eltwise_binary_no_bcast" in kernels[1]
    assert "bmm_large_block_zm_fused_bias_activation_metal2" in kernels[2]
    assert re.search(r"^tensix-gdb: races of run 2 \(.*eltwise", done.stderr, re.MULTILINE)
    # Those of the first launch too, which the second one has replaced.
    for name in ("eltwise_binary_no_bcast", "bmm_large_block_zm_fused_bias_activation_metal2"):
        of_file = re.search(rf"/{name}.cpp\n(.*?)end_of_record", covered.read_text("utf-8"), re.S)
        assert of_file is not None
        assert re.search(r"^DA:\d+,[1-9]", of_file[1], re.MULTILINE)
    shared = json.loads(profile.read_text("ascii"))["shared"]["frames"]
    mains = {frame["name"] for frame in shared if frame["name"].startswith("kernel_main")}
    assert len(mains) >= 6, mains  # three kernels of each launch
    assert "kernel_main (eltwise_binary_no_bcast)" in mains


@pytest.mark.long("tests/gdbstub/host/ttnn and tests/gdbstub/host/simulator")
def test_the_exit_status_is_the_scripts(python: str, tmp_path: Path) -> None:
    script = tmp_path / "seven.py"
    script.write_text("import sys; print(sys.argv[1:]); sys.exit(7)\n", encoding="utf-8")
    done = ttnn(python, "--", str(script), "--flag", "x")
    assert (done.returncode, done.stdout) == (7, "['--flag', 'x']\n")
    script.write_text("import os; os.kill(os.getpid(), 9)\n", encoding="utf-8")
    assert ttnn(python, "--", str(script)).returncode == 128 + 9


@pytest.mark.long("tests/gdbstub/host/ttnn and tests/gdbstub/host/simulator")
def test_ctrl_c_ends_the_script(python: str, tmp_path: Path) -> None:
    script = tmp_path / "sleeps.py"
    script.write_text("import time; print('here', flush=True); time.sleep(600)\n", encoding="utf-8")
    command = [*COMMAND, "--python", python, "--", str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as it:
        assert it.stdout is not None
        assert it.stdout.readline() == b"here\n"
        os.killpg(it.pid, signal.SIGINT)
        it.communicate(timeout=HANG)
        assert it.returncode == 128 + signal.SIGINT


WITHOUT = "import venv, sys; venv.create(sys.argv[1], with_pip=False)"


@pytest.mark.long("tests/gdbstub/host/ttnn and tests/gdbstub/host/simulator")
def test_what_is_missing_is_said(python: str, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    subprocess.run([python, "-c", WITHOUT, str(bare)], check=True)
    for words, sentence in (
        (("--python", str(bare / "bin" / "python"), "--", str(OPERATIONS)), "has no ttnn"),
        (("--python", str(tmp_path / "no"), "--", str(OPERATIONS)), "there is no such program"),
        (("--python", "/bin/true", "--", str(OPERATIONS)), "does not run as a Python"),
        (("--python", python, "--", "no.py"), "no.py: there is no such program"),
        (("--python", python), "name a program to run"),
        (("--python", python, "--gdb", "no-gdb", "--", str(OPERATIONS)), "there is no such"),
    ):
        command = [*COMMAND, *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        assert done.returncode == 2, words
        assert sentence in done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
