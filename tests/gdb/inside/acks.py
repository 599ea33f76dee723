# SPDX-License-Identifier: Apache-2.0
"""A GDB that acknowledges packets and waits long for answers: it has to send nothing twice."""

import checks
from checks import ELFS, equal, execute, value, within

ROUNDS = 10


def attach():
    execute(f"file {ELFS['B']}")
    execute("set remote noack-packet off")
    execute("set remotetimeout 60")  # so long a lost answer takes
    checks.connect()


def main():
    execute("break beat if beats % 5000 == 4999")  # not in the first moment of a run
    for count in range(1, ROUNDS + 1):
        execute("continue")
        equal(value("beats"), 5000 * count - 1, "the condition comes true")
        # The first takes long for the server, the second is acknowledged twice.
        within("matched", execute("compare-sections .text"), "a checksum")
        within("cycle", execute("monitor status"), "and a packet of text")


checks.run(main, attach)
