# SPDX-License-Identifier: Apache-2.0
"""`while THREADED and n < budget`: an interpreter's loop, of which each arm goes on to the next one.

To Python it is `True`. To the compiled engine it says: the loop dispatches once, and no arm of the
dispatch is to come back to a common end. Each arm becomes a function that has the rest of the loop's
body and its condition at its own end, and calls the next arm as its last act. So a processor
sees for each kind of instruction what comes after it, and a value that is computed in an arm stays
in a register until the next one begins.

`continue` makes an end of its own, too: where an arm knows which of two ways it goes, a `continue` in
each lets the processor predict that before it is known (`clock.sc.burst`, for branches).
"""

THREADED = True
