# SPDX-License-Identifier: Apache-2.0
"""`while THREADED and n < budget`: an interpreter's loop, whose arms go on to each other.

To Python it is `True`. To the compiled engine it says: the loop dispatches once, and no arm of the
dispatch is to come back to a common end. Each arm becomes a function that has the rest of the
loop's body and its condition at its own end, and calls the next arm as its last act. So a processor
learns for each kind of instruction what comes after it.

A `continue` makes an end of its own, too. Where an arm goes one of two ways, with a `continue` for
one of them, the processor predicts which, and goes on before it is known (`clock.sc.burst`, for
branches).
"""

THREADED = True
