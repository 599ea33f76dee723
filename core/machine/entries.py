# SPDX-License-Identifier: Apache-2.0
"""What the engines compile: the functions that Python calls, each with its constants."""

from tensix_gdb.core.clock import sc as clock
from tensix_gdb.core.clock import timed as timed_clock
from tensix_gdb.core.debug import hold as holding
from tensix_gdb.core.engine import Entry
from tensix_gdb.core.tensix.gate import watchpoints as gate_watch
from tensix_gdb.core.timeline.tracer import RUN_TRACED

RUN = Entry("run", clock.run, {"CHECKED": 0})
RUN_CHECKED = Entry("run_checked", clock.run, {"CHECKED": 1})
RUN_TIMED = Entry("run_timed", timed_clock.run_timed, {"CHECKED": 0})
RUN_TIMED_CHECKED = Entry("run_timed_checked", timed_clock.run_timed, {"CHECKED": 1})
HOLD = Entry("hold", holding.hold, {})
DISARM = Entry("disarm", holding.disarm, {})
REMEMBER = Entry("remember", gate_watch.remember, {})
ENTRIES = (RUN, RUN_CHECKED, RUN_TIMED, RUN_TIMED_CHECKED, HOLD, DISARM, REMEMBER, RUN_TRACED)
