# SPDX-License-Identifier: Apache-2.0
"""The time from the command until the server listens, and its work while compiling."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from scripts.benchmark.remote import Remote, frame
from tensix_gdb.core.engine import jit

ROOT = Path(__file__).resolve().parents[2]
WARM_TIMES, COLD_TIMES = 7, 5
MAX_SECONDS = 120
# As Python is set up as a rule, whatever the environment of this run says: the second start of a
# command reads bytecode, and compiles no module again.
KEEPS_BYTECODE = {"PYTHONDONTWRITEBYTECODE": ""}
IMPORTS = """import gc, time
gc.disable()  # as a command does while it imports (gdbstub/cli/main.py)
from tensix_gdb.core.machine import Machine
print(time.process_time())
"""
CYCLES = 50_000_000  # a minute of the reference engine


@contextlib.contextmanager
def server(elf: Path, folder: Path, environment: Mapping[str, str]) -> Iterator[tuple[float, int]]:
    """A server of the sources in `folder`: seconds of the processor from the command until it
    says that it listens, and the port. Until then it does one thing at a time, so on a machine with
    nothing else to do they are those of the clock."""
    command = [
        sys.executable,
        "-m",
        "tensix_gdb.gdbstub",
        "serve",
        "--port",
        "0",
        "--elf",
        f"b={elf}",
    ]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, env={**os.environ, **environment}, text=True
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        seconds = seconds_of_processor(process.pid)
        found = re.search(r"listening on \S+ port (\d+)", line)
        try:
            if found is None:
                raise RuntimeError(f"the server said {line!r} instead of where it listens")
            yield seconds, int(found[1])
        finally:
            process.terminate()


def seconds_of_processor(pid: int, *, ended: bool = False) -> float:
    """Return the processor seconds of a process up to now, or of its processes that have `ended`
    (proc(5): utime and stime, cutime and cstime)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    used = fields[13:15] if ended else fields[11:13]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")


def warm(elf: Path) -> float:
    """Once everything was compiled: the best of several starts."""
    times = []
    for _ in range(WARM_TIMES):
        with server(elf, ROOT, KEEPS_BYTECODE) as (seconds, _):
            times.append(seconds)
    return min(times)


def imports() -> float:
    """Seconds of the processor for a Python that imports the machine: the best of several."""
    times = []
    for _ in range(WARM_TIMES):
        done = subprocess.run(
            [sys.executable, "-c", IMPORTS],
            cwd=ROOT,
            env={**os.environ, **KEEPS_BYTECODE},
            capture_output=True,
            text=True,
            check=True,
        )
        times.append(float(done.stdout))
    return min(times)


def cold(elf: Path) -> float:
    """As after installation: neither machine code of the engine nor bytecode of the project."""
    times = []
    for _ in range(COLD_TIMES):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as fresh:
            _copy_packages(Path(fresh))
            for name, _ in jit.BASELINES.values():
                for brought in Path(fresh, "tensix_gdb/core/engine/shipped").glob(f"{name}*"):
                    brought.unlink()
            with server(elf, Path(fresh), {"TENSIX_GDB_CACHE": f"{fresh}/objects"}) as (seconds, _):
                times.append(seconds)
    return min(times)


def first_command(elf: Path) -> float:
    """As after the installation of a wheel that brings machine code (core/engine/shipped):
    seconds of the processor for a `tensix-gdb run` of CYCLES, all of it; the best of several."""
    kind = jit.triple().partition("-")[0]
    subprocess.run(
        [sys.executable, "-m", "scripts.package_objects", "--builds", "tile of B", kind],
        cwd=ROOT,
        check=True,
    )
    times = []
    for _ in range(COLD_TIMES):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as fresh:
            _copy_packages(Path(fresh))
            command = [sys.executable, "-m", "tensix_gdb.gdbstub", "run", "--schedule", "sc"]
            command += ["--elf", f"b={elf}", "--max-cycles", str(CYCLES)]
            environment = {**os.environ, "TENSIX_GDB_CACHE": f"{fresh}/objects"}
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, cwd=fresh, env=environment, capture_output=True, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def _copy_packages(folder: Path) -> None:
    for package in ("core", "gdbstub"):
        unused = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, folder / "tensix_gdb" / package, ignore=unused)


def compiled(elf: Path) -> tuple[float, float]:
    """With nothing compiled before: seconds of the clock from the command until the best code of
    everything runs, and seconds of all processors for making it.

    Somebody looks at the tile ten times a second meanwhile.
    """
    step = frame(b"vCont;s:1")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
        start = time.perf_counter()
        command = [
            sys.executable,
            "-m",
            "tensix_gdb.gdbstub",
            "serve",
            "--port",
            "0",
            "--elf",
            f"b={elf}",
        ]
        environment = {**os.environ, "TENSIX_GDB_CACHE": cache}
        with subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, env=environment, text=True
        ) as process:
            try:
                assert process.stdout is not None
                found = re.search(r"port (\d+)", process.stdout.readline())
                assert found is not None
                client = Remote(int(found[1]))
                client.attach()
                # The compiler has ended, and was waited for, when its code has been taken up.
                while not (made := seconds_of_processor(process.pid, ended=True)):
                    client.ask(step)
                    time.sleep(0.1)
                    if time.perf_counter() > start + MAX_SECONDS:
                        raise RuntimeError("nothing was compiled")
                return time.perf_counter() - start, made
            finally:
                process.terminate()


def slowest_step(elf: Path) -> tuple[float, float]:
    """Steps from the start until the best code is in use: seconds of the slowest, and of the one
    in the middle."""
    step = frame(b"vCont;s:1")
    seconds = []
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache,
        server(elf, ROOT, {"TENSIX_GDB_CACHE": cache}) as (_, port),
    ):
        client = Remote(port)
        client.attach()
        end = time.perf_counter() + MAX_SECONDS
        # The second index is that of the optimised code; it is taken up soon after it is there.
        while len(list(Path(cache).glob("*.index"))) < 2 and time.perf_counter() < end:
            seconds += [_seconds(client, step) for _ in range(100)]
        seconds += [_seconds(client, step) for _ in range(2000)]
    return max(seconds), statistics.median(seconds)


def _seconds(client: Remote, packet: bytes) -> float:
    start = time.perf_counter()
    client.ask(packet)
    return time.perf_counter() - start
