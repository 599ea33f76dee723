# SPDX-License-Identifier: Apache-2.0
"""Address counters and row counters, by the functional models of their pages."""

from __future__ import annotations

import random

import pytest

from tensix_gdb.core.devices.backend_config import THREAD_WORDS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.regfiles.rwc import (
    AB_WORD,
    BIAS_WORD,
    DST_WORD,
    apply_addr_mod,
    apply_partial_addr_mod,
)
from tests.core.tensix.drive import ends
from tests.vectors import both_engines


def test_set_add_and_return(tile: Machine) -> None:
    ends(
        tile,
        "SETADCXY pk=1, u1=0, u0=1, y1_val=7, x1_val=6, y0_val=5, x0_val=4, y1=1, x1=0, y0=1, x0=1",
        "INCADCXY pk=0, u1=0, u0=1, y1_inc=4, x1_inc=3, y0_inc=2, x0_inc=1",
        "ADDRCRXY pk=1, u1=0, u0=0, y1_inc=1, x1_inc=2, y0_inc=3, x0_inc=4, y1=0, x1=1, y0=1, x0=0",
        thread=1,
    )
    adc = tile.record.S.adc
    assert [adc.value[1, 0, c, a] for c in (0, 1) for a in (0, 1)] == [5, 7, 3, 11]
    assert [adc.cr[1, 0, c, a] for c in (0, 1) for a in (0, 1)] == [4, 5, 0, 7]
    assert [adc.value[1, 2, c, a] for c in (0, 1) for a in (0, 1)] == [4, 8, 2, 7]
    assert [adc.cr[1, 2, c, a] for c in (0, 1) for a in (0, 1)] == [4, 8, 2, 7]
    assert not any(adc.value[1, 1, c, a] for c in (0, 1) for a in range(4))


def test_the_thread_of_an_override_is_no_part_of_the_value(tile: Machine) -> None:
    """X has 18 bits, and the upper two of SETADC's value say which thread's counters are meant."""
    ends(tile, *(f"SETADC u0=1, channel=1, new_value={thread << 16 | 255}" for thread in (2, 3)))
    adc = tile.record.S.adc
    for counters in (adc.value, adc.cr):
        assert [counters[thread, 0, 1, 0] for thread in range(3)] == [0, 255, 255]


def test_row_counters(tile: Machine) -> None:
    ends(
        tile,
        "SETRWC dst_val=15, src_b_val=3, src_a_val=2, dst=1, src_b=1, src_a=1",
        "INCRWC dst_inc=4, src_b_inc=1, src_a_inc=1",
        "INCRWC dst_cr=1, dst_inc=3, src_b_cr=1, src_b_inc=2",
        "SETRWC dst_c_to_cr=1, dst_val=1",
        thread=2,
    )
    rwc = tile.record.S.rwc
    assert (rwc.dst[2], rwc.dst_cr[2]) == (19, 19)
    assert (rwc.src_a[2], rwc.src_a_cr[2]) == (3, 2)
    assert (rwc.src_b[2], rwc.src_b_cr[2]) == (5, 5)


def addr_mod(config: list[int], rwc: dict[str, int], index: int, partial: bool) -> dict[str, int]:
    """ApplyAddrMod of RWCs.md, on words of ThreadConfig, with Blackhole's three bits."""
    now = dict(rwc)
    index |= now["extra_bit"] << 2
    ab, dst, bias = (config[word + index] for word in (AB_WORD, DST_WORD, BIAS_WORD))
    for name, bits in (("src_a", ab & 0xFF), ("src_b", ab >> 8)):
        if bits & 0x80:
            now[name] = now[f"{name}_cr"] = 0
        elif bits & 0x40:
            now[name] = now[f"{name}_cr"] = (now[f"{name}_cr"] + (bits & 0x3F)) % 64
        else:
            now[name] = (now[name] + (bits & 0x3F)) % 64
    by = dst & 0x3FF
    if dst & 1 << 11:
        now["dst"] = now["dst_cr"] = 0
    elif dst & 1 << 12:
        now["dst"] = now["dst_cr"] = (now["dst"] + by) % 1024
    elif dst & 1 << 10:
        now["dst"] = now["dst_cr"] = (now["dst_cr"] + by) % 1024
    else:
        now["dst"] = (now["dst"] + by) % 1024
    if not partial:
        step = now["fidelity"] + (dst >> 13 & 3)
        now["fidelity"] = 0 if dst >> 15 else step % 4
    if bias & 1 << 4:
        now["extra_bit"] = 0
    elif bias & 3:
        now["extra_bit"] ^= 1
    return now


@pytest.mark.parametrize("partial", [False, True])
def test_addr_mods(partial: bool) -> None:
    """All eight sets, 40 applied one after the other, with random increments."""
    draw = random.Random(5)
    record = Record(LAYOUT)
    S = record.S
    rwc = dict.fromkeys(("dst", "dst_cr", "src_a", "src_a_cr", "src_b", "src_b_cr"), 0)
    rwc |= {"fidelity": 0, "extra_bit": 0}
    function = apply_partial_addr_mod if partial else apply_addr_mod
    for number in range(40):
        config = [draw.getrandbits(16) for _ in range(THREAD_WORDS)]
        for word, value in enumerate(config):
            S.config.thread[1, word] = value
        index = number % 8
        both_engines(function, record, 1, index)
        rwc = addr_mod(config, rwc, index, partial)
        assert {name: getattr(S.rwc, name)[1] for name in rwc} == rwc
        assert not any(getattr(S.rwc, name)[t] for name in rwc for t in (0, 2))
