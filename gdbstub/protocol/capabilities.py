# SPDX-License-Identifier: Apache-2.0
"""The capabilities of a target besides threads to debug (gdbstub.protocol.target): one Protocol for
each.

A history, a console and a host for its programs, documents about it, processes, commands of its
own, a way to start over, files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from tensix_gdb.core.dataclass import dataclass


class Reverse(Protocol):
    """A history to go back in, by ResumeKind.REVERSE_CONTINUE and ResumeKind.REVERSE_STEP."""

    def record(self, on: bool) -> None:
        """Begin a history, or forget it."""

    def recording(self) -> bool:
        """True if there is one."""


class Console(Protocol):
    """The console that programs write to."""

    def take_text(self, *, stopped: bool) -> bytes:
        """Return what they have written since the last time; all of it where the target has
        stopped."""

    def is_full(self) -> bool:
        """True if it has to be taken before they continue."""


class HostCalls(Protocol):
    """The requests of programs to their host, as far as the client is to answer them."""

    def ask(self, *, client_can: bool) -> None:
        """Note whether the target now runs for a client that can answer."""

    def answered(self, result: int, errno: int) -> str:
        """Take the client's answer to the last request. Return the next request, empty when the
        target may continue."""

    def forget_call(self) -> None:
        """Give the program no answer; it asks again when it continues."""


class XferObjects(Protocol):
    """The objects of `qXfer:OBJECT:read`: documents about the target, by object and annex."""

    def document(
        self, name: str, annex: str, *, running_for: str = "", lldb: bool = False
    ) -> bytes | None:
        """Return the document of an object, or None when there is none of that name.

        `running_for` is the client for which the target runs, empty when it has stopped; `lldb`
        when it is that LLDB asks, which wants to know more of registers than GDB.
        """

    def objects(self) -> Iterable[str]:
        """Return the names that `document` knows."""


class Processes(Protocol):
    """Threads in groups, each with programs of its own, for clients that know processes."""

    def process_ids(self) -> Sequence[int]:
        """Return every process there is."""

    def loaded(self) -> Sequence[int]:
        """Return those that have a program."""

    def process_of(self, thread: int) -> int:
        """Return the process of a thread."""

    def threads_of(self, process: int) -> Sequence[int]:
        """Return the threads of a process; the first one executes its program."""

    def process_name(self, process: int) -> str:
        """Return a short name."""

    def documents(self, process: int) -> XferObjects:
        """Return the documents about one process."""

    def stop(self, process: int) -> None:
        """Let it execute nothing any more; the others stay as they are."""

    def start(self, process: int) -> None:
        """Begin its program again; TargetError when it has none."""


class Monitor(Protocol):
    """Commands of the target's own, after the word `monitor`."""

    def command(self, thread: int, line: str, *, running: bool) -> str:
        """Run one; the text to show. TargetError says what to type instead.

        While the target is `running` for another client nothing is changed.
        """

    def names(self) -> Sequence[str]:
        """Return the names of the commands."""

    def changes(self) -> tuple[int, int]:
        """Return how many commands may have changed registers so far, and how often the target has
        started over: a client that keeps registers compares them."""


class Restart(Protocol):
    """Starting over: `R`, `vRun`, `vKill` and `monitor reset`."""

    def reset(self) -> None:
        """Put the target into the state in which it was loaded."""

    def resets(self) -> int:
        """Return how often the target started over: after that, earlier facts no longer hold."""

    def outdated(self) -> str:
        """Return a sentence if files have changed since they were loaded."""


@dataclass(frozen=True, slots=True)
class File:
    """A program as it was loaded; `shown` gives what clients read of it."""

    path: str
    content: bytes
    shown: Callable[[], bytes]


class Files(Protocol):
    """The programs that the user named. Nothing else can be read, nothing at all be written."""

    def files(self) -> Sequence[File]:
        """Return every one of them, in the order in which they were named."""


class CoreFile(Protocol):
    """The state of the whole target, in one file for `tensix-gdb core`."""

    def content(self, *, running_for: str, part: str = "") -> bytes:
        """Make a core file of the target as it is, or of a part of it; nothing changes by it.
        `running_for` is the client for which the target runs, empty when it has stopped. Empty
        when there are no parts, TargetError when there is no such part."""
