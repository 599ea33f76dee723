# SPDX-License-Identifier: Apache-2.0
"""A card's measurements, from package registries, kept in the user's cache and never in here.

wolfpine 2.2 has the sessions of mesham/tt-sim on one Blackhole card of August 2026. The library of
the plugin of JAX that SFPI is taken from has tt-metal's noc_latencies.yaml, Tenstorrent's own.
"""

from __future__ import annotations

import csv
import hashlib
import io
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tensix_gdb.gdbstub.kernels import wheels
from tensix_gdb.gdbstub.kernels.sfpi.archive import unpack
from tensix_gdb.gdbstub.kernels.sfpi.install import read_library
from tensix_gdb.gdbstub.kernels.sfpi.pinned import PINNED
from tensix_gdb.gdbstub.kernels.user_cache import cache, made_at_once

WHEEL = "wolfpine-2.2-py3-none-any.whl"
SHA256 = "1f25b17122bc7b1d7af611d9b5067d82e075515252c9a4f4c7de4895a0cc93e8"
DATASETS = "framework/perf/datasets"
LATENCIES = PurePosixPath("tt_metal/impl/experimental/noc_estimator/latencies")
ARCHES = {"wormhole": 0, "blackhole": 3}  # as that file has them; none is Wormhole
Row = dict[str, str]


class CannotCompare(Exception):
    """There are no measurements; one sentence."""


def sessions(name: str) -> list[Row]:
    """Return the rows of a file of wolfpine's; lines that begin with # are comments."""
    with zipfile.ZipFile(_wheel()) as archive:
        text = archive.read(f"{DATASETS}/{name}").decode("utf-8")
    lines = (line for line in io.StringIO(text) if not line.startswith("#"))
    return list(csv.DictReader(lines))


def _wheel() -> Path:
    folder = cache() / "silicon" / SHA256[:16]
    with made_at_once(folder) as new:
        if new is not None:
            with tempfile.TemporaryDirectory() as scratch:
                got = wheels.download("wolfpine==2.2", WHEEL, "any", Path(scratch), "--no-deps")
                if hashlib.sha256(got.read_bytes()).hexdigest() != SHA256:
                    raise CannotCompare(f"{WHEEL} is not the file that was compared before")
                shutil.copy(got, new / WHEEL)
    return folder / WHEEL


def latencies(arch: str = "blackhole") -> Iterator[tuple[dict[str, int], list[int]]]:
    """Yield what each row of noc_latencies.yaml is of, for a chip, and its cycles for 64 bytes to
    64 KiB."""
    folder = cache() / "silicon" / PINNED.sha256[:16]
    with made_at_once(folder) as new:
        if new is not None:
            with tempfile.TemporaryDirectory() as scratch:
                wheel = wheels.download(
                    PINNED.requirement, PINNED.file, PINNED.platform, Path(scratch)
                )
                unpack(read_library(PINNED, wheel), new, LATENCIES)
    key: dict[str, int] = {}
    for line in (folder / "noc_latencies.yaml").read_text("utf-8").splitlines():
        name, _, value = line.strip(" -").partition(": ")
        if line.startswith("  - key"):
            key = {}
        elif line.startswith("    latencies"):
            if key.get("arch", ARCHES["wormhole"]) == ARCHES[arch]:
                yield key, [round(float(each)) for each in value.strip("[]").split(",")]
        elif line.startswith("      "):
            key[name] = 1 if value == "true" else int(value)
