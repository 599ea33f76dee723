# SPDX-License-Identifier: Apache-2.0
"""UNPACR in each of its modes, against the page's model (unpack_model.py), on every engine."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.occupancy import MATRIX_OWNS
from tensix_gdb.core.tensix.regfiles.dst import row16, row32
from tensix_gdb.core.tensix.unpacker import pipeline as unpack_run
from tensix_gdb.core.tensix.unpacker import start as unpack_start
from tensix_gdb.core.tensix.unpacker.queue import ALL_ZERO, FLIP
from tests.core.tensix.drive import ends
from tests.core.tensix.unpacker.unpack_model import Unpack, arrange, expected
from tests.vectors import both_engines

BASE = 0x10000  # where 64 KiB of noise are, and nothing of programs
ENDS = BASE + 0x10000


def noise(u: Unpack, seed: int = 1) -> bytearray:
    """L1 with noise, which is fine as exponents where the format is particular."""
    memory = bytearray(BASE) + bytearray(random.Random(seed).randbytes(ENDS - BASE))
    if u.given in ("BFP8a", "BFP4a", "BFP2a"):
        header = (u.base + u.offset + 1 + u.digest) * 16
        for at in range(header, min(header + 4096, ENDS)):
            memory[at] = 8 + memory[at] % 24
    return memory


def compressed_noise(u: Unpack, seed: int = 1) -> bytearray:
    """L1 with rows of compressed data: row starts that grow, then datums and counters."""
    memory = noise(u, seed)
    rng = random.Random(seed)
    header = (u.base + u.offset + 1 + u.digest) * 16
    start = 0
    for row in range(200):
        memory[header + 2 * row : header + 2 * row + 2] = start.to_bytes(2, "little")
        start += rng.randrange(3, 40)
    return memory


def memory_of(u: Unpack, seed: int = 1) -> bytearray:
    return compressed_noise(u, seed) if u.compressed else noise(u, seed)


def seen(S: Any, bank: int) -> dict[tuple[str, int, int], int]:
    """Everything that is not 0."""
    found: dict[tuple[str, int, int], int] = {}
    for row in range(64):
        for column in range(16):
            found["a", row, column] = S.src.a[bank, row, column]
            found["b", row, column] = S.src.b[bank, row, column]
    return {place: value for place, value in found.items() if value}


def check(S: Any, u: Unpack, memory: bytes, bank: int = 0) -> None:
    """Do the registers hold what the model says, and nothing else?"""
    wanted = dict(expected(memory, u))
    registers = {p: v for p, v in wanted.items() if p[0] in "ab" and v}
    assert seen(S, bank) == registers
    written = set()
    for (kind, row, column), value in wanted.items():
        if kind == "dst16":
            at = row16(S, u.thread, row)
            assert S.dst.bits[at, column] == value
            written.add((at, column))
        elif kind == "dst32":
            at = row32(S, u.thread, row)
            assert S.dst.bits[at, column] << 16 | S.dst.bits[at + 8, column] == value
            written |= {(at, column), (at + 8, column)}
    if written:
        rows = {at for at, _ in written}
        for at in rows:
            for column in range(16):
                assert (at, column) in written or S.dst.bits[at, column] == 0


FACE = Unpack()
DST = replace(FACE, to_dst=True, override=False)
# fmt: off
MODES: dict[str, Unpack] = {
    "face": FACE,
    "face 2 of a tile": replace(FACE, counters=(0, 0, 2, 0)),
    "third y and w": replace(FACE, dims=(32, 5, 2, 3), counters=(16, 3, 1, 2),
                             out_counters=(31, 0, 0, 0)),
    "eight bits of z and w": replace(FACE, dims=(32, 5, 2, 3), counters=(16, 3, 0x101, 0x1F02),
                                     out_counters=(31, 0, 0, 0)),
    "all bits of z and w of channel 1": replace(
        FACE, multi=False, strides=(0, 2, 4), out_counters=(15, 0, 0x101, 0x101)),
    "no contexts": replace(FACE, multi=False, out_base=128),
    "no contexts, destination by counters": replace(
        FACE, multi=False, out_base=64, strides=(32, 512, 1024), out_counters=(15, 2, 1, 1)),
    "context 1": replace(FACE, context=1, base=0x1100, offset=3, dest=128),
    "context 5": replace(FACE, context=5, base=0x1200, offset=1, dest=64 + 16),
    "counters of another thread": replace(FACE, adc_thread=2, counters=(16, 1, 1, 0),
                                          out_counters=(47, 0, 0, 0), dims=(64, 2, 2, 1)),
    "thread 2": replace(FACE, thread=2, adc_thread=2),
    "header of 48 bytes": replace(FACE, digest=2),
    "added destination": replace(FACE, add_dest=True, strides=(0, 512, 0), dest=80,
                                 out_counters=(255, 0, 1, 0)),
    "part of a row": replace(FACE, counters=(5, 0, 0, 0), out_counters=(9, 0, 0, 0), dest=64 + 7),
    "across a row": replace(FACE, counters=(3, 0, 0, 0), out_counters=(40, 0, 0, 0), dest=64 + 9),
    "first rows go nowhere": replace(FACE, dest=32, out_counters=(127, 0, 0, 0)),
    "one datum": replace(FACE, out_counters=(0, 0, 0, 0)),
    "no override": replace(FACE, override=False, src_row=32),
    "wraps behind row 63": replace(FACE, dest=64 + 60 * 16),
    "shifted": replace(FACE, shifts=(3, 0, 0, 0)),
    "shifted in context 2": replace(FACE, context=2, shifts=(0, 0, 9, 0)),
    "transposed": replace(FACE, haloize=True),
    "transposed, four faces": replace(FACE, haloize=True, dims=(1024, 1, 1, 1),
                                      out_counters=(1023, 0, 0, 0)),
    "transposed and shifted": replace(FACE, haloize=True, shifts=(2, 0, 0, 0)),
    "tile of 32 columns": replace(FACE, tileize=True, shifts=(8, 0, 0, 0), dims=(1024, 1, 1, 1),
                                  out_counters=(1023, 0, 0, 0)),
    "tile of 32 columns, FP32": replace(
        FACE, given="FP32", wanted="TF32", tileize=True, shifts=(0, 1, 0, 0),
        out_counters=(511, 0, 0, 0)),
    "tile of 16 columns, 8 bits": replace(FACE, given="FP8", tileize=True, shifts=(4, 0, 0, 0)),
    "unpacker 1": replace(FACE, unpacker=1),
    "unpacker 1 from row 16": replace(FACE, unpacker=1, src_row=16, out_counters=(63, 0, 0, 0)),
    "unpacker 1, strides": replace(FACE, unpacker=1, strides=(32, 512, 0),
                                   out_counters=(31, 3, 1, 0)),
    "unpacker 1 wraps": replace(FACE, unpacker=1, src_row=48, out_counters=(511, 0, 0, 0)),
    "unpacker 1 ignores haloize": replace(FACE, unpacker=1, haloize=True),
    "zeros": replace(FACE, all_zero=True),
    "one zero behind each": replace(FACE, upsample=1, out_counters=(63, 0, 0, 0)),
    "three zeros behind each": replace(FACE, upsample=2, out_counters=(20, 0, 0, 0)),
    "every second": replace(FACE, upsample=1, interleave=True, out_counters=(63, 0, 0, 0)),
    "every fourth, unpacker 1": replace(FACE, upsample=2, interleave=True, unpacker=1,
                                        out_counters=(99, 0, 0, 0)),
    "wraps at the limit": replace(FACE, limit=0x1009, fifo_size=8),
    "starts behind the limit": replace(FACE, limit=0x1000, fifo_size=0x80, base=0x1080),
    "exponents wrap": replace(FACE, given="BFP8", dims=(1024, 1, 4, 1), limit=0x1001,
                              fifo_size=0x40, base=0x1040, counters=(192, 0, 0, 0),
                              out_counters=(400, 0, 0, 0)),
    "row search": replace(FACE, row_search=True, counters=(7, 1, 0, 0), dims=(64, 4, 1, 1),
                          out_counters=(64, 0, 0, 0)),
    "blobs": replace(FACE, row_search=True, blobs=4, blobs_y_start=0x00007520,
                     counters=(1, 1, 0, 0), dims=(256, 1, 2, 1)),
    "last blob": replace(FACE, row_search=True, blobs=3, blobs_y_start=0x00007520, multi=False,
                         out_base=128, counters=(2, 2, 1, 0), dims=(256, 1, 2, 1)),
    "to Dst": replace(DST, given="BF16"),
    "to Dst, 32 bits": replace(DST, given="FP32"),
    "to Dst, row 600": replace(DST, given="FP16", dest=64 + 600 * 16),
    "to Dst, row 300 of 32 bits": replace(DST, given="INT32", dest=64 + 300 * 16),
    "to Dst, across rows": replace(DST, given="FP32", dest=64 + 5, out_counters=(50, 0, 0, 0)),
    "to Dst, upsampled": replace(DST, given="INT16", upsample=1, out_counters=(50, 0, 0, 0)),
    "to Dst, wraps": replace(DST, dest=64 + 1020 * 16),
    "to Dst, in front of the first row": replace(DST, dest=16),
    "to Dst, strides": replace(DST, given="FP32", dest=0, strides=(64, 1024, 0),
                               out_counters=(255, 4, 1, 0)),
    "compressed rows": replace(FACE, compressed=True, counters=(0, 3, 0, 0), dims=(256, 16, 2, 1)),
    "compressed, plane 1": replace(FACE, compressed=True, counters=(0, 3, 1, 0),
                                   dims=(256, 16, 2, 1)),
    "compressed, eight bits of z and w": replace(
        FACE, compressed=True, counters=(0, 3, 0x101, 0x100), dims=(256, 16, 2, 1)),
    "compressed, some datums": replace(FACE, compressed=True, counters=(5, 2, 0, 0),
                                       dims=(256, 16, 2, 1), out_counters=(99, 0, 0, 0)),
    "compressed, row search": replace(FACE, compressed=True, row_search=True, unpacker=1,
                                      counters=(4, 3, 0, 0), dims=(256, 16, 2, 1)),
    "compressed, blobs": replace(FACE, compressed=True, row_search=True, blobs=5,
                                 counters=(2, 1, 1, 0), dims=(256, 16, 2, 1)),
    "compressed BFP8": replace(FACE, compressed=True, given="BFP8", counters=(0, 3, 0, 0),
                               dims=(256, 16, 2, 1)),
    "compressed FP32": replace(FACE, compressed=True, given="FP32", wanted="BF16",
                               counters=(9, 5, 0, 0), dims=(256, 16, 2, 1),
                               out_counters=(77, 0, 0, 0)),
    "compressed zeros": replace(FACE, compressed=True, all_zero=True, counters=(0, 3, 0, 0),
                                dims=(256, 16, 2, 1)),
    "compressed and upsampled": replace(FACE, compressed=True, upsample=1, unpacker=1,
                                        counters=(3, 1, 0, 0), dims=(256, 16, 2, 1),
                                        out_counters=(40, 0, 0, 0)),
}
_SRC = ["FP32-TF32", "FP32-BF16", "FP32-FP16", "BF16", "FP16", "FP8", "INT8", "INT16",
        "BFP8", "BFP4", "BFP2", "BFP8a", "BFP4a", "BFP2a"]
_DST = ["FP32", "FP32-TF32", "FP32-BF16", "FP32-FP16", "TF32", "INT32", *_SRC[3:]]
_SRC += ["BFP4-BFP8", "BFP2-BFP8"]
# fmt: on
for _unpacker, _to_dst, _names in ((0, False, _SRC), (1, False, _SRC), (0, True, _DST)):
    for _name in _names:
        _given, _, _wanted = _name.partition("-")
        _where = "Dst" if _to_dst else "AB"[_unpacker]
        MODES[f"{_name} to {_where}"] = replace(
            DST if _to_dst else FACE,
            unpacker=_unpacker,
            given=_given,
            wanted=_wanted,
            dims=(64, 16, 1, 1),
            counters=(24, 1, 0, 0),
            out_counters=(24 + 99, 0, 0, 0),
        )
for _name in ("BFP8", "BFP4", "BFP2", "BFP8a", "BFP4a", "BFP2a"):
    MODES[f"{_name}, forced exponent"] = replace(FACE, given=_name, forced_exponent=20)
    MODES[f"{_name}, no exponents"] = replace(FACE, given=_name, no_exponents=True, base=0x1010)
MODES["UINT8"] = replace(FACE, given="INT8", unsigned=True)
MODES["UINT8 to Dst"] = replace(DST, given="INT8", unsigned=True)
MODES["UINT8 to B"] = replace(FACE, given="INT8", unsigned=True, unpacker=1)
MODES["e4m3"] = replace(FACE, given="FP8", e4m3=True)
MODES["e4m3 to B"] = replace(FACE, given="FP8", e4m3=True, unpacker=1)


def unpack_all(
    S: View,
    thread: int,
    unpacker: int,
    modes: int,
    context: int,
    multi: int,
    adc: int,
    row_search: int,
) -> int:
    """Start an UNPACR and let it do its work."""
    wrong = unpack_start.start(S, thread, unpacker, 0, context, adc, multi, modes, row_search)
    if wrong:
        return wrong
    while S.unpack.count[unpacker]:
        if unpack_run.step(S) < 0:
            return S.stop.code
    return 0


def both(record: Record, u: Unpack) -> int:
    """The instruction alone on both engines, which have to leave the same bytes; 0 or a Fault."""
    modes = (FLIP if u.flip else 0) | (ALL_ZERO if u.all_zero else 0)
    return both_engines(
        unpack_all,
        record,
        *(u.thread, u.unpacker, modes, u.context, int(u.multi), u.adc_thread, int(u.row_search)),
    )


def prepared(u: Unpack, memory: bytes) -> Record:
    record = Record(LAYOUT)
    arrange(record.S, u)
    slot = next(slot for slot in record.layout.slots.values() if slot.path == "l1.byte")
    record.row(slot)[: len(memory)] = memory
    return record


@pytest.mark.parametrize("name", MODES)
def test_as_the_page_has_it(name: str) -> None:
    u = MODES[name]
    memory = memory_of(u)
    record = prepared(u, memory)
    assert both(record, u) == 0
    assert expected(memory, u)
    check(record.S, u, memory)


@pytest.mark.parametrize("name", ["face", "BFP8 to B", "to Dst, 32 bits", "transposed",
                                  "eight bits of z and w", "compressed rows",
                                  "tile of 32 columns"])  # fmt: skip
def test_from_the_thread(tile: Machine, name: str) -> None:
    """Pushed, through the gate, over time; the bank is the Matrix Unit's in the end."""
    u = replace(MODES[name], increments=(1, 2, 3, 1))
    memory = memory_of(u)
    tile.poke(0, BASE, memory[BASE:])
    S = tile.record.S
    arrange(S, u)
    ends(tile, u.text(), thread=u.thread)
    check(S, u, memory)
    i = u.unpacker
    assert S.busy.src_client[i, 0] == MATRIX_OWNS
    assert S.busy.unpack_bank[i] == 1
    assert S.busy.unpacker[i, u.thread] == S.unpack.count[i] == 0
    counters = [S.adc.value[u.thread, i, channel, axis] for channel in (1, 0) for axis in (1, 2)]
    before = [*u.out_counters[1:3], *u.counters[1:3]]
    assert counters == [b + inc for b, inc in zip(before, u.increments, strict=True)]
