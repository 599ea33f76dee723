# SPDX-License-Identifier: Apache-2.0
"""GDBs that attach to a ttnn program with checks, on a machine that has other things to do.

`scripts/bench attaches` starts `rounds.py` of the examples by `tensix-gdb ttnn --check memory
--races`, and processes that only compute. One GDB after the other connects, stops the program,
lists its threads and detaches. Exit status 1 if one of them could not, or had an answer that is not
its own, or if the program is wrong at its end.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from scripts.ttnntools.prepare import prepare
from tensix_gdb.core.arch.blackhole import HART_NAMES, THREADS
from tensix_gdb.gdbstub.host.ttnn.command import free_port
from tensix_gdb.gdbstub.llk.suite import CannotPrepare

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "scripts" / "examples" / "ttnn" / "rounds.py"
GOES_ON = "goes on"  # what it says after its first round
CHECKED = ("--check", "memory", "--races")
GDB = "gdb-multiarch"
STOPS = ("breakpoint", "Ctrl-C")  # in turn
VISIT_SECONDS = 60  # of a GDB, with all that it does
END_SECONDS = 300  # of the program, after the last one
# What GDB says of an answer that it did not expect, that did not come, or of a connection that is
# no more.
TROUBLE = re.compile(
    r"unexpectedly|packet error|timed? ?out|connection closed|communication error|bogus|malformed"
    r"|truncated|invalid (remote )?reply|failure reply|not responding|dropped|refused"
    r"|Error occurred|Traceback",
    re.IGNORECASE,
)
SENT = re.compile(r"^w (.*)", re.MULTILINE)
PACKET = re.compile(r"\$[^#]*#..")


@dataclass(frozen=True, slots=True)
class Visit:
    """The outcome of one GDB: why it failed (empty if it did not), seconds until it was connected,
    and how often it has asked again."""

    why: str
    seconds: float
    again: int


def main() -> int:
    """Print a line for each failure, and the figures; 1 if there is a failure."""
    parser = argparse.ArgumentParser(prog="scripts/bench attaches", description=__doc__)
    parser.add_argument("--load", type=int, default=10, metavar="N", help="busy processes (10)")
    parser.add_argument("--attaches", type=int, default=30, metavar="N", help="GDBs (30)")
    of = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # nothing is left
    try:
        python = prepare()
    except CannotPrepare as problem:
        print(f"ttnn: {problem}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, program(python, Path(folder)) as (it, port):
        visits = []
        with load(of.load):
            for number in range(of.attaches):
                visits.append(visit(f"127.0.0.1:{port}", STOPS[number % 2], Path(folder)))
                print(f"{number + 1}: {line_of(visits[-1])}", flush=True)
            average = os.getloadavg()[0]
        said, _ = it.communicate("", timeout=END_SECONDS)
        wrong = it.returncode != 0
    print(said.strip())
    failures = sum(bool(one.why) for one in visits)
    seconds = sorted(one.seconds for one in visits if not one.why)
    if seconds:
        middle, most = statistics.median(seconds), seconds[-1]
        print(f"connecting: {middle:.2f} s in the middle, {most:.2f} s at most")
    again = sum(one.again for one in visits)
    print(
        f"{failures} of {len(visits)} attaches failed; GDB asked again {again} times; "
        f"{os.cpu_count()} cores, load {average:.1f}"
    )
    return 1 if failures or wrong else 0


def line_of(one: Visit) -> str:
    """Make the line that is printed of a GDB."""
    twice = f", asked {one.again} times again" if one.again else ""
    return (f"FAILED: {one.why}" if one.why else f"connected in {one.seconds:.2f} s") + twice


@contextlib.contextmanager
def program(python: Path, folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start the program; yield it after its first round, and the port for GDB. It ends with its
    standard input; what it reports goes to a file."""
    port = free_port()
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn", "--python", str(python)]
    command += ["--port", str(port), *CHECKED, "--", str(PROGRAM)]
    with (
        (folder / "reports").open("w", encoding="utf-8") as reports,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=reports,
            text=True,
            start_new_session=True,
        ) as it,
    ):
        try:
            assert it.stdout is not None
            if it.stdout.readline() != f"{GOES_ON}\n":
                raise RuntimeError((folder / "reports").read_text(encoding="utf-8")[-2000:])
            yield it, port
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(it.pid, signal.SIGKILL)


@contextlib.contextmanager
def load(count: int) -> Iterator[None]:
    """Keep so many processes computing meanwhile."""
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            stack.callback(busy.wait)
            stack.callback(busy.kill)
        yield


def visit(target: str, stop: str, folder: Path, patience: float | None = None) -> Visit:
    """Let a GDB connect to `target` and stop what runs there by one of STOPS. With `patience` it
    waits for each answer so many seconds, and not as many as GDB does by itself."""
    log = folder / "packets"
    log.unlink(missing_ok=True)
    script = Path(__file__).with_name("attached.py")
    command = [GDB, "-nx", "-nh", "-q", "-batch", "-x", str(script)]
    variables = {"VISIT_TARGET": target, "VISIT_STOP": stop, "VISIT_LOG": str(log)}
    if patience is not None:
        variables["VISIT_PATIENCE"] = f"{patience:.0f}"
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=patience or VISIT_SECONDS,
            check=False,
        )
        why, seconds = judged(done.stdout, done.returncode, stop)
    except subprocess.TimeoutExpired:
        why, seconds = f"{stop}: nothing after {VISIT_SECONDS} s", 0.0
    text = log.read_text(encoding="latin-1") if log.exists() else ""
    return Visit(why, seconds, asked_again(text))


def judged(said: str, status: int, stop: str) -> tuple[str, float]:
    """Return why a GDB failed that has said this, or nothing, and the seconds that it took to
    connect."""
    # The last one, which is below the lines of a traceback.
    bad = [line for line in said.splitlines() if TROUBLE.search(line)]
    if bad:
        return bad[-1].strip(), 0.0
    figures = next((line for line in said.splitlines() if line.startswith("VISIT ")), None)
    if figures is None or status:
        return f"exit status {status}: {said.strip()[-200:]}", 0.0
    seconds, reason, threads = json.loads(figures.removeprefix("VISIT "))
    if reason != stop:
        return f"it stopped by {reason} and not by {stop}", seconds
    if threads != len(HART_NAMES) + THREADS:
        return f"{threads} threads and not {len(HART_NAMES) + THREADS}", seconds
    return "", seconds


def asked_again(log: str) -> int:
    """Return how often GDB has lost patience, from its `remotelogfile`: packets that it has sent
    twice, until there are no acknowledgments any more, and "-" because an answer did not come."""
    with_acks = log.partition("r $OK")[0]
    packets: list[str] = PACKET.findall("".join(SENT.findall(with_acks)))
    answers: str = "".join(PACKET.sub("", line) for line in SENT.findall(log))
    return answers.count("-") + sum(one == other for one, other in pairwise(packets))


if __name__ == "__main__":
    raise SystemExit(main())
