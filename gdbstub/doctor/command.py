# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb doctor`: say what is missing here, and compile beforehand."""

from __future__ import annotations

import dataclasses
import json
import sys
from time import monotonic

from tensix_gdb.core.engine import jit
from tensix_gdb.core.engine.cache import Cache, CacheError, wanted_directory
from tensix_gdb.gdbstub.cli.terminal.width import say
from tensix_gdb.gdbstub.doctor.builds import Build, builds
from tensix_gdb.gdbstub.doctor.findings import Finding, findings
from tensix_gdb.gdbstub.doctor.options import DoctorOptions
from tensix_gdb.gdbstub.usage import UsageError

WHOLE, MISSING = 0, 1


def doctor(options: DoctorOptions) -> int:
    """Print what was found; 0 if nothing is missing that most commands need."""
    if options.compile is not None:
        return _compile(options.compile)
    found = []
    for each in findings():
        found.append(each)
        if not options.json:
            said, *mend = line(each).split("\n")
            say([said], flush=True)
            print(*mend, sep="\n", end="\n" * bool(mend), flush=True)  # whole, to be copied
    missing = [each for each in found if each.state == "missing"]
    if options.json:
        print(json.dumps([{**dataclasses.asdict(f), "state": f.state} for f in found], indent=1))
    else:
        names = ", ".join(each.name for each in missing)
        say([f"missing: {names}" if missing else "nothing is missing that most commands need"])
    return MISSING if missing else WHOLE


def line(found: Finding) -> str:
    """Return one finding as text, with what mends it in a line of its own."""
    text = f"{found.state:8}  {found.name}: {found.found}"
    return f"{text}\n{'':10}mend: {found.mend}" if found.mend else text


def _compile(named: str) -> int:
    chosen = [each for each in builds() if named in each.name]
    if not chosen:
        names = ", ".join(each.name for each in builds())
        raise UsageError(f"--compile {named}: no build has such a name; they are {names}")
    try:
        cache = Cache(wanted_directory())
    except CacheError as problem:
        raise UsageError(f"--compile: {problem}, and nothing could be kept") from None
    for build in chosen:
        _compile_one(build, cache)
    if cache.unkept:
        raise UsageError(f"{cache.directory} cannot be written: {cache.unkept}")
    return WHOLE


def _compile_one(build: Build, cache: Cache) -> None:
    """Compile it, unless that is done; a process that compiles the same is waited for."""
    if build.plan.find(cache, jit.FULL) is not None:
        print(f"{build.name}: was compiled before", flush=True)
        return
    began = monotonic()

    def progress(done: int, of: int) -> None:
        seconds = monotonic() - began
        text = f"{build.name}: {done} of {of} units in {seconds:.0f} s"
        if sys.stdout.isatty():
            print(f"\r{text} ", end="", flush=True)
        else:
            print(text, flush=True)

    print(f"{build.name}: compiling", end="" if sys.stdout.isatty() else "\n", flush=True)
    with cache.lock(build.plan.key(jit.FULL)):
        build.plan.make(cache, jit.FULL, made=progress)
    end = "\r" if sys.stdout.isatty() else ""
    print(f"{end}{build.name}: compiled in {monotonic() - began:.0f} s", flush=True)
