# SPDX-License-Identifier: Apache-2.0
"""The table of operations, with the columns of tt-metal's profiler (ops_perf_results.csv of
tracy/process_ops_logs.py, 0.81.1), which tt-perf-report reads.

What the emulated tiles do not say is empty: times of the host, so the gap from one operation to
the next as well, and the models' ideal times. Firmware has no zones, so its duration is from the
first go signal to the last end of a kernel. Shares of the NoC and of DRAM are those of the
busiest port of a NIU, and of the busiest channel. The last columns are ours.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.host.ttnn.operations.launches import Launch, launches_of
from tensix_gdb.gdbstub.pages.report.operations import CALLED, CYCLES, ROOFLINE
from tensix_gdb.gdbstub.usage import UsageError

MHZ = {Arch.BLACKHOLE: 1350, Arch.WORMHOLE: 1000}  # of the tiles, as drivers are told
NAMES = {Arch.BLACKHOLE: "blackhole", Arch.WORMHOLE: "wormhole_b0"}  # tt-metal's
OF_HARTS = {
    "DEVICE BRISC KERNEL DURATION [ns]": "B",
    "DEVICE NCRISC KERNEL DURATION [ns]": "NC",
    "DEVICE TRISC0 KERNEL DURATION [ns]": "T0",
    "DEVICE TRISC1 KERNEL DURATION [ns]": "T1",
    "DEVICE TRISC2 KERNEL DURATION [ns]": "T2",
}
DIMENSIONS = "WZYX"
BEFORE = (
    *("OP CODE", "OP TYPE", "GLOBAL CALL COUNT", "DEVICE ID", "DEVICE ARCH", "ATTRIBUTES"),
    *("MATH FIDELITY", "CORE COUNT", "AVAILABLE WORKER CORE COUNT", "PARALLELIZATION STRATEGY"),
    *("HOST START TS", "HOST END TS", "HOST DURATION [ns]"),
    *("DEVICE FW START CYCLE", "DEVICE FW END CYCLE", "OP TO OP LATENCY [ns]"),
    *("DEVICE FW DURATION [ns]", "DEVICE KERNEL DURATION [ns]"),
    "DEVICE KERNEL DURATION DM START [ns]",
    *(f"DEVICE KERNEL DURATION PER CORE {what} [ns]" for what in ("MIN", "MAX", "AVG")),
    "DEVICE KERNEL FIRST TO LAST START [ns]",
    *OF_HARTS,
)
AFTER = (
    *("COMPUTE KERNEL SOURCE", "PROGRAM CACHE HIT", "NOC UTIL (%)", "DRAM BW UTIL (%)"),
    *(CALLED, CYCLES, ROOFLINE),
)


def write_table(
    path: Path, operations: Sequence[dict[str, Any]], lines: str, tiles: int, arch: Arch
) -> int:
    """Write the table of what was launched; return how many operations it has. `operations` are
    those of captured.py, none of a program without ttnn's Python; then each launch is one."""
    launches = [one for one in launches_of(lines) if one.is_over]
    rows = list(_rows(operations, launches, tiles, arch))
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns(operations), restval="")
            writer.writeheader()
            writer.writerows(rows)
    except OSError as problem:
        raise UsageError(f"--operations {path}: cannot be written: {problem.strerror}") from None
    return len(rows)


def columns(operations: Sequence[dict[str, Any]]) -> list[str]:
    """Return the names of the columns: each operand has its own."""
    tensors = [
        f"{kind}_{i}_{part}"
        for kind, key in (("INPUT", "inputs"), ("OUTPUT", "outputs"))
        for i in range(max([len(one[key]) for one in operations], default=1) or 1)
        for part in (*(f"{d}_PAD[LOGICAL]" for d in DIMENSIONS), "LAYOUT", "DATATYPE", "MEMORY")
    ]
    return [*BEFORE, *tensors, *AFTER]


def _rows(
    operations: Sequence[dict[str, Any]], launches: Sequence[Launch], tiles: int, arch: Arch
) -> Iterator[dict[str, object]]:
    known: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for each in operations:
        known.setdefault((each["device"], each["program"]), []).append(each)
    for number, launch in enumerate(launches, 1):
        of = known.get((launch.chip, launch.program), [])
        one: dict[str, Any] | None = None
        if of:
            one = of.pop(0) if len(of) > 1 else of[0]
        if one is None and operations:
            continue  # of the dispatcher, or of what ttnn's graph does not have
        row = _of_launch(launch, tiles, arch) | {"GLOBAL CALL COUNT": number}
        yield row if one is None else row | _of_operation(one)


def _of_launch(launch: Launch, tiles: int, arch: Arch) -> dict[str, object]:
    def ns(cycles: int | None) -> object:
        return "" if cycles is None else round(cycles * 1000 / MHZ[arch])

    each, needs = launch.of_tiles(), launch.roofline(arch.chip)
    whole = launch.cycles() or 0

    def share(kind: str) -> object:
        """Percent of the time for which the busiest thing of a kind is needed."""
        most = max((n for name, n in needs.items() if name.startswith(kind)), default=0)
        return round(100 * most / whole) if most and whole else ""

    return {
        "OP CODE": " + ".join(launch.kernels) or "a program",
        "OP TYPE": "tt_dnn_device",
        "DEVICE ID": launch.chip,
        "DEVICE ARCH": NAMES[arch],
        "CORE COUNT": len(launch.tiles),
        "AVAILABLE WORKER CORE COUNT": tiles,
        "DEVICE FW START CYCLE": launch.go,
        "DEVICE FW END CYCLE": launch.last,
        "DEVICE FW DURATION [ns]": ns(launch.last - launch.go),
        "DEVICE KERNEL DURATION [ns]": ns(whole),
        "DEVICE KERNEL DURATION DM START [ns]": ns(launch.since_data_movement()),
        "DEVICE KERNEL DURATION PER CORE MIN [ns]": ns(min(each)),
        "DEVICE KERNEL DURATION PER CORE MAX [ns]": ns(max(each)),
        "DEVICE KERNEL DURATION PER CORE AVG [ns]": ns(sum(each) // len(each)),
        "DEVICE KERNEL FIRST TO LAST START [ns]": ns(launch.first_to_last_start()),
        **{name: ns(launch.cycles(hart)) for name, hart in OF_HARTS.items()},
        "COMPUTE KERNEL SOURCE": "; ".join(launch.kernels),
        "NOC UTIL (%)": share("NoC"),
        "DRAM BW UTIL (%)": share("DRAM"),
        CYCLES: whole,
        ROOFLINE: "; ".join(f"{name}: {cycles}" for name, cycles in needs.items()),
    }


def _of_operation(one: dict[str, Any]) -> dict[str, object]:
    row: dict[str, object] = {
        "OP CODE": one["name"],
        "ATTRIBUTES": one["attributes"].replace(",", ";"),
        "MATH FIDELITY": one["fidelity"],
        "PARALLELIZATION STRATEGY": one["factory"].rpartition("::")[2],
        "PROGRAM CACHE HIT": one["hit"],
        CALLED: one["called"],
    }
    for kind, key in (("INPUT", "inputs"), ("OUTPUT", "outputs")):
        for i, tensor in enumerate(one[key]):
            shape = ([1] * len(DIMENSIONS) + tensor["shape"])[-len(DIMENSIONS) :]
            padded = [*shape[:2], *(_padded(n, tensor["layout"]) for n in shape[2:])]
            for name, whole, logical in zip(DIMENSIONS, padded, shape, strict=True):
                row[f"{kind}_{i}_{name}_PAD[LOGICAL]"] = f"{whole}[{logical}]"
            row[f"{kind}_{i}_LAYOUT"] = tensor["layout"]
            row[f"{kind}_{i}_DATATYPE"] = tensor["dtype"]
            row[f"{kind}_{i}_MEMORY"] = f"DEV_{one['device']}_{tensor['memory']}"
    return row


def _padded(n: int, layout: str) -> int:
    return -(-n // 32) * 32 if layout == "TILE" else n


def operations_in(path: Path) -> list[dict[str, Any]]:
    """Read the operations that captured.py has written; none if there is no file."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return []
    return [json.loads(line) for line in text.splitlines()]


def check_place(path: str) -> None:
    """Refuse a place where no file can be made now, not after the run."""
    if not Path(path).absolute().parent.is_dir():
        raise UsageError(f"--operations {path}: there is no such directory")
