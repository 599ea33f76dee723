# SPDX-License-Identifier: Apache-2.0
"""Instructions that both chips encode in the same way, and that stop by name on Wormhole.

A row of the Tensix tables holds for both chips where their pages agree. The function of a row that
is named here was read against Blackhole only: its settings, its formats or its registers may be
others on Wormhole. `table.py` gives each of them a row of Wormhole's own, without a function, so
that no instruction computes with Blackhole's meaning there. An entry leaves when Wormhole's page
has been read against the function, or has a function of its own.
"""

from tensix_gdb.core.tensix.instruction import WH

# By name: the page that is to be read.
NOT_MODELLED = {
    name: f"{WH}{page or name.partition('.')[0]}.md"
    for name, page in {
        # Matrix Unit: the histograms are the packers'.
        "CLREXPHIST": "",
        # Scalar Unit and Miscellaneous Unit, where they reach source banks.
        "STOREIND.Src": "STOREIND_Src",
        "REG2FLOP.Configuration": "REG2FLOP_Configuration",
        "SETDVALID": "",
    }.items()
}
