# SPDX-License-Identifier: Apache-2.0
"""Batches on a cluster: `--on local`, which starts workers on this machine, as many as `--jobs`,
or `--on tcp://HOST:PORT`, the scheduler of a Dask cluster, however it was started (dask-jobqueue,
dask-kubernetes, SSH). Dask does the scheduling; nothing here does.

A program goes to each worker once, by its hash. Dask runs a batch again after its worker has died.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tensix_gdb.gdbstub.order.seeds.case import Case, Outcome
from tensix_gdb.gdbstub.order.seeds.crew import LOOK, Batch, count_try
from tensix_gdb.gdbstub.order.seeds.program import Program
from tensix_gdb.gdbstub.order.seeds.worker import own_version, run_batch
from tensix_gdb.gdbstub.usage import UsageError

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL = "local"
SECONDS = 30  # to reach the scheduler, and until it has a worker
PATIENCE = 60.0  # seconds without any worker in the middle of a search
BROADCASTS, BETWEEN = 5, 0.5  # tries of giving data to all workers, and seconds between two
MISSING = "--on needs Dask, which is not installed here: `pip install 'tensix-gdb[dask]'` brings it"


class OtherVersion(Exception):
    """A worker has other code than this search."""


def check_version(wanted: str) -> None:
    """OtherVersion if this process is not of that version."""
    if own_version() != wanted:
        raise OtherVersion(own_version())


def remote_batch(wanted: str, digest: str, data: bytes, cases: Sequence[Case]) -> list[Outcome]:
    """Run a batch on a worker of the cluster."""
    check_version(wanted)
    return run_batch(digest, data, cases)


class Cluster:
    """The workers of a cluster; UsageError with a sentence if there is none or it does not fit."""

    def __init__(self, programs: Sequence[Program], address: str, size: int = 0) -> None:
        self._client, self._cluster = connect(address, size)
        self._address, self._alone_since = address, 0.0
        self._version = own_version()
        self._done: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._under_way: dict[str, tuple[Future, Batch]] = {}
        self._tries: dict[int, int] = {}
        try:
            check_workers(self._client, self._version)
            self._digests = [program.digest for program in programs]
            self._packed = [program.packed() for program in programs]
            self._data: list[Any] = [self._scattered(at) for at in range(len(programs))]
        except BaseException:
            self.close()
            raise

    def _scattered(self, at: int) -> Any:
        """Give the data of a program to all workers. Where one dies meanwhile, Dask's scheduler
        does not find it (KeyError); without `broadcast` it gives them to one."""
        for _ in range(BROADCASTS):
            try:
                return self._client.scatter(self._packed[at], broadcast=True, hash=True)
            except KeyError:
                time.sleep(BETWEEN)
        return self._client.scatter(self._packed[at], hash=True)

    @property
    def size(self) -> int:
        """The number of workers now."""
        return max(1, sum(map(int, self._client.nthreads().values())))

    def workers(self) -> dict[str, int]:
        """Return the process of each worker, by its address."""
        import os

        return dict(self._client.run(os.getpid))

    def submit(self, batch: Batch) -> None:
        """Let it be run."""
        at = batch.program
        try:
            future = self._client.submit(
                *(remote_batch, self._version, self._digests[at], self._data[at], batch.cases),
                pure=False,
            )
        except (OSError, RuntimeError):
            raise self._gone() from None
        self._under_way[future.key] = future, batch
        future.add_done_callback(self._done.put)

    def done(self) -> Iterator[tuple[Batch, list[Outcome]]]:
        """Yield those that were done meanwhile."""
        try:
            futures = [self._done.get(timeout=LOOK)]
        except queue.Empty:
            self._look_for_workers()
            return
        while not self._done.empty():
            futures.append(self._done.get())
        for future in futures:
            known = self._under_way.pop(future.key, None)
            if known is None:
                continue
            batch = known[1]
            if future.status == "finished":
                yield batch, future.result()
                continue
            problem = future.exception() if future.status == "error" else None
            if isinstance(problem, OtherVersion):
                raise UsageError(_other("a worker", str(problem), self._version))
            if problem is not None and type(problem).__name__ != "KilledWorker":
                raise problem
            if self._client.status != "running":
                raise self._gone()
            count_try(self._tries, batch)
            self._data[batch.program] = self._scattered(batch.program)  # it may be lost, too
            self.submit(batch)

    def _look_for_workers(self) -> None:
        """UsageError if the cluster is gone, or has had no worker for long."""
        if self._client.status != "running":
            raise self._gone()
        if self._client.scheduler_info(n_workers=0)["n_workers"]:
            self._alone_since = 0.0
            return
        now = time.monotonic()
        self._alone_since = self._alone_since or now
        if now - self._alone_since > PATIENCE:
            raise UsageError(
                f"--on {self._address}: no worker is left; `--to FILE` keeps what was done, and "
                "`--resume` continues with it"
            )

    def _gone(self) -> UsageError:
        return UsageError(
            f"--on {self._address}: the scheduler is gone; `--to FILE` keeps what was done, and "
            "`--resume` continues with it"
        )

    def close(self) -> None:
        """Leave the cluster; end the one that was started here."""
        self._client.cancel([future for future, _ in self._under_way.values()])
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


def import_dask() -> None:
    """Load it. UsageError if it is not installed."""
    try:
        import dask

        # Before distributed is loaded: it would tell of each connection.
        dask.config.set({"logging.distributed": "critical"})
        import distributed
    except ImportError:
        raise UsageError(MISSING) from None
    # A worker that dies says nothing about its batch: machines are given back, memory is short.
    dask.config.set({"distributed.scheduler.allowed-failures": 100})
    assert distributed


def connect(address: str, size: int = 0) -> tuple[Client, Any]:
    """Return a client, and the cluster that was started for it, if one was. UsageError with a
    sentence."""
    import_dask()
    from distributed import Client, LocalCluster

    if address == LOCAL:
        cluster = LocalCluster(
            n_workers=size or None,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=50,
        )
        return Client(cluster), cluster
    if "://" not in address:
        raise UsageError(f"--on {address}: type `local`, or a scheduler as in tcp://10.0.0.1:8786")
    try:
        return Client(address, timeout=SECONDS), None
    except (OSError, ValueError, TimeoutError) as problem:
        said = str(problem).partition("\n")[0]
        raise UsageError(f"--on {address}: no scheduler can be reached there: {said}") from None


def check_workers(client: Client, version: str) -> None:
    """UsageError if a worker has other code than this process."""
    try:
        client.wait_for_workers(1, timeout=SECONDS)
    except TimeoutError:
        raise UsageError(
            f"--on {client.scheduler.address}: the scheduler has no worker: start some, as in "
            f"`dask worker {client.scheduler.address}`"
        ) from None
    try:
        versions = client.run(own_version)
    except ModuleNotFoundError:
        raise UsageError(
            "the workers do not have tensix-gdb: install the same version of it there"
        ) from None
    for worker, other in versions.items():
        if other != version:
            raise UsageError(_other(f"the worker {worker}", other, version))


def _other(worker: str, other: str, version: str) -> str:
    return (
        f"{worker} has another tensix-gdb ({other}) than this search ({version}), and its answers "
        "might be others: install the same one there"
    )


def gathered(
    address: str,
    function: Callable[..., Any],
    calls: Sequence[tuple[Any, ...]],
    size: int = 0,
) -> Iterator[Any]:
    """Call a function on the workers, once for each tuple of arguments; the results, as they come.
    A call that has lost its worker is made again. UsageError with a sentence."""
    import_dask()
    from distributed import as_completed

    client, cluster = connect(address, size)
    try:
        version = own_version()
        check_workers(client, version)
        futures = [client.submit(versioned, version, function, each, pure=False) for each in calls]
        for future in as_completed(futures):
            yield future.result()
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


@contextmanager
def executor(address: str, size: int = 0) -> Iterator[Executor]:
    """Yield the workers of a cluster as an executor of concurrent.futures. UsageError with a
    sentence."""
    client, cluster = connect(address, size)
    try:
        check_workers(client, own_version())
        yield client.get_executor(pure=False)
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def versioned(wanted: str, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """Call `function` on a worker of the same version."""
    check_version(wanted)
    return function(*arguments)
