# SPDX-License-Identifier: Apache-2.0
"""Programs that use ttnn, unmodified, on the emulated tile; and a GDB in the middle of one."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.llktests.suite import CannotPrepare
from scripts.ttnntools.prepare import prepare
from tensix_gdb.gdbstub.ttnn.command import free_port
from tests.tools import unavailable

ROOT = Path(__file__).resolve().parents[2]
OPERATIONS = ROOT / "scripts" / "examples" / "ttnn" / "operations.py"
COMMAND = (sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn")
SECONDS = 540

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def python(tool: Callable[[str], str]) -> str:
    """A Python with ttnn and a compiler for its kernels."""
    for name in ("riscv64-unknown-elf-g++", "riscv64-unknown-elf-objcopy", "g++", "gdb-multiarch"):
        tool(name)
    try:
        return str(prepare())
    except CannotPrepare as problem:
        unavailable(str(problem))
        raise


def ttnn(python: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, "--python", python, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)


def test_operations_are_right(python: str) -> None:
    done = ttnn(python, "--", str(OPERATIONS))
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    said = done.stdout.splitlines()
    assert [line for line in said if line.endswith("WRONG")] == []
    names = [
        "add",
        "sub",
        "matmul",
        "clone",
        "tilize",
        "transpose",
        "sum",
        "mean",
        "l1",
        "generic_op",
    ]
    assert [line for line in said if line.endswith(": right")] == [f"{n}: right" for n in names]
    assert re.search(r"^tensix-gdb: the tile is at port \d+: gdb", done.stderr, re.MULTILINE)
    assert "tensix-gdb" not in done.stdout


# The hang of tt-metal issue 19201, with another semaphore: random:3 had it before promises.
@pytest.mark.parametrize("schedule", ["random:3", "random:11"])
def test_seeds_that_shipped_kernels_rely_on(python: str, schedule: str) -> None:
    done = ttnn(python, "--schedule", schedule, "--", str(OPERATIONS), "add", "matmul")
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


def test_gdb_in_the_middle(python: str) -> None:
    port = free_port()
    command = [*COMMAND, "--python", python, "--port", str(port)]
    command += ["--", str(OPERATIONS), "add"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as it:
        lines = ("set tcp auto-retry on", "set tcp connect-timeout 240", "set confirm off")
        lines += (f"target remote 127.0.0.1:{port}", "info threads", "monitor why", "detach")
        gdb = [
            "gdb-multiarch",
            "-nx",
            "-q",
            "-batch",
            *(w for line in lines for w in ("-ex", line)),
        ]
        seen = subprocess.run(gdb, capture_output=True, text=True, timeout=SECONDS, check=False)
        said, _ = it.communicate(timeout=SECONDS)
    assert "add: right" in said
    assert it.returncode == 0
    assert 'Thread 6 "T0 unpack"' in seen.stdout, seen.stdout + seen.stderr


def test_the_exit_status_is_the_scripts(python: str, tmp_path: Path) -> None:
    script = tmp_path / "seven.py"
    script.write_text("import sys; print(sys.argv[1:]); sys.exit(7)\n", encoding="utf-8")
    done = ttnn(python, "--", str(script), "--flag", "x")
    assert (done.returncode, done.stdout) == (7, "['--flag', 'x']\n")
    script.write_text("import os; os.kill(os.getpid(), 9)\n", encoding="utf-8")
    assert ttnn(python, "--", str(script)).returncode == 128 + 9


def test_ctrl_c_ends_the_script(python: str, tmp_path: Path) -> None:
    script = tmp_path / "sleeps.py"
    script.write_text("import time; print('here', flush=True); time.sleep(600)\n", encoding="utf-8")
    command = [*COMMAND, "--python", python, "--", str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as it:
        assert it.stdout is not None
        assert it.stdout.readline() == b"here\n"
        begun = time.monotonic()
        os.killpg(it.pid, signal.SIGINT)
        it.communicate(timeout=60)
        assert it.returncode == 128 + signal.SIGINT
        assert time.monotonic() - begun < 60


WITHOUT = "import venv, sys; venv.create(sys.argv[1], with_pip=False)"


def test_what_is_missing_is_said(python: str, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    subprocess.run([python, "-c", WITHOUT, str(bare)], check=True)
    for words, sentence in (
        (("--python", str(bare / "bin" / "python"), "--", str(OPERATIONS)), "has no ttnn"),
        (("--python", str(tmp_path / "no"), "--", str(OPERATIONS)), "there is no such program"),
        (("--python", "/bin/true", "--", str(OPERATIONS)), "does not run as a Python"),
        (("--python", python, "--", "no.py"), "no.py: there is no such script"),
        (("--python", python), "name a script to run"),
        (("--python", python, "--gdb", "no-gdb", "--", str(OPERATIONS)), "there is no such"),
    ):
        command = [*COMMAND, *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2, words
        assert sentence in done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
