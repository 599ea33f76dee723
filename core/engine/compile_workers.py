# SPDX-License-Identifier: Apache-2.0
"""Modules to machine code, as many at a time as there are processors.

A worker is a process (`python -m tensix_gdb.core.engine.compile_workers`) because llvmlite does one
thing at a time. It reads a module from its standard input, writes the object to its standard
output, and so on; it ends when its input does, also in the middle of LLVM, so none survives the
process that started it.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import IO

from tensix_gdb.core.engine import child, jit
from tensix_gdb.core.engine.ir import Module

MAX_WORKERS = 8  # more would wait for the longest module
Made = Callable[[int, bytes], object]
_LENGTH = 8  # bytes before a job or an object; the first byte of a job is the level


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0))


class Workers:
    """The processes, started when there is something for more than one of them."""

    def __init__(self, count: int | None = None) -> None:
        self._wanted = min(processors(), MAX_WORKERS) if count is None else count
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        """End all of them; `start` makes new ones."""
        for process in self._processes:
            process.kill()
            process.wait()
            for file in (process.stdin, process.stdout):
                assert file is not None
                with contextlib.suppress(OSError):  # what it did not take is still to be written
                    file.close()
        self._processes = []

    def start(self) -> None:
        """Start the processes, so that they come up while there is other work."""
        if self._wanted < 2 or self._processes:
            return
        with contextlib.suppress(OSError):
            while len(self._processes) < self._wanted:
                self._processes.append(child.start("tensix_gdb.core.engine.compile_workers"))

    def compile(
        self, modules: Sequence[Module], level: int, made: Made = lambda number, content: None
    ) -> list[bytes]:
        """Return the objects of `modules`, in their order; `made` gets each when it is there, with
        its number."""
        if len(modules) > 1:
            self.start()
        objects: dict[int, bytes] = {}
        if len(modules) > 1 and self._processes:
            # The longest first, so that at the end none is at work alone for long.
            order = sorted(range(len(modules)), key=lambda i: modules[i].effort)
            try:
                for i, content in self._distribute(modules, level, order):
                    objects[i] = content
                    made(i, content)
            except (OSError, EOFError):
                # The others are still at work, and their answers would be taken for later ones.
                self._end()
        # In this process: a module alone, and what a worker that has ended did not do.
        for i, each in enumerate(modules):
            if i not in objects:
                objects[i] = jit.compile_object(each, level)
                made(i, objects[i])
        return [objects[i] for i in range(len(modules))]

    def _distribute(
        self, modules: Sequence[Module], level: int, left: list[int]
    ) -> Iterator[tuple[int, bytes]]:
        with selectors.DefaultSelector() as waiting:
            for process in self._processes:
                assert process.stdin is not None
                assert process.stdout is not None
                if left:
                    i = left.pop()
                    _write_file(process.stdin, _job(modules[i], level))
                    waiting.register(process.stdout, selectors.EVENT_READ, (i, process))
            while waiting.get_map():
                for key, _ in waiting.select():
                    i, process = key.data
                    yield i, _get(process.stdout)
                    waiting.unregister(process.stdout)
                    if left:
                        i = left.pop()
                        _write_file(process.stdin, _job(modules[i], level))
                        waiting.register(process.stdout, selectors.EVENT_READ, (i, process))


def _job(module: Module, level: int) -> bytes:
    return bytes([jit.level_of(module, level)]) + module.text.encode()


def _write_file(file: IO[bytes], content: bytes) -> None:
    file.write(len(content).to_bytes(_LENGTH, "little") + content)
    file.flush()


def _get(file: IO[bytes]) -> bytes:
    length = int.from_bytes(_exactly(file, _LENGTH), "little")
    return _exactly(file, length)


def _exactly(file: IO[bytes], count: int) -> bytes:
    content = file.read(count)
    if len(content) < count:
        raise EOFError("a worker has ended")
    return content


class JobReader:
    """Reads what a worker is to do; a thread beside LLVM, so that it notices the end at once."""

    def __init__(self) -> None:
        self._arrived = threading.Semaphore(0)
        self._content = b""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                self._content = _get(sys.stdin.buffer)
                self._arrived.release()
        os._exit(0)

    def next(self) -> tuple[Module, int]:
        """Wait for a module and its level. There is never a second before the first is done."""
        self._arrived.acquire()
        level = self._content[0]
        return Module(self._content[1:].decode(), is_cold=level == jit.COLD), level


def main() -> int:
    """Compile what comes, at the priority of the process that started this one."""
    jobs = JobReader()
    jit.llvm()
    while True:
        module, level = jobs.next()
        _write_file(sys.stdout.buffer, jit.compile_object(module, level))


if __name__ == "__main__":
    sys.exit(main())
