# SPDX-License-Identifier: Apache-2.0
"""`--on tcp://...`: a scheduler and workers that others have started, as on a cluster."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tensix_gdb import core, gdbstub
from tensix_gdb.gdbstub.cli.main import main
from tests.gdbstub.order.seeds.test_search import SEEN
from tests.gdbstub.order.seeds.test_seeds import here
from tests.patience import HANG, turns

__all__ = ["here"]
pytest.importorskip("distributed")
LITMUS = Path(__file__).resolve().parents[3] / "ordering" / "001-own-stores.litmus"
TEST = """
import pytest


@pytest.mark.tile(dir=".", schedule=("latency", "random"), seeds=10)
def test_reads(tile):
    tile.run_to_end()
    tile.run_to_end()
    assert tile.l1.read(0x30000, "uint32", shape=(1, 1), rows=True)[0][0] == 7
"""
SECONDS = HANG  # that a process may take to begin
PLAIN = ("--nthreads=1", "--no-nanny", "--no-dashboard", "--host=127.0.0.1")


class Started:
    """A scheduler, and the workers that a test adds."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._stack = folder, ExitStack()
        self._file = folder / "scheduler.json"
        words = ("--host=127.0.0.1", "--port=0", "--no-dashboard", f"--scheduler-file={self._file}")
        self.scheduler = self._start("scheduler", words, {})
        self._wait_for(self._file.exists)
        self.address = str(json.loads(self._file.read_text())["address"])

    def add_worker(self, code: Path | None = None) -> subprocess.Popen[bytes]:
        """One more; `code` is the folder of the package that it has, if that is another one."""
        from distributed import Client

        path = {} if code is None else {"PYTHONPATH": str(code)}
        with Client(self.address) as client:
            before = len(client.nthreads())
            worker = self._start("worker", (f"--scheduler-file={self._file}", *PLAIN), path)
            self._wait_for(lambda: len(client.nthreads()) > before)
        return worker

    def _start(
        self, what: str, words: tuple[str, ...], more: dict[str, str]
    ) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{what}", *words],
            cwd=self._folder,
            env={**os.environ, **more},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._stack.callback(self._end, process)
        return process

    @staticmethod
    def _end(process: subprocess.Popen[bytes]) -> None:
        process.kill()
        process.wait()

    @staticmethod
    def _wait_for(is_there: object) -> None:
        assert callable(is_there)
        for _ in turns(0.05):
            if is_there():
                return

    def close(self) -> None:
        """End all of it."""
        self._stack.close()


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    """A scheduler with a worker."""
    one = Started(tmp_path_factory.mktemp("dask"))
    one.add_worker()
    yield one
    one.close()


def searched(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, list[str], str]:
    options = ("--dir=.", "--state", SEEN, "--same", "--seeds=60", "--no-smallest", *options)
    status = main(["seeds", *options])
    out, err = capsys.readouterr()
    return status, out.splitlines(), err


@pytest.mark.long("test_search.py and test_parts.py: workers of its own")
def test_a_search_by_workers_that_others_have_started(
    here: Path, capsys: pytest.CaptureFixture[str], started: Started
) -> None:
    wanted = searched(capsys, "--jobs=1")
    status, lines, err = searched(capsys, "--on", started.address)
    assert (status, lines[1:], err) == (wanted[0], wanted[1][1:], "")
    # Litmus tests, too.
    words = ["litmus", str(LITMUS), "--schedule=random", "--seeds=20"]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert main([*words, "--on", started.address]) == 0
    assert capsys.readouterr().out == said


def test_a_worker_with_other_code_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], started: Started, tmp_path: Path
) -> None:
    other = tmp_path / "other" / "tensix_gdb"
    for part in (core, gdbstub):
        (folder,) = part.__path__
        no_caches = shutil.ignore_patterns("__pycache__", "*.md", "*.so", "*.bin")
        shutil.copytree(folder, other / Path(folder).name, ignore=no_caches)
    with (other / "core" / "schedule.py").open("a") as file:
        file.write("# changed\n")
    worker = started.add_worker(other.parent)
    status, lines, err = searched(capsys, "--on", started.address)
    assert (status, lines) == (2, [])
    assert err.count("\n") == 1
    assert "has another tensix-gdb (" in err
    assert "install the same one there" in err
    Started._end(worker)


def test_a_test_of_many_seeds(here: Path, started: Started) -> None:
    (here / "test_reader.py").write_text(TEST)
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_reader.py"]
    said = []
    for on in ((), ("--tile-on", started.address)):
        done = subprocess.run(
            [sys.executable, *words, *on], cwd=here, capture_output=True, text=True, check=False
        )
        line = next(line for line in done.stdout.splitlines() if " of 10 seeds fail, " in line)
        assert done.stdout.splitlines()[-1].startswith("1 failed, 1 passed")
        said.append(line)
    assert said[0] == said[1]


def test_a_scheduler_without_workers(
    here: Path,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tensix_gdb.gdbstub.order.seeds import cluster

    monkeypatch.setattr(cluster, "SECONDS", 1)
    started = Started(tmp_path)
    status, lines, err = searched(capsys, "--on", started.address)
    assert (status, lines) == (2, [])
    assert "the scheduler has no worker: start some, as in `dask worker tcp://" in err
    Started._end(started.scheduler)
    status, lines, err = searched(capsys, "--on", started.address)
    assert (status, lines) == (2, [])
    assert "no scheduler can be reached there" in err
    started.close()
