# SPDX-License-Identifier: Apache-2.0
"""The points of a card that are put beside ours: flows, and the card's runs of each.

Columns 7, 10 and more are at other places on a harvested card: nocbench has physical ones. Of
noc_estimator no places are published. Senders and rectangles here are those with the hops that its
figures of multicasts are multiples of: the sender in the first corner of the rectangle (loopback),
or in the column after it, or after a row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scripts.chiptime.data import latencies, sessions
from scripts.chiptime.flows import Flow
from tensix_gdb.core.arch.chips import BLACKHOLE, WORMHOLE
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.noc.coordinates import DRAM, WORMHOLE_DRAM

KEPT = Path(__file__).with_name("kept.txt")
NOCBENCH = ("nocbench-blackhole.csv", "nocbench-blackhole-sizes.csv",
            "nocbench-blackhole-2026-08-09.csv", "nocbench-blackhole-2026-08-09-repeat.csv",
            "nocbench-blackhole-2026-08-09-2224.csv")  # fmt: skip
NOCREAD = "nocreadbench-blackhole-2026-08-09.csv"
DRAMRATE = "dramratebench-blackhole-2026-08-09.csv"
COLUMNS = (1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16)  # of that card: logical to physical
SIZES = (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)
# By chip: sizes that are compared, of one packet each.
ESTIMATED = ((64, 2048, 4096, 16384), (64, 2048, 4096, 8192))
# Instructions of the card's loops beside the stores, by the shortest requests of one flow alone
NOCBENCH_PAD, NOCREAD_PAD = 13, 27
# and of noc_estimator's loops to DRAM, which compute where a page is
PAGE_PAD = 4
# By the number of a pattern, then by how many tiles: columns and rows (8x8 and 11x10 take hours)
EVERYONE = {
    4: {side * side: ("all_to_all", side, side) for side in (2, 3, 5)},
    6: {10: ("one_to_row", 11, 1)},
    7: {11: ("row_to_row", 11, 1)},
    8: {9: ("one_to_column", 1, 10)},
    9: {10: ("column_to_column", 1, 10)},
}
# Cycles of the profiler's zone around what noc_estimator times, by one write of 64 bytes alone
ZONE = 45
# Of a Wormhole: its columns and rows of tiles, and a tile of DRAM with neither of the first tile.
WORMHOLE_COLUMNS, WORMHOLE_ROWS = (1, 2, 3, 4, 6, 7, 8, 9), (1, 2, 3, 4, 5, 7, 8, 9, 10, 11)
WORMHOLE_BANK = WORMHOLE_DRAM[3][0]
# Of each channel of DRAM, the port that tt-metal's description of the chip gives workers on NoC 0
# (blackhole_140_arch.yaml, dram_views, worker_endpoint): dramratebench asks it for banks.
PORTS = (2, 0, 0, 0, 2, 2, 2, 2)


@dataclass(frozen=True, slots=True)
class Point:
    """Flows at the same time. `cards` has the card's runs of what `kind` says: cycles of each flow,
    bytes in a cycle of all together, or cycles for each request in the long run (`flows` are then
    a short and a long run). Of `everyone`, all tiles of a rectangle to all of them, they are the
    median of the tiles', and its one flow has the corners (everyone.py); of `one`, the first tile
    writes to the others."""

    dataset: str
    name: str
    kind: str  # flows, rate, slope, everyone, one
    flows: tuple[Flow, ...]
    cards: tuple[tuple[float, ...], ...]

    @property
    def is_kept(self) -> bool:
        """True if nothing may be fitted to it."""
        name = f"{self.dataset} {self.name}"
        return any(name.startswith(each) for each in kept())


@cache
def kept() -> tuple[str, ...]:
    """Return how the names of points begin that are kept out."""
    lines = KEPT.read_text("utf-8").splitlines()
    return tuple(line for line in lines if not line.startswith("#"))


def points(arch: str = "blackhole") -> Iterator[Point]:
    """Yield all of them; of a Wormhole there are those of noc_estimator."""
    if arch == "wormhole":
        yield from _estimator(WORMHOLE)
        return
    yield from _nocbench()
    yield from _nocread()
    yield from _dramrate()
    yield from _estimator(BLACKHOLE)
    yield from _everyone()


def _nocbench() -> Iterator[Point]:
    runs: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    flows: dict[tuple[str, str], dict[int, Flow]] = defaultdict(dict)
    for file in NOCBENCH:
        for row in sessions(file):
            key = row["exp"], row["point"]
            flow = int(row["flow"])
            if row["measured"] != "1":
                continue
            runs[key][flow].append(float(row["cycles"]))
            flows[key].setdefault(flow, Flow(
                (int(row["mst_px"]), int(row["mst_py"])), (int(row["sub_px"]), int(row["sub_py"])),
                int(row["tx_bytes"]), int(row["num_tx"]), row["direction"] == "1",
                int(row["noc"]), pad=NOCBENCH_PAD,
            ))  # fmt: skip
    for (experiment, point), each in flows.items():
        ordered = sorted(each)
        yield Point(
            *("nocbench", f"{experiment} {point}", "flows"),
            tuple(each[flow] for flow in ordered),
            tuple(tuple(runs[experiment, point][flow]) for flow in ordered),
        )


def _nocread() -> Iterator[Point]:
    runs: dict[str, list[float]] = defaultdict(list)
    flows: dict[str, Flow] = {}
    for row in sessions(NOCREAD):
        if row["num_src"] != "1" or row["dst_stride"] != "0" or row["src_stride"] != "0":
            continue
        x, y = int(row["src0_x"]), int(row["src0_y"])
        x = COLUMNS[x - 1 if x < 8 else x - 3]  # of the addressed columns 1 to 7 and 10 to 14
        size, count = int(row["tx_bytes"]), int(row["num_tx"])
        name = f"{row['experiment']} {size}B x{count} from {x}-{y}"
        runs[name].append(float(row["cycles"]))
        flows[name] = Flow((1, 2), (x, y), size, count, True, pad=NOCREAD_PAD)
    for name, flow in flows.items():
        yield Point("nocread", name, "flows", (flow,), (tuple(runs[name]),))


def _dramrate() -> Iterator[Point]:
    runs: dict[tuple[str, int], list[float]] = defaultdict(list)
    for row in sessions(DRAMRATE):
        runs[row["arm"], int(row["num_readers"])].append(float(row["agg_bytes_per_cycle"]))
    tiles = [(x, y) for y in range(2, 12) for x in COLUMNS]
    for (arm, readers), cards in runs.items():
        count = max(8, min(256, 1024 // readers))
        flows = tuple(
            Flow(tiles[i], _bank(i % 8 if arm == "fanchan" else 0), 4096, count, True, pad=8)
            for i in range(readers)
        )
        yield Point("dramratebench", f"{arm} {readers}", "rate", flows, (tuple(cards),))


def _bank(channel: int) -> Place:
    return DRAM[channel][PORTS[channel]]


def _estimator(chip: int) -> Iterator[Point]:
    rows: dict[tuple[tuple[str, int], ...], dict[int, list[int]]] = defaultdict(dict)
    for key, cycles in latencies("wormhole" if chip else "blackhole"):
        count = key.pop("num_transactions", 1)
        if key.get("pattern", 1) in (0, 1, 3, 6, 8):
            rows[tuple(sorted(key.items()))][count] = cycles
    for kind, by_count in rows.items():
        key = dict(kind)
        if key.get("memory") == 1 or (key.get("pattern", 1) > 1 and not key.get("mechanism")):
            continue
        for size in ESTIMATED[chip]:
            if key.get("memory") and size > (4096 if chip else 8192):
                continue  # padded in the file
            at = SIZES.index(size)
            one, some, many = (_flow(key, size, count, chip) for count in (1, 64, 256))
            name = f"{_name(key)} {size}B"
            yield Point(
                "noc_estimator", f"{name} x1", "flows", (one,), ((by_count[1][at] - ZONE,),)
            )
            slope = (by_count[256][at] - by_count[64][at]) / 192
            yield Point("noc_estimator", f"{name} slope", "slope", (some, many), ((slope,),))


def _everyone() -> Iterator[Point]:
    for key, cycles in latencies():
        tiles = key.get("num_subordinates", 0)
        shapes = EVERYONE.get(key.get("pattern", 1), {})
        if tiles not in shapes or key.get("mechanism") or key.get("stateful"):
            continue
        count = key["num_transactions"] // tiles
        name, columns, rows = shapes[tiles]
        first, last = (COLUMNS[0], 2), (COLUMNS[columns - 1], 1 + rows)
        for size in (64, 2048, 4096) if count in (1, 4, 16) else ():
            yield Point(
                *("noc_estimator", f"{name} {columns}x{rows} {size}B x{count}"),
                "one" if name.startswith("one") else "everyone",
                (Flow(first, first, size, count, last=last),),
                ((cycles[SIZES.index(size)] - ZONE,),),
            )


def _name(key: dict[str, int]) -> str:
    what = "read" if key.get("pattern", 1) == 0 else "write"
    if key.get("mechanism"):
        what = "multicast" + (" linked" if key["mechanism"] == 2 else "")
        shape = {6: " row", 8: " column"}.get(key["pattern"], "")
        return f"{what}{shape} to {key['num_subordinates']}" + (
            " and itself" if key.get("loopback") else ""
        )
    where = "DRAM" if key.get("memory") else "L1"
    axis = " same axis" if key.get("same_axis") else ""
    state = " stateful" if key.get("stateful") else ""
    return f"{what} {where} NoC {key.get('noc_index', 0)}{axis}{state}"


def _flow(key: dict[str, int], size: int, count: int, chip: int) -> Flow:
    columns_of, rows_of = (
        (WORMHOLE_COLUMNS, WORMHOLE_ROWS) if chip else (COLUMNS, tuple(range(2, 12)))
    )
    niu = key.get("noc_index", 0)
    if not key.get("mechanism"):
        reads = key.get("pattern", 1) == 0
        to: Place = (1 if key.get("same_axis") else 2, rows_of[1])
        if key.get("memory"):
            to = WORMHOLE_BANK if chip else _bank(4)
        stateful = bool(key.get("stateful"))
        pad = (0 if reads else 1) + (PAGE_PAD if key.get("memory") else 0)
        return Flow((1, rows_of[0]), to, size, count, reads, niu, stateful, pad, chip=chip)
    tiles, loopback = key["num_subordinates"], bool(key.get("loopback"))
    if key["pattern"] == 6:
        columns, rows, sender = tiles, 1, (0, 0 if loopback else 1)
    elif key["pattern"] == 8:
        columns, rows, sender = 1, tiles, (0 if loopback else 1, 0)
    else:
        columns = {110: 11, 56: 8}.get(tiles, round(tiles**0.5))
        rows = tiles // columns
        sender = (0 if loopback else columns, 0)
    x, y = sender
    last = columns_of[columns - 1], rows_of[rows - 1]
    return Flow(
        *((columns_of[x], rows_of[y]), (1, rows_of[0]), size, count),
        niu=niu,
        last=last,
        linked=key["mechanism"] == 2,
        loopback=loopback,
        receivers=tiles,
        chip=chip,
    )
