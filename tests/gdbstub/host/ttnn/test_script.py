# SPDX-License-Identifier: Apache-2.0
"""A script that is waited for, with a simulator that lives, ends or dies."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from time import sleep

import pytest

from tensix_gdb.gdbstub.host.simulator.life import has_reports
from tensix_gdb.gdbstub.host.ttnn import script
from tensix_gdb.gdbstub.host.ttnn.script import Script, wait_for_reports
from tensix_gdb.gdbstub.signals import end_signal
from tests.patience import HANG

SLEEPS = "import time; time.sleep(600)"
DEAF = f"import signal; [signal.signal(n, signal.SIG_IGN) for n in (2, 15)]; {SLEEPS}"
# Its driver has gone, and it takes its time for the report; then a debugger keeps it.
REPORTS = """
import sys
from pathlib import Path
from tensix_gdb.gdbstub.host.simulator.life import living
with living(Path(sys.argv[1])) as life:
    print("here", flush=True)
    sys.stdin.readline()
    print("M7", flush=True)
    life.reported()
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(script, "ENDING_SECONDS", 0.2)
    monkeypatch.setattr(end_signal, "number", 0)  # only the first signal counts


def run(program: str, *, is_apart: bool = False) -> Script:
    return Script([sys.executable, "-c", program], dict(os.environ), is_apart=is_apart)


def test_what_the_last_run_reports_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that reads the output to its end gets all of it."""
    life, looks = tmp_path / "life", []
    wait_for_reports(life)  # there was no simulator
    command = [sys.executable, "-c", REPORTS, str(life)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as simulator:
        assert simulator.stdin is not None
        assert simulator.stdout is not None
        assert simulator.stdout.readline() == b"here\n"
        assert has_reports(life)

        def look(_: float) -> None:
            looks.append(has_reports(life))
            if len(looks) == 1:
                assert simulator.stdin is not None
                simulator.stdin.write(b"report now\n")
                simulator.stdin.flush()

        monkeypatch.setattr(script, "sleep", look)
        monkeypatch.setattr(script, "REPORTING_SECONDS", math.inf)
        wait_for_reports(life)
        assert looks
        os.set_blocking(simulator.stdout.fileno(), False)
        assert simulator.stdout.read() == b"M7\n"
        assert simulator.poll() is None, "it is kept"
        simulator.stdin.close()
        simulator.wait()


@pytest.mark.parametrize("how", ["killed", "Ctrl-C", "for ever"])
def test_a_report_that_does_not_come(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    life = tmp_path / "life"
    command = [sys.executable, "-c", REPORTS, str(life)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as simulator:
        assert simulator.stdout is not None
        assert simulator.stdout.readline() == b"here\n"

        def look(_: float) -> None:
            if how == "killed":
                simulator.kill()
            elif how == "Ctrl-C":
                os.kill(os.getpid(), signal.SIGINT)

        monkeypatch.setattr(script, "sleep", look)
        monkeypatch.setattr(script, "REPORTING_SECONDS", 0 if how == "for ever" else math.inf)
        wait_for_reports(life)
        simulator.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(("program", "ends_by"), [(SLEEPS, 0), (DEAF, signal.SIGKILL)])
def test_a_signal_ends_it(
    number: int, program: str, ends_by: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a terminal Ctrl-C comes to both; here it comes to the one that waits."""
    monkeypatch.setattr(script, "ENDING_SECONDS", 0.2 if ends_by else HANG)
    ready = tmp_path / "ready"
    before_it_sleeps = program.removesuffix(SLEEPS)
    program = f"{before_it_sleeps}open({str(ready)!r}, 'w').close(); {SLEEPS}"
    waiting = run(program, is_apart=True)
    deaf = signal.getsignal(signal.SIGINT)

    def signal_when_ready() -> None:
        # The program may be ready before this process listens: a worker of pytest would end.
        while not ready.exists() or signal.getsignal(signal.SIGINT) is deaf:
            sleep(0.01)
        os.kill(os.getpid(), number)

    signals = threading.Thread(target=signal_when_ready)
    signals.start()
    status = waiting.wait()
    assert status == 128 + (ends_by or number)
    signals.join()
