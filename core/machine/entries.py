# SPDX-License-Identifier: Apache-2.0
"""The functions that Python calls, each with its constants: what the engines compile."""

from tensix_gdb.core.clock.sc import run
from tensix_gdb.core.clock.timed import run_timed
from tensix_gdb.core.debug.freeze import disarm, freeze
from tensix_gdb.core.engine import Entry, Fixed
from tensix_gdb.core.links import tile
from tensix_gdb.core.memory import regions
from tensix_gdb.core.noc import carry
from tensix_gdb.core.noc.deliver import deliver
from tensix_gdb.core.noc.dram_data import serve
from tensix_gdb.core.noc.finish import finish
from tensix_gdb.core.noc.order import next_due
from tensix_gdb.core.race.network import tiles
from tensix_gdb.core.race.network.host import accessed
from tensix_gdb.core.tensix.gate.watchpoints import remember
from tensix_gdb.core.timeline.tracer import RUN_TRACED

RUN = Entry("run", run, {"CHECKED": 0})
RUN_CHECKED = Entry("run_checked", run, {"CHECKED": 1})
RUN_TIMED = Entry("run_timed", run_timed, {"CHECKED": 0})
RUN_TIMED_CHECKED = Entry("run_timed_checked", run_timed, {"CHECKED": 1})
FREEZE = Entry("freeze", freeze)
DISARM = Entry("disarm", disarm)
REMEMBER = Entry("remember", remember)
NEXT_DUE = Entry("next_due", next_due, {"ALL": 1})
NEXT_DELIVERY = Entry("next_delivery", next_due, {"ALL": 0})
LEAVE, TOLD = Entry("leave", tile.leave), Entry("told", tile.told)  # of a chip's links
HOST_ACCESS = Entry("host_access", accessed)
# A request that comes over the NoC; what the host does to 140 tiles when it boots are thousands.
NOC_READ, NOC_WRITE = Entry("noc_read", regions.read), Entry("noc_write", regions.write)
# Requests between tiles, and the rest of a quantum (core/chip).
ARRIVE, COME_BACK = Entry("arrive", carry.arrive), Entry("come_back", carry.come_back)
REACH, ANSWER = Entry("reach", carry.reach), Entry("answer", carry.answer)
FINISH, DELIVER = Entry("finish", finish), Entry("deliver", deliver)
SERVE = Entry("serve", serve)  # of a request for DRAM, where Python attends to the stop
NEAR_END, FAR_END = Entry("near_end", tiles.near), Entry("far_end", tiles.far)
ENTRIES = (
    *(RUN, RUN_CHECKED, RUN_TIMED, RUN_TIMED_CHECKED, FREEZE, DISARM, REMEMBER, RUN_TRACED),
    NEXT_DUE,
    NEXT_DELIVERY,
    LEAVE,
    TOLD,
    HOST_ACCESS,
    NEAR_END,
    FAR_END,
    NOC_READ,
    NOC_WRITE,
    *(ARRIVE, COME_BACK, REACH, ANSWER, FINISH, DELIVER, SERVE),
)


def fixed_rows(chip: int) -> Fixed:
    """Return the rows that never change in a machine's record: which chip it is
    (core/arch/chips.py). Each engine compiles the functions of its machine's chip, and no
    others."""
    return (("tile", "chip", chip),)
