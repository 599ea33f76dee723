# SPDX-License-Identifier: Apache-2.0
"""The findings of `doctor`: what is there, what is missing, and what mends it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from importlib import metadata

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.engine import jit, shipped
from tensix_gdb.core.engine.cache import VARIABLE, Cache, CacheError, wanted_directory
from tensix_gdb.gdbstub.cli.attach.find_gdb import find_gdb
from tensix_gdb.gdbstub.cli.install.version import NAME
from tensix_gdb.gdbstub.doctor.builds import Build, builds
from tensix_gdb.gdbstub.host.ttnn.compiler import check_compiler
from tensix_gdb.gdbstub.host.ttnn.environment import find_ttnn
from tensix_gdb.gdbstub.kernels.compilers import find_compiler
from tensix_gdb.gdbstub.kernels.llk import find_llk
from tensix_gdb.gdbstub.usage import UsageError

WANTED_BYTES = 100 << 20  # free, for the cache
EXTRA = re.compile(r"""extra\s*==\s*["']([\w-]+)["']""")
PACKAGE = re.compile(r"[\w.-]+")
# Extras of the package, and what they are for.
EXTRAS = {
    "dask": "for searches on a cluster, --on",
    "exalens": "for core --from-exalens",
    "mcp": "for mcp",
    "mi": "for tests through a GDB",
    "picture": "for pictures as PNG",
    "sfpi": "for sfpi --install",
    "web": "for --web",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing: `found` says what is there, or what is not; `mend` is a command, empty if there is
    nothing to do. What is not `is_needed` is for some commands only."""

    name: str
    found: str
    is_there: bool = True
    mend: str = ""
    is_needed: bool = True

    @property
    def state(self) -> str:
        """One word about it."""
        return "ok" if self.is_there else "missing" if self.is_needed else "optional"


def findings() -> Iterator[Finding]:
    """Look at one after the other."""
    llvm = _llvm()
    yield llvm
    cache = _cache()
    yield cache
    if llvm.is_there and cache.is_there:
        yield from _builds()
    yield _or("GDB", lambda: find_gdb(None), "apt-get install gdb-multiarch")
    yield from _compilers()
    llk = "tensix-gdb build --get-llk KERNEL"
    yield _or("LLK", lambda: str(find_llk(None).root), llk, is_needed=False)
    yield _or("ttnn", _ttnn, "scripts/ttnn SCRIPT.py, in a checkout", is_needed=False)
    yield from _extras()


def _or(name: str, look: Callable[[], str], mend: str, *, is_needed: bool = True) -> Finding:
    try:
        return Finding(name, look(), is_needed=is_needed)
    except UsageError as problem:
        return Finding(name, str(problem), is_there=False, mend=mend, is_needed=is_needed)


def _llvm() -> Finding:
    try:
        found = jit.versions()
    except jit.LlvmMissingError as problem:
        return Finding("llvmlite", str(problem), is_there=False, mend="pip install llvmlite")
    text = f"{found.llvmlite}, LLVM {found.llvm}, compiles for {found.processor}"
    return Finding("llvmlite", text)


def _cache() -> Finding:
    directory = wanted_directory()
    try:
        store = Cache(directory)
        files = [each.stat().st_size for each in store.directory.iterdir()]
        free = shutil.disk_usage(directory).free
    except (CacheError, OSError) as problem:
        mend = f"export {VARIABLE}=DIR, of a directory of your own"
        return Finding("cache", str(problem), is_there=False, mend=mend)
    text = f"{directory}: {len(files)} files, {sum(files) / 1e6:.0f} MB, {free / 1e9:.1f} GB free"
    mend = "" if free >= WANTED_BYTES else f"make room, or export {VARIABLE}=DIR"
    return Finding("cache", text, is_there=not mend, mend=mend)


def _builds() -> Iterator[Finding]:
    """Yield the builds. Where nothing is compiled a command waits once, so none of them is
    needed."""
    for build in builds():
        text = how_is_compiled(build)
        mend = "" if text else f"tensix-gdb doctor --compile '{build.name}'"
        text = text or "not compiled yet: the first command that wants it waits, or is slow"
        yield Finding(f"code: {build.name}", text, not mend, mend, is_needed=False)


def how_is_compiled(build: Build) -> str:
    """Say what commands find of a build, "" if nothing."""
    cache = Cache(wanted_directory())
    if build.plan.find(cache, jit.FULL) is not None:
        return "compiled for this processor"
    if shipped.find(build.plan) is not None:
        return "came with the package, for a common processor"
    if build.plan.find(cache, jit.QUICK) is not None:
        return "compiled quickly so far"
    return ""


def _compilers() -> Iterator[Finding]:
    debian = "apt-get install gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf"
    try:
        found = find_compiler()
    except UsageError as problem:
        yield Finding("kernel compiler", str(problem), is_there=False, mend=debian)
        return
    yield Finding("kernel compiler", found.name)
    if found.sfpi is None:
        text = "none: kernels with LLK and ttnn's cannot be compiled"
        mend = "tensix-gdb sfpi --install"
        yield Finding("SFPI", text, is_there=False, mend=mend, is_needed=False)
    else:
        yield Finding("SFPI", str(found.sfpi), is_needed=False)


def _ttnn() -> str:
    found = find_ttnn(None)
    check_compiler(found.folder)
    return f"{found.folder} of {found.python}"


def _extras() -> Iterator[Finding]:
    try:
        required = metadata.requires(NAME) or []
    except metadata.PackageNotFoundError:
        required = []
    for extra, purpose in EXTRAS.items():
        names = [
            package[0]
            for line in required
            if extra in EXTRA.findall(line) and (package := PACKAGE.match(line))
        ]
        missing = [name for name in names if not _is_installed(name)]
        text = f"{purpose}: {', '.join(missing or names)}{' missing' if missing else ''}"
        mend = f"pip install '{NAME}[{extra}]'" if missing else ""
        yield Finding(f"extra {extra}", text, not missing, mend, is_needed=False)


def _is_installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True
