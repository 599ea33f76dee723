# SPDX-License-Identifier: Apache-2.0
"""The plan of a debug session for a file: what to build, what to start, and how a GDB attaches.

An editor knows the file that is open and nothing else. The kinds are a kernel in C or C++, a
script that uses ttnn, a test of LLK or a kernel of one, a core file, and a recording. A kernel may
say how it is built and run, in a comment, as LLVM's tests do; its programs and input are those of
that command:

    RUN: tensix-gdb build --t1 kernel.cpp -O 2
    RUN: tensix-gdb run --dir build
    RUN:   --tile 0x21000=left.npy:bf16 --expect 0x41000=sum.npy:bf16
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, field
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.attach.find_gdb import HELPER, banner, find_gdb
from tensix_gdb.gdbstub.kernels.options import BuildOptions
from tensix_gdb.gdbstub.kernels.sources import SFPI_HEADER, by_hart
from tensix_gdb.gdbstub.usage import UsageError
from tensix_gdb.gdbstub.vscode.llk_test import is_llk_test, llk_words, test_of

KERNELS = (".c", ".cc", ".cpp")
RUN = re.compile(r"\bRUN:[ \t]*(.*?)[ \t]*(?:\*/)?[ \t]*$", re.MULTILINE)
SFPI_NEEDS = ("-O", "2")  # its values are in no memory, and the debug level puts them there
USES_TTNN = re.compile(r"^\s*(?:import\b.*\bttnn\b|from\s+ttnn\b)", re.MULTILINE)
LLK = re.compile(r'#\s*include\s*[<"](?:llk_|ckernel|compute_kernel_api|api/)')
HEAD = 1 << 16  # bytes of a file that are looked at
BUILD = "build"  # the folder that `tensix-gdb build` writes
# Options of `run` that `serve` has not, and whether a value follows.
OF_RUN_ALONE = {"--expect": True, "--max-cycles": True, "--seeds": True, "--check": False}
# Before a T core leaves reset there is nothing to continue.
WAITS = r"waiting for a debugger:.*127\.0\.0\.1:({})"
LISTENS = r"listening on 127\.0\.0\.1 port ([0-9]+)"


@dataclass(frozen=True)
class Plan:
    """Arguments of tensix-gdb, each a list. `ready` matches the line that names the port."""

    kind: str
    folder: str  # where everything is done
    serve: list[str]
    ready: str = LISTENS
    build: list[str] = field(default_factory=list)  # first, if there is something to build
    run: list[str] = field(default_factory=list)  # what `run` is given
    diagnose: list[str] = field(default_factory=list)  # what `diagnose` is given
    gdb: str = ""
    banner: str = ""  # what that GDB says of itself: the adapter does not ask it again
    commands: list[str] = field(default_factory=list)  # of GDB, before it attaches
    connect: list[str] = field(default_factory=list)  # of GDB, instead of `target remote`
    has_history: bool = False
    root: str = ""  # a folder that was copied to be compiled: its files are the sources

    def as_json(self) -> dict[str, object]:
        """Return the plan as an editor reads it."""
        return asdict(self)


def plan_for(path: Path, more: Sequence[str] = (), *, record: bool = True) -> Plan:
    """Return the plan for a file, or for FILE.py::TEST; `more` are options for what is started.
    UsageError if nothing can be debugged there."""
    name, _, test = path.name.partition("::")
    path = path.with_name(name)
    text = _head(path)
    if text.startswith(b"\x7fELF"):
        return _served("core file", path, ["--core", path.name], more, record=False)
    if path.suffix in KERNELS:
        if (of := test_of(path)) is not None:
            return plan_for(of, more, record=record)
        return _kernel(path, text.decode("utf-8", "replace"), more, record)
    if path.suffix == ".py":
        if is_llk_test(path, text.decode("utf-8", "replace")):
            return _llk(path, test, more, record)
        if not USES_TTNN.search(text.decode("utf-8", "replace")):
            raise UsageError(f"{path}: this script does not import ttnn, so no tile runs for it")
        return _script(path, more, record)
    from tensix_gdb.core.recording.file import is_recording  # which loads the machine

    if is_recording(str(path)):
        serve = ["replay", path.name, "--serve", "--port", "0", *_page(), *more]
        return Plan("recording", str(path.parent), serve, has_history=True, **_gdb(path.parent))
    raise UsageError(
        f"{path}: it is no kernel (.c, .cpp), no script that imports ttnn, no core file and no "
        "recording"
    )


def attached(folder: Path) -> Plan:
    """Return what attaching to a server takes, which is there already: a GDB and its commands."""
    return Plan("server", str(folder), [], **_gdb(folder))


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD)
    except OSError as problem:
        raise UsageError(f"{path} cannot be read: {problem.strerror}") from None


def _kernel(path: Path, text: str, more: Sequence[str], record: bool) -> Plan:
    run = said(text, "run") or ["--dir", BUILD]
    build = ["build", *(said(text, "build") or _usual_build(path, text))]
    for option, value in (("--arch", _values(run, "--arch")), ("-o", _values(run, "--dir"))):
        if value and not _values(build, option):
            build += [option, value[0]]
    plan = _served("kernel", path, _for_serve(run), more, record)
    return Plan(**{**asdict(plan), "build": build, "run": run, "diagnose": run})


def _llk(path: Path, test: str, more: Sequence[str], record: bool) -> Plan:
    """A test of tt-llk, or all of a file's."""
    words = llk_words(path, test)
    plan = _served("LLK test", path, words.pop("serve"), more, record)
    return Plan(**{**asdict(plan), **words})


def _usual_build(path: Path, text: str) -> list[str]:
    """Return the options of a kernel that does not say how it is built. One that uses SFPI alone,
    and says no hart, is for T1."""
    if LLK.search(text):
        return ["--get-llk", path.name]
    if not SFPI_HEADER.search(text):
        return [path.name]
    with suppress(UsageError):
        by_hart(BuildOptions(sources=(str(path),)))
        return [path.name, *SFPI_NEEDS]
    return ["--t1", path.name, *SFPI_NEEDS]


def said(text: str, command: str) -> list[str]:
    """Return the options of the first `tensix-gdb run`, or `build`, that a source says; none if it
    says none. A line that begins with an option continues the one before it."""
    lines = re.sub(r"\n-", " -", "\n".join(found[1] for found in RUN.finditer(text))).split("\n")
    begin = f"tensix-gdb {command} "
    line = next((line for line in lines if line.startswith(begin)), "")
    try:
        return shlex.split(line[len(begin) :])
    except ValueError as problem:
        raise UsageError(f"the line RUN: {line}: {str(problem).lower()}") from None


def _served(kind: str, path: Path, what: Sequence[str], more: Sequence[str], record: bool) -> Plan:
    serve = ["serve", *what, "--port", "0", *_page(), *(("--record",) if record else ()), *more]
    return Plan(kind, str(path.parent), serve, has_history=record, **_gdb(path.parent))


def _script(path: Path, more: Sequence[str], record: bool) -> Plan:
    """The first kernel waits for the debugger; of several tiles GDB attaches to the first ones."""
    from tensix_gdb.gdbstub.cli.attach.gdb_command import AT_ONCE
    from tensix_gdb.gdbstub.cli.attach.processes import attach_processes
    from tensix_gdb.gdbstub.host.simulator.grid import places_of
    from tensix_gdb.gdbstub.host.ttnn.command import free_port

    port = free_port()
    tiles = len(places_of((_values(more, "--tiles") or ["1x1"])[0]))
    attach = attach_processes(f"127.0.0.1:{port}", range(1, min(tiles, AT_ONCE) + 1))
    serve = ["ttnn", "--port", str(port), "--stop-at-entry", *_page()]
    serve += ["--record"] if record else []
    known = _gdb(path.parent)
    known["commands"] += _own_sources(next(iter(_values(more, "--python")), None))
    return Plan(
        kind="ttnn script",
        folder=str(path.parent),
        serve=[*serve, *more, "--", path.name],
        ready=WAITS.format(port),
        connect=attach if tiles > 1 else [],
        has_history=record,
        **known,
    )


def _own_sources(python: str | None) -> list[str]:
    """Return GDB's command for kernels that are compiled in a folder of links to ttnn's: an editor
    has them under their own names, and GDB finds no line of a file by its other name."""
    from tensix_gdb.gdbstub.host.ttnn.compiler import root_of, root_with_compiler
    from tensix_gdb.gdbstub.host.ttnn.environment import find_ttnn

    with suppress(UsageError):  # `tensix-gdb ttnn` says it
        folder = find_ttnn(python).folder
        links = root_with_compiler(folder)
        if links is not None:
            return [f"set substitute-path {links} {root_of(folder).resolve()}"]
    return []


def _page() -> tuple[str, ...]:
    """Ask for the tile's page where what serves it is installed."""
    return ("--web",) if find_spec("hypercorn") and find_spec("starlette") else ()


def _for_serve(run: Sequence[str]) -> list[str]:
    """Return the options of `run` that `serve` has, too."""
    kept: list[str] = []
    words = iter(run)
    for word in words:
        name, has_value, _ = word.partition("=")
        if name not in OF_RUN_ALONE:
            kept.append(word)
        elif OF_RUN_ALONE[name] and not has_value:
            next(words, None)
    return kept


def _values(words: Sequence[str], option: str) -> list[str]:
    """Return the values that an option is given."""
    pairs = [b for a, b in pairwise(words) if a == option]
    return pairs + [word.partition("=")[2] for word in words if word.startswith(f"{option}=")]


def _gdb(folder: Path) -> dict[str, Any]:
    """Return the GDB, and the commands with which it begins."""
    gdb = find_gdb(None)
    return {
        "gdb": gdb,
        "banner": banner(gdb),
        "commands": [
            "set osabi none",
            "set tcp auto-retry on",
            "set remotetimeout 300",  # `origin` compiles a tile of its own, once
            "set dprintf-style agent",
            "set breakpoint pending on",  # a ttnn script's kernels come later
            f"directory {folder}",
            f"source {HELPER}",
        ],
    }
