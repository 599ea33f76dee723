# SPDX-License-Identifier: Apache-2.0
"""Running files of the suite, each with a tile of its own, and what came of it."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, TextIO

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.host.library.build import LIBRARY
from tensix_gdb.gdbstub.kernels.compilers import Compiler
from tensix_gdb.gdbstub.kernels.sfpi.find import BIN, COMMANDS
from tensix_gdb.gdbstub.llk.suite import COMPILER, Suite

INSIDE, PLUGIN = Path(__file__).resolve().parent / "inside", "tensix_gdb_llk"
TEST_SECONDS = 90  # that a test may take, most of them for the compiler
FILE_SECONDS = 3600
# The suite's programs, wherever it builds a variant.
ELFS = {"b": "brisc", "t0": "unpack", "t1": "math", "t2": "pack"}
NOT_FOR_US = re.compile(r"(#error|error: .*|fatal error: .*)")


@dataclass(frozen=True, slots=True)
class Choice:
    """The tests of each file, and on what tile. `variants` 0 means all."""

    variants: int
    seed: str
    schedule: str
    engine: str
    races: tuple[str, ...] = ()  # options of `simulator` about races
    arch: str = "blackhole"


ALL = Choice(0, "1", "", "")


@dataclass(frozen=True, slots=True)
class Again:
    """The tests to run of those that were run before: their names; the hashes of the ELF files
    with which each is not run, as its result is known."""

    only: Sequence[str]
    known: Mapping[str, Sequence[str]]


@dataclass
class Outcome:
    """One test: what pytest says, and what its kernels have cost (zeros when none has run)."""

    test: str
    outcome: str
    reason: str
    seconds: float
    cycles: int = 0
    instructions: int = 0
    tensix: int = 0
    simulated: float = 0.0
    faults: list[str] = field(default_factory=list)
    races: list[dict[str, Any]] = field(default_factory=list)  # as in a file of --races-to
    perf: list[dict[str, int]] = field(default_factory=list)  # of each run that has counted
    promises: list[dict[str, Any]] = field(default_factory=list)  # as there
    kernels: list[str] = field(default_factory=list)  # the suite's names of what it has compiled
    numbers: list[int] = field(default_factory=list)  # of its runs, as `simulator --keep` has them
    wanted: dict[str, Any] = field(default_factory=dict)  # of one that failed: an array, and where
    elfs: list[str] = field(default_factory=list)  # hashes of what it has built
    deps: list[str] = field(default_factory=list)  # files that the compiler has read
    unknown: list[str] = field(default_factory=list)  # what the tree lacks to say these two
    outputs: list[dict[str, Any]] = field(default_factory=list)  # of a drawn sequence, as compared
    processor: float = 0.0  # seconds of the suite and its compilers

    @property
    def passed(self) -> bool:
        return self.outcome == "passed" and not self.faults

    @property
    def result(self) -> str:
        """One word for a table."""
        return "fault" if self.faults else self.outcome

    def why(self) -> str:
        """Return why it did not pass, in one line."""
        if self.faults:
            return self.faults[0]
        compiler = NOT_FOR_US.search(self.reason)
        if compiler:
            return compiler[1]
        lines = [line.strip() for line in self.reason.splitlines() if line.strip()]
        said = [line for line in lines if re.match(r"(E\s|\w*(Error|Exception|Skipped)\b)", line)]
        return (said or lines or [""])[-1]


def run(
    suite: Suite,
    tests: Sequence[str],
    choice: Choice,
    keep: str = "",
    *,
    show: bool = False,
    built: Path | None = None,
    again: Again | None = None,
    drawn: Path | None = None,
) -> list[Outcome]:
    """Run tests (file names, or node ids, and options of pytest) on one tile; `keep` is a folder
    for its --keep, `built` one in which kernels are built, so that their ELF files name the same
    folders each time, `drawn` one with sequences for the fuser (tensix-gdb fuzz)."""
    options = [*options_of(choice), *(["--keep", keep] if keep else [])]
    with tempfile.TemporaryDirectory(prefix="llk-") as name:
        folder = Path(name)
        if choice.races:
            options += [*choice.races, "--races-to", str(folder / "races.json")]
        if choice.races or keep:
            options += elf_options(built or folder)
        more = {"RUNNER_TEMP": str(built)} if built is not None else {}
        more |= _orders(folder, again) if again is not None else {}
        if drawn is not None:
            more |= {"LLK_DRAWN": str(drawn), "LLK_PARTS": str(suite.root / "parts")}
        finished(started(suite, tests, folder, options, choice, show=show, keep=keep, more=more))
        reason = last_error(folder / "said")
        found = joined(folder)
        if not found or not (folder / "results.ended").exists():
            names = [test for test in tests if not test.startswith("-") and ".py" in test]
            how = "not ended" if found else "not run"
            found += [Outcome(test, how, reason, 0.0) for test in (names[:1] if found else names)]
        return found


def _orders(folder: Path, again: Again) -> dict[str, str]:
    """Write what the plugin is told of tests that were run before; return where."""
    files = {"LLK_ONLY": list(again.only), "LLK_KNOWN": dict(again.known)}
    for name, value in files.items():
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    return {name: str(folder / name) for name in files}


def options_of(choice: Choice) -> list[str]:
    """The options of `simulator` for a choice."""
    options = ["--port", "0", "--schedule", choice.schedule, "--engine", choice.engine]
    return [*options, "--arch", choice.arch, "--faults", "all=count"]


def elf_options(built: Path) -> list[str]:
    """The options of `simulator` for the ELF files below a folder in which kernels are built."""
    return [
        word
        for hart, program in ELFS.items()
        for word in ("--elf", f"{hart}={built}/**/elf/{program}.elf")
    ]


def last_error(said: Path) -> str:
    """Return why pytest has run nothing."""
    lines = said.read_text(encoding="utf-8", errors="replace").splitlines() if said.exists() else []
    return "\n".join(lines[-40:]) or "the suite said nothing"


def started(
    suite: Suite,
    tests: Sequence[str],
    folder: Path,
    options: Sequence[str],
    choice: Choice = ALL,
    *,
    show: bool = False,
    orders: Path | None = None,
    build: Path | None = None,
    keep: str = "",
    more: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """The suite's pytest, on a simulator in `folder` with these options of `tensix-gdb simulator`.
    `orders`: a file for the plugin (inside/), for a run that is continued; `build`: a folder
    of which the kernels are not compiled again; `keep`: one for the arrays that failing tests want;
    `more`: variables of its environment.

    One at a time: the suite keeps what its simulator says in a file of its own folder, and reads
    there that it is ready. The lock is the child's, and ends with it.
    """
    _simulator(folder, options)
    command = [str(suite.python), "-m", "pytest", "--run-simulator", "-p", PLUGIN]
    command += [f"--timeout={TEST_SECONDS}", "-p", "no:cacheprovider", "-q", *tests]
    environment = {
        **os.environ,
        **environment_of(suite, folder, choice.arch),
        "LLK_VARIANTS": str(choice.variants),
        "LLK_SEED": choice.seed,
        **({} if orders is None else {"LLK_ORDERS": str(orders)}),
        **({} if build is None else {"LLK_BUILD": str(build)}),
        **({"LLK_KEEP": keep} if keep else {}),
        **(more or {}),
    }
    with (
        open(suite.root / "running", "w", encoding="ascii") as lock,
        open(folder / "said", "w", encoding="utf-8") as said,
    ):
        log = None if show else said
        _alone(lock)
        process = subprocess.Popen(
            command,
            cwd=suite.tests,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
            pass_fds=(lock.fileno(),),
        )
    share_priority(os.getpid(), process.pid)
    return process


def share_priority(pid: int, other: int) -> None:
    """Give another process the priority of this one's session. Linux shares the processor between
    sessions first, and the priority of a process counts within its own alone; a new session has the
    usual one, so the tests of a run with the lowest would slow down all that the machine does."""
    with contextlib.suppress(OSError, IndexError):
        nice = Path(f"/proc/{pid}/autogroup").read_text("ascii").split("nice")[1]
        Path(f"/proc/{other}/autogroup").write_text(nice.strip(), "ascii")


def _alone(lock: TextIO) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        print("the LLK tests are running already; waiting for their end ...", file=sys.stderr)
        fcntl.flock(lock, fcntl.LOCK_EX)


def finished(process: subprocess.Popen[bytes], most: float = FILE_SECONDS) -> None:
    """Wait for it. A driver waits for ever when its simulator has died, and so would we."""
    try:
        process.wait(most)
    except BaseException as problem:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if not isinstance(problem, subprocess.TimeoutExpired):
            raise


def _simulator(folder: Path, options: Sequence[str]) -> None:
    command = [
        sys.executable,
        "-m",
        "tensix_gdb.gdbstub",
        "simulator",
        str(folder / "simulator"),
        *("--tiles", "1x1"),
        *options,
    ]
    command += ["--runs", str(folder / "runs")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def environment_of(suite: Suite, folder: Path, arch: str) -> dict[str, str]:
    """Return the variables of the suite's pytest, for a simulator in `folder`."""
    return {
        **_headers(suite, arch),
        "CHIP_ARCH": arch,
        "LLK_HOME": str(suite.llk),
        "LLK_RESULTS": str(folder / "results"),
        # It was installed without compiled modules, and a folder of ours may have them.
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPATH": str(INSIDE),
        "RUNNER_TEMP": str(folder),
        # The driver numbers its servers there, and those of suites that run at once collide.
        "TMPDIR": str(folder),
        "TT_METAL_SIMULATOR": str(folder / "simulator" / LIBRARY),
    }


def _headers(suite: Suite, arch: str) -> dict[str, str]:
    """Where the compiler finds the C++ library's configuration, if it has none for the chip."""
    sfpi = (suite.llk / COMPILER).resolve()
    folder = Compiler(str(sfpi / BIN / COMMANDS), sfpi, Arch[arch.upper()]).common_configuration()
    return {} if folder is None else {"CPLUS_INCLUDE_PATH": str(folder)}


def _lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a file that may be written to: without one that has no end yet."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines[:-1]]


def joined(folder: Path) -> list[Outcome]:
    """Return the outcomes of the tests that were run in `folder`."""
    results, runs = _lines(folder / "results"), _lines(folder / "runs")
    for number, one in enumerate(runs, 1):
        one["number"] = number
        found = folder / f"races-{number}.json"
        if found.exists():
            said = json.loads(found.read_text(encoding="utf-8"))
            one["races"], one["promises"] = said["races"], said["promises"]
    return [_outcome(result, list(_during(result, runs))) for result in results]


def _during(result: dict[str, Any], runs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A run belongs to the test that was under way when it began."""
    for one in runs:
        if result.get("begun", 0) <= one["begun"] <= result.get("ended", 0):
            yield one


def _outcome(result: dict[str, Any], runs: list[dict[str, Any]]) -> Outcome:
    return Outcome(
        result["test"],
        result["outcome"],
        result["reason"],
        result.get("ended", 0) - result.get("begun", 0),
        sum(run["cycles"] for run in runs),
        sum(sum(run["instructions"]) for run in runs),
        sum(sum(run["tensix"]) for run in runs),
        sum(run["seconds"] for run in runs),
        [text for run in runs for text in run["faults"]],
        [race for run in runs for race in run.get("races", ())],
        [run["perf"] for run in runs if "perf" in run],
        [promise for run in runs for promise in run.get("promises", ())],
        result.get("kernels", []),
        [run["number"] for run in runs],
        result.get("wanted", {}),
        result.get("elfs", []),
        result.get("deps", []),
        result.get("unknown", []),
        result.get("outputs", []),
        result.get("processor", 0.0),
    )
