# SPDX-License-Identifier: Apache-2.0
"""The engine that moves up: nobody waits for the compiler, and nothing depends on it."""

from __future__ import annotations

import contextlib
import fcntl
import importlib.util
import math
import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tensix_gdb.core.engine import EngineDefect, Entry, background, jit, open_engine
from tensix_gdb.core.engine.background import BackgroundEngine
from tensix_gdb.core.engine.cache import VARIABLE, open_cache
from tensix_gdb.core.engine.compiler import PIPE_BYTES
from tensix_gdb.core.engine.plan import plan_for
from tensix_gdb.core.record.record import Record
from tests.core.engine import broken, small
from tests.core.engine.conftest import WriteModule
from tests.patience import HANG, TURNS, turns
from tests.work import calls_in

ROOT = Path(__file__).parents[3]
ENTRIES = (Entry("add", small.add), Entry("index", broken.index), Entry("rows", small.rows))


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for this test, so that every start is cold."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "objects"))
    return tmp_path / "objects"


@pytest.fixture
def record() -> Record:
    return Record(small.LAYOUT)


def auto(record: Record, entries: tuple[Entry, ...] = ENTRIES) -> BackgroundEngine:
    engine = open_engine("auto", entries, record)
    assert isinstance(engine, BackgroundEngine)
    return engine


def child_of(engine: BackgroundEngine) -> int:
    assert engine._compiler is not None
    return engine._compiler._process.pid


def wait(engine: BackgroundEngine) -> list[str]:
    """Poll until the child is done; what the engine was after every move."""
    moves = []
    for _ in turns(count=10 * TURNS):
        if engine._compiler is None and engine._starts_at == math.inf:
            break
        if engine.poll():
            moves.append(engine.kind)
    return moves


def test_cold_start_moves_up(record: Record) -> None:
    """Reference, then the quick object, then the optimised one; the record continues."""
    engine = auto(record)
    assert engine.kind == "reference"
    assert not engine.poll()
    assert engine.call("add", 2, 3) == 5
    expected = engine.call("rows", 6, 9)
    moves = wait(engine)
    assert moves
    assert set(moves) == {"compiled"}
    assert engine.kind == "compiled"
    record.restore(bytearray(small.LAYOUT.state_size))
    assert engine.call("rows", 6, 9) == expected
    with pytest.raises(EngineDefect, match="index 99 is outside"):
        engine.call("index", 99)
    assert not engine.poll()
    engine.close()


def test_warm_start_is_compiled_at_once(record: Record) -> None:
    open_engine("compiled", ENTRIES, record).close()
    engine = auto(record)
    assert engine.kind == "compiled"
    assert engine._compiler is None
    assert engine.call("add", 2, 3) == 5
    engine.close()


def test_poll_is_cheap(record: Record) -> None:
    """Also while the child is at work: one read of an empty pipe."""
    engine = auto(record)
    assert engine._compiler is not None
    assert calls_in(engine.poll) < 20
    engine.close()


# What can go wrong: one line, and the engine stays


def stays(engine: BackgroundEngine, caplog: pytest.LogCaptureFixture, said: str) -> None:
    assert wait(engine) == []
    assert engine.kind == "reference"
    assert engine.call("add", 2, 3) == 5
    (line,) = caplog.messages
    assert said in line
    assert line.endswith("continuing with the reference engine, which is slower")
    engine.close()


def test_no_llvmlite(
    record: Record, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    stays(auto(record), caplog, "llvmlite cannot be used (it is not installed); install it with")


def test_llvmlite_that_does_not_load(
    record: Record, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken_wheel() -> None:
        raise jit.LlvmMissingError("libllvmlite.so: wrong ELF class")

    jit.target.cache_clear()
    monkeypatch.setattr(jit, "llvm", broken_wheel)
    stays(auto(record), caplog, "llvmlite cannot be used (libllvmlite.so: wrong ELF class)")


def test_a_child_that_cannot_be_started(
    record: Record, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    stays(auto(record), caplog, "the compiler cannot be started ([Errno 2]")


def test_a_child_that_fails(
    record: Record, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    stays(auto(record), caplog, "the compiler ended early (exit status 1)")


def process_of(engine: BackgroundEngine) -> subprocess.Popen[bytes]:
    assert engine._compiler is not None
    return engine._compiler._process


def kill_at_once(engine: BackgroundEngine, how: signal.Signals) -> None:
    """Before it can have compiled anything."""
    os.kill(child_of(engine), signal.SIGSTOP)
    os.kill(child_of(engine), how)
    os.kill(child_of(engine), signal.SIGCONT)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_a_child_that_is_killed_is_started_again(
    record: Record, caplog: pytest.LogCaptureFixture, how: signal.Signals
) -> None:
    engine = auto(record)
    kill_at_once(engine, how)
    assert set(wait(engine)) == {"compiled"}
    assert caplog.messages == [f"the compiler was killed ({how.name}); it is started again"]
    engine.close()


def test_a_child_that_is_always_killed(
    record: Record, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time a longer pause, and an end."""
    pauses = background.PAUSES
    assert list(pauses) == sorted(set(pauses))
    monkeypatch.setattr(background, "PAUSES", (0.0, 0.01, 0.02))
    engine = auto(record)
    for _ in range(4):
        kill_at_once(engine, signal.SIGKILL)
        killed = child_of(engine)
        while engine._starts_at < math.inf or (engine._compiler and child_of(engine) == killed):
            assert not engine.poll()
    assert engine._compiler is None
    *again, last = caplog.messages
    assert again == [
        "the compiler was killed (SIGKILL); it is started again",
        "the compiler was killed (SIGKILL); it is started again in 0.01 s",
        "the compiler was killed (SIGKILL); it is started again in 0.02 s",
    ]
    assert last == (
        "the compiler was killed (SIGKILL) 4 times; continuing with the reference engine, which is"
        " slower"
    )
    engine.close()


def test_a_child_that_crashes_is_not_started_again(
    record: Record, caplog: pytest.LogCaptureFixture
) -> None:
    """It would crash again."""
    engine = auto(record)
    kill_at_once(engine, signal.SIGSEGV)
    stays(engine, caplog, "the compiler ended early (exit status -11)")


def test_a_child_that_is_killed_between_quick_and_full(
    record: Record, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The quickly compiled code stays in use, and is not loaded twice."""
    monkeypatch.setattr(background, "PAUSES", ())
    plan = plan_for(ENTRIES, record.layout)
    quick = plan.build(open_cache(), jit.QUICK)
    engine = auto(record)
    assert engine._move_up(quick)
    kill_at_once(engine, signal.SIGKILL)
    assert wait(engine) == []
    assert engine.kind == "compiled"
    (line,) = caplog.messages
    assert line.endswith("; continuing with code that was compiled quickly, which is slower")
    engine.close()


def test_the_pipe_holds_what_was_compiled(record: Record) -> None:
    """It is read between two runs of the tile, of which a user that steps makes few."""
    engine = auto(record)
    try:
        assert engine._compiler is not None
        size = fcntl.fcntl(engine._compiler._output, fcntl.F_GETPIPE_SZ)
        if int(Path("/proc/sys/fs/pipe-max-size").read_text()) >= PIPE_BYTES:
            assert size >= PIPE_BYTES
    finally:
        engine.close()


def test_what_the_cache_does_not_take_is_used_all_the_same(
    record: Record, caplog: pytest.LogCaptureFixture, directory: Path
) -> None:
    """A full disk, or a directory where its file has to be: one sentence, and compiled code."""
    plan = plan_for(ENTRIES, record.layout)
    for level in (jit.QUICK, jit.FULL):
        (directory / f"{plan.key(level)}.index").mkdir(parents=True)
    engine = auto(record)
    assert set(wait(engine)) == {"compiled"}
    assert engine.call("add", 2, 3) == 5
    assert caplog.messages == [
        f"{directory} cannot be written: Is a directory; compiled code is kept for this run only."
        f" Make room there, or set {VARIABLE} to another directory"
    ]
    engine.close()


def test_a_cache_that_is_emptied_meanwhile(
    record: Record, caplog: pytest.LogCaptureFixture, directory: Path
) -> None:
    """The code that the child has announced stays there when the cache is tidied up."""
    engine = auto(record)
    assert engine._compiler is not None
    while not (content := engine._compiler.ready()):
        time.sleep(0.01)
    for file in directory.iterdir():
        file.unlink(missing_ok=True)  # the child renames files that it has written
    engine._compiler.ready = lambda: content  # type: ignore[method-assign]
    assert engine.poll()
    assert engine.kind == "compiled"
    assert not caplog.messages
    engine.close()


def test_what_else_a_child_prints(
    record: Record, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Some installations greet their users whenever Python starts."""
    (tmp_path / "greeting").mkdir()
    (tmp_path / "greeting" / "sitecustomize.py").write_text("print('Hello 7\\nready\\nready x')\n")
    monkeypatch.syspath_prepend(str(tmp_path / "greeting"))
    engine = auto(record)
    assert wait(engine)
    assert engine.kind == "compiled"
    engine.close()


def test_functions_outside_the_subset(
    record: Record, caplog: pytest.LogCaptureFixture, write_module: WriteModule
) -> None:
    """The reference engine runs them; the line says why nothing faster will."""
    text = "def add(a, b):\n    x = [a, b]\n    y = [x]\n    return sum(y[0])\n"
    module = write_module("outside", text)
    engine = auto(record, (Entry("add", module.add),))
    stays(engine, caplog, "outside.py:2:9: lists are not part of the subset")


def test_sources_that_change_under_way(
    record: Record, caplog: pytest.LogCaptureFixture, write_module: WriteModule, tmp_path: Path
) -> None:
    """The compiled source is the one that runs, or nothing runs."""
    write_module("under.__init__", "")
    write_module("under.callee", "def one(a):\n    return a\n")
    text = "from under.callee import one\ndef add(a, b):\n    return one(a) + b\n"
    module = write_module("under.way", text)
    (tmp_path / "under" / "callee.py").write_text("def one(a):\n    return a + 100\n")
    engine = auto(record, (Entry("add", module.add),))
    stays(engine, caplog, "the sources were changed after the program was started")
    (tmp_path / "under" / "way.py").write_text(text.replace("+ b", "- b"))
    caplog.clear()
    engine = auto(record, (Entry("add", module.add),))
    stays(engine, caplog, "the sources were changed after the program was started")


def test_an_object_that_does_not_load(record: Record, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit, "compile_object", lambda ir, level: b"not an object file")
        with pytest.raises(RuntimeError):
            open_engine("compiled", ENTRIES, record)
    engine = auto(record)
    assert engine.kind == "reference"
    assert "cannot be loaded" in caplog.messages[0]
    engine.close()


def test_no_memory_for_code(
    record: Record, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LLVM would end this process: nothing is loaded."""
    open_engine("compiled", ENTRIES, record).close()

    def none_left(size: int) -> None:
        raise MemoryError

    monkeypatch.setattr(jit, "look_for_room", none_left)
    monkeypatch.setattr(jit, "_loaded", {})
    engine = auto(record)
    assert engine._compiler is None
    stays(engine, caplog, "cannot be loaded (there is not enough memory); continuing with")
    with pytest.raises(MemoryError):
        open_engine("compiled", ENTRIES, record)


def test_room_is_looked_for() -> None:
    jit.look_for_room(jit.LOADING_BYTES)
    with pytest.raises(MemoryError):
        jit.look_for_room(1 << 60)


# The child itself


def test_the_child_inherits_no_sockets(record: Record) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.set_inheritable(True)
        engine = auto(record)
        links = []
        for entry in Path(f"/proc/{child_of(engine)}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # it works meanwhile
                links.append(os.readlink(entry))
        engine.close()
    assert links
    assert not [link for link in links if link.startswith("socket:")]


SCRIPT = """
import os, signal, sys
sys.path[:0] = {path!r}
from core.engine import open_engine, Entry
from core.record.record import Record
from tests.core.engine import small
engine = open_engine("auto", [Entry("rows", small.rows)], Record(small.LAYOUT))
"""


def start(code: str, tmp_path: Path, flags: Sequence[str] = ()) -> str:
    """Run a script in a working directory that has nothing to do with the sources."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(path=[str(ROOT)]) + textwrap.dedent(code))
    done = subprocess.run(
        [sys.executable, *flags, str(script)],
        cwd="/",
        capture_output=True,
        text=True,
        timeout=HANG,
    )
    assert done.stderr == ""
    return done.stdout


def test_any_working_directory(tmp_path: Path) -> None:
    told = start(
        """
        import time
        while engine.kind == "reference":
            engine.poll()
            time.sleep(0.01)
        print(engine.kind, engine.call("rows", 1, 2))
        engine.close()
        """,
        tmp_path,
    )
    assert told.split()[0] == "compiled"


@pytest.mark.parametrize("flags", [["-O"], ["-OO"]])
def test_a_python_that_leaves_out_what_is_not_needed(tmp_path: Path, flags: list[str]) -> None:
    """-OO leaves out docstrings, which are part of a function's code: the child does it too."""
    told = start(
        """
        import time
        while engine.kind == "reference" and engine._compiler:
            engine.poll()
            time.sleep(0.01)
        print(engine.kind, engine.call("rows", 1, 2))
        engine.close()
        """,
        tmp_path,
        flags,
    )
    assert told.split()[0] == "compiled"


def test_two_at_once(record: Record, directory: Path) -> None:
    """Both get their code, and one of them made it."""
    first, second = auto(record), auto(Record(small.LAYOUT))
    assert wait(first)
    assert wait(second)
    assert first.call("rows", 3, 4) == second.call("rows", 3, 4)
    assert len(list(directory.glob("*.index"))) == 2  # quick and full
    first.close()
    second.close()


def test_importing_the_package_is_cheap() -> None:
    code = "import tensix_gdb.core.engine, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not {
        "llvmlite",
        "numpy",
        "tensix_gdb.core.engine.lower",
        "tensix_gdb.core.engine.jit",
    } & set(done.stdout.split())
