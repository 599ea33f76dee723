# SPDX-License-Identifier: Apache-2.0
"""Turn a failure of a command into one sentence that says what to try."""

from __future__ import annotations

import errno

from tensix_gdb.gdbstub.spare_memory import is_short
from tensix_gdb.gdbstub.usage import OUT_OF_MEMORY, UsageError, leaves

# Failures of writing to a file or terminal. Other refusals of the system (a file to read, a port)
# become sentences where the system is asked.
CANNOT_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
TOO_MANY_FILES = (errno.EMFILE, errno.ENFILE)
# Messages of the loader of libraries.
NO_MEMORY = ("failed to map segment", "cannot allocate memory", "Cannot allocate memory")
NO_FILES = ("Too many open files", "Error 24")
# Packages of an extra, and what needs them.
EXTRAS = {
    **dict.fromkeys(("mcp", "mcp_types"), ("mcp", "tensix-gdb mcp")),
}
PACKAGES = {"elftools": "pyelftools"}  # where it is not the name of the module


def cause(problem: BaseException) -> BaseException:
    """Return the exception that made a group of tasks fail: the first that has a sentence."""
    if isinstance(problem, BaseExceptionGroup):
        for error in leaves(problem):
            if isinstance(error, KeyboardInterrupt | BrokenPipeError) or sentence(error):
                return error
    return problem


def sentence(problem: BaseException) -> str:
    """Return the sentence about a failure; "" for a defect of this program."""
    match problem:
        case UsageError():
            return str(problem)
        case MemoryError() | OSError(errno=errno.ENOMEM):
            return OUT_OF_MEMORY
        case OSError(errno=number) if number in TOO_MANY_FILES:
            return _too_many_files()
        case OSError(errno=number) if number in CANNOT_WRITE:
            written = problem.filename or "standard output"
            return f"{written} cannot be written: {problem.strerror}"
        case RuntimeError() if "can't start new thread" in str(problem):
            return "the system gives no thread; allow more processes (`ulimit -u`)"
        case ImportError():
            return _not_imported(problem)
    # If memory is short, Python loses exceptions and raises others in their place.
    return OUT_OF_MEMORY if is_short() else _of_machine(problem)


def _not_imported(problem: ImportError) -> str:
    if any(words in str(problem) for words in NO_MEMORY):
        return OUT_OF_MEMORY
    if any(words in str(problem) for words in NO_FILES):
        return _too_many_files()
    package = (problem.name or "").partition(".")[0]
    if not isinstance(problem, ModuleNotFoundError) or package in ("tensix_gdb", ""):
        return ""
    if package in EXTRAS:
        extra, needing = EXTRAS[package]
        how = f"type `pip install '.[{extra}]'` in the folder of tensix-gdb"
        return f"{needing} needs {package}: {how}"
    return f"{package} is not installed; type `pip install {PACKAGES.get(package, package)}`"


def _too_many_files() -> str:
    return "the system gives no more open files; allow more (`ulimit -n`)"


def _of_machine(problem: BaseException) -> str:
    """Ask the machine's modules. They are loaded already if the machine has failed."""
    from tensix_gdb.gdbstub.cli.build import unusable_engine

    return unusable_engine(problem)
