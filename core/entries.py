# SPDX-License-Identifier: Apache-2.0
"""What the engines compile: the functions that Python calls, each with its constants."""

from core import clock
from core.engine import Entry

RUN = Entry("run", clock.run, {"CHECKED": 0})
RUN_CHECKED = Entry("run_checked", clock.run, {"CHECKED": 1})
ENTRIES = (RUN, RUN_CHECKED)
