# SPDX-License-Identifier: Apache-2.0
"""`monitor order` while the packer works."""

from __future__ import annotations

import re

from tensix_gdb.core.arch.blackhole import T2
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.assembler import EBREAK, image
from tests.core.tensix.packer.packer import BF16, bf16_row, configure, formats, pack, x_end
from tests.core.tensix.programs import push_all
from tests.machines import machine_on


def test_what_the_packer_has_under_way() -> None:
    machine = machine_on("reference", Schedule.LATENCY)
    formats(machine, BF16, BF16)
    for row in range(4):
        bf16_row(machine, row, [0x3F80] * 16)
    configure(machine, THCON_SEC0_REG10_Packer_Reg_Wr_Addr=0x28 >> 2)
    x_end(machine, 9)
    program = ["PACR", "PACR_SETREG.Write push=1, addr_sel=0, stream_id=0x11, flush=1", "PACR"]
    machine.load(T2, image([*push_all(program), EBREAK], 0x2000))
    monitor = tensix_target(machine).monitor
    assert monitor is not None
    seen: list[str] = []
    for _ in range(60):
        machine.run(1)
        for line in monitor.command(1, "order", running=False).splitlines():
            if re.search(r"PACR|in the packer", line) and "pushed" not in line:
                text = re.sub(r"T2[ a-z]*? {2}", "T2  ", line.strip())
                if (text not in seen and "store to" not in text) or "SETREG: store" in text:
                    seen.append(text)
    assert "T2  in pack  PACR has not read rows 0, 1, 2, 3 of Dst yet (C3)" in seen
    assert "T2  emitted  PACR: store of 80 bytes to L1 at 0x00020000 (C3)" in seen
    assert "T2  emitted  PACR_SETREG: store to 0xffb11028 (C3)" in seen
    # Forty datums are 80 bytes; of the last pack nothing is left over either.
    assert not [line for line in seen if "until a flush" in line]
    x_end(machine, 2)
    pack(machine, "PACR read_intf_sel=R0")
    shown = monitor.command(1, "order", running=False)
    assert re.search(r"in the packer 6 bytes of datums for 0x000\w{5}, until a flush", shown)
    machine.close()
