# SPDX-License-Identifier: Apache-2.0
"""The protocol's needs of a target: one Protocol per capability.

A `Target` has each capability or None in its place. If a capability is None, its packets are
unknown packets, and are not advertised: both follow from the same attribute. Threads are the
numbers that clients see, from 1 on. Errors that a client may show are `TargetError`, one sentence
each.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Protocol

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.protocol.capabilities import (
    Console,
    CoreFile,
    Files,
    HostCalls,
    Monitor,
    Processes,
    Restart,
    Reverse,
    XferObjects,
)

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.agent.budget import Budget


class TargetError(Exception):
    """The target cannot do that; the message is one sentence for the person at the client."""


NOTHING_RECORDED = "nothing is recorded: type `monitor record on` first"


class Signal(enum.IntEnum):
    """Signals by GDB's own numbers (include/gdb/signals.def)."""

    NONE = 0
    INT = 2
    ILL = 4
    TRAP = 5
    ABRT = 6
    BUS = 10
    SEGV = 11
    ALRM = 14


class Watch(enum.Enum):
    """Kinds of watchpoints by the packet's number; the value is the name in a stop reply."""

    WRITE = "watch"
    READ = "rwatch"
    ACCESS = "awatch"


@dataclass(frozen=True, slots=True)
class Stopped:
    """The reason why the target stopped. `breakpoint` is its address; `text` goes to the client's
    console; `replaylog` is "begin" where the history begins; `exited` is the status with which the
    program has ended; `idle` says that nothing can move any more. With a `request` it is no stop:
    the client is to do that, and to tell (File-I/O); with `libraries` neither: the client is to
    read the list of libraries again, and to continue."""

    thread: int
    signal: Signal = Signal.TRAP
    breakpoint: int | None = None
    watch: tuple[Watch, int] | None = None
    text: str = ""
    replaylog: str = ""
    exited: int | None = None
    request: str = ""
    idle: bool = False
    libraries: bool = False


class ResumeKind(enum.Enum):
    """The action of a thread when the target is resumed."""

    CONTINUE = "continue"
    STEP = "step"
    RANGE = "range"  # step until the pc leaves [start, end)
    STOP = "stop"
    # The whole target goes back: to the last breakpoint or watchpoint before,
    REVERSE_CONTINUE = "reverse continue"
    # or to before the thread's last instruction.
    REVERSE_STEP = "reverse step"


@dataclass(frozen=True, slots=True)
class Action:
    """The action of one thread, and for RANGE in which addresses."""

    kind: ResumeKind
    start: int = 0
    end: int = 0

    @property
    def steps(self) -> bool:
        """True if the thread executes one step."""
        return self.kind is ResumeKind.STEP or self.kind is ResumeKind.RANGE


class Threads(Protocol):
    """The threads of the target."""

    def thread_ids(self) -> Sequence[int]:
        """Return every thread there is."""

    def thread_name(self, thread: int) -> str:
        """Return a short name."""

    def thread_state(self, thread: int) -> str:
        """Return the text of `info threads` after the name."""

    def first_thread(self) -> int:
        """Return the thread that a client is shown where nothing has stopped yet."""


class Registers(Protocol):
    """Registers by the numbers of the target description, in target byte order."""

    def read_general(self, thread: int) -> bytes:
        """Return the registers of the `g` packet."""

    def absent(self, thread: int) -> int:
        """Return how many bytes at the beginning of `read_general` belong to registers that the
        thread does not have."""

    def write_general(self, thread: int, data: bytes) -> None:
        """TargetError when `data` has another length than `read_general` gives."""

    def read_register(self, thread: int, number: int) -> bytes | None:
        """None where the thread has no such register; TargetError for a number that no thread
        has."""

    def write_register(self, thread: int, number: int, data: bytes) -> None:
        """TargetError when it cannot be written."""

    def read_pc(self, thread: int) -> int:
        """Return the address of the thread's next instruction."""

    def write_pc(self, thread: int, addr: int) -> None:
        """TargetError when there cannot be an instruction."""

    def expedited(self, thread: int) -> Mapping[int, bytes]:
        """Registers worth sending with a stop reply."""


@dataclass(frozen=True, slots=True)
class Region:
    """Addresses from `start` up to `end` that are alike. `access` is of the letters r, w and x,
    and empty where there is nothing."""

    start: int
    end: int
    access: str
    name: str


class Memory(Protocol):
    """Memory as a thread sees it. Reading has no side effects."""

    def read_memory(self, thread: int, addr: int, length: int) -> bytes:
        """Read as far as it can be read; TargetError when not even the first byte can."""

    def write_memory(self, thread: int, addr: int, data: bytes) -> None:
        """Write all or nothing; TargetError when it cannot be written."""

    def region(self, thread: int, addr: int) -> Region:
        """Return the region at an address of 32 bits."""


def size_of(expressions: Sequence[bytes]) -> int:
    """Return bytes that they take, about: a short one takes more than its own."""
    return sum(map(len, expressions)) + 50 * len(expressions)


@dataclass(frozen=True, slots=True, eq=False)
class Attached:
    """The client's attachments of a breakpoint, as agent expressions (gdbstub.protocol.agent).

    It stops only when one of the conditions is true, if there are any. With commands it does not
    stop at all: they are run, with what they print going to `say`. A tracepoint does not stop
    either: `collect` is called with the thread that is there, and what may still be done at this
    stop; it runs the programs `collected`. `variables` are the client's trace state variables,
    which the expressions may change.
    """

    conditions: tuple[bytes, ...] = ()
    commands: tuple[bytes, ...] = ()
    say: Callable[[str], None] = lambda text: None
    collect: Callable[[int, Budget], None] | None = None
    variables: dict[int, int] = field(default_factory=dict, compare=False)
    collected: tuple[bytes, ...] = ()

    @property
    def size(self) -> int:
        """Bytes that all expressions take, about."""
        return size_of((*self.conditions, *self.commands))


NOTHING = Attached()


class Breakpoints(Protocol):
    """Breakpoints and watchpoints; adding the same twice means removing it twice. A breakpoint of
    thread 0 means all, one of another thread stops that one alone."""

    def add_breakpoint(self, addr: int, attached: Attached = NOTHING, thread: int = 0) -> str:
        """Return a sentence for people when it can never be hit, otherwise nothing."""

    def remove_breakpoints(self, several: Sequence[tuple[int, Attached, int]]) -> None:
        """Remove these: address, what is attached, thread."""

    def add_watchpoint(
        self, thread: int, kind: Watch, addr: int, length: int, attached: Attached = NOTHING
    ) -> None: ...

    def remove_watchpoint(
        self, thread: int, kind: Watch, addr: int, length: int, attached: Attached = NOTHING
    ) -> None: ...


class Execution(Protocol):
    """Running. `resume` arms, `advance` runs a while and comes back. With `stop_at_end` the end of
    one program stops all threads."""

    stop_at_end: bool
    awaits_host: bool  # nothing moves until a host lets it

    def resume(self, actions: Mapping[int, Action]) -> None:
        """Prepare to run: what each thread does; threads that are not named are held."""

    def advance(
        self, seconds: float, should_stop: Callable[[], object] | None = None
    ) -> Stopped | None:
        """Run for about this long; why the target stopped, or None when it has not. It comes back
        early when `should_stop`, which is asked now and then, is true."""

    def advance_to(
        self, clock: int, should_stop: Callable[[], object] | None = None
    ) -> Stopped | None:
        """Run until `clock` has this value: the same, repeatably."""

    def clock(self) -> int:
        """Return how far the target has run; never goes back while it runs."""

    def running(self) -> Sequence[int]:
        """List the threads that execute instructions in this run. A held thread is not among
        them, nor a resumed one that has nothing to execute."""

    def interrupt(self, thread: int) -> Stopped:
        """Stop now, and report `thread`; 0 for any."""


@dataclass(frozen=True, slots=True)
class Target:
    """The capabilities of one target."""

    threads: Threads
    registers: Registers
    memory: Memory
    execution: Execution
    breakpoints: Breakpoints | None = None
    xfer: XferObjects | None = None
    monitor: Monitor | None = None
    restart: Restart | None = None
    files: Files | None = None
    reverse: Reverse | None = None
    console: Console | None = None
    calls: HostCalls | None = None
    processes: Processes | None = None
    core_file: CoreFile | None = None
    # What takes tens of milliseconds and is better done before a client asks for it, in pieces.
    learn: Sequence[Callable[[], object]] = ()
