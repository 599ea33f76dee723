# SPDX-License-Identifier: Apache-2.0
"""A session of tt-exalens: the simulator, the ELF, and where to break, in hex; prints facts.

It is a process of its own, because the driver's libraries stay in the process that loads them.
"""

import json
import sys
import time

from ttexalens import tt_exalens_init, tt_exalens_lib
from ttexalens.coordinate import OnChipCoordinate

CORE = "0,0"


def main(simulator: str, elf: str, place: str) -> dict[str, object]:
    """Return what a person would look at, in this order."""
    context = tt_exalens_init.init_ttexalens(simulation_directory=simulator)
    found: dict[str, object] = {}
    tt_exalens_lib.write_words_to_device(CORE, 0x1000, [1, 2, 3, 4])
    found["words"] = list(tt_exalens_lib.read_words_from_device(CORE, 0x1000, word_count=4))
    device = context.devices[0]
    block = device.get_block(OnChipCoordinate.create(CORE, device=device))
    found["reset"] = {r.risc_location.risc_name: r.is_in_reset() for r in block.all_riscs}

    tt_exalens_lib.run_elf(elf, CORE, "brisc")
    risc = block.get_risc_debug("brisc")
    risc.halt()
    found["halted"] = risc.is_halted()
    before = risc.get_pc()
    risc.step()
    found["stepped"] = risc.get_pc() != before
    risc.write_gpr(28, 0x1234)
    found["gpr"] = risc.read_gpr(28)
    found["memory"] = risc.read_memory(0x1004)

    risc.set_watchpoint_on_pc_address(0, int(place, 16))
    risc.cont()
    deadline = time.monotonic() + 900
    while not risc.is_halted() and time.monotonic() < deadline:
        pass
    found["hit"] = risc.read_status().is_pc_watchpoint_hit
    frames = tt_exalens_lib.callstack(CORE, [elf], risc_name="brisc")
    found["callstack"] = [frame.function_name for frame in frames]
    return found


if __name__ == "__main__":
    print("FOUND " + json.dumps(main(*sys.argv[1:])), flush=True)
