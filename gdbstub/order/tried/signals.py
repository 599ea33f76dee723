# SPDX-License-Identifier: Apache-2.0
"""A semaphore between two agents, in the words of a source: its init, and the post of a core and
its wait. What a thread executes is spelled as any instruction is (spelling.py).

The semaphore is one that no program uses. Its init is where the function of the poster begins, so
it comes before the first post; a wait before that waits, as the semaphore is 0.
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import T0, THREADS
from tensix_gdb.core.race.remedies.remedy import Remedy, RemedyKind
from tensix_gdb.gdbstub.order.tried import words
from tensix_gdb.gdbstub.order.tried.spelling import Known, NoPatch, Style, spelled
from tensix_gdb.gdbstub.order.tried.words import Insertion, Part


def init(remedy: Remedy, hart: int, known: Known) -> str:
    """Return what initialises the semaphore; a core that posts it by a store waits for that."""
    assert remedy.semaphore is not None
    if not 0 <= hart - T0 < THREADS:
        raise NoPatch("a core without a thread would have to initialise the semaphore")
    text = spelled(remedy, known, words.init_word(remedy.semaphore))
    if remedy.spots[0].thread is None:
        sync = Remedy(RemedyKind.SYNC, "", macro="tensix_sync()")
        text += "\n" + spelled(sync, known, None)
    return text


def of_core(put: Insertion, semaphore: int, known: Known) -> str:
    """Return the post or the wait of a core."""
    place = f"*(volatile unsigned *){words.SEMAPHORES + 4 * semaphore:#x}"
    is_llk = known.style is Style.LLK and known.has("semaphore_read")
    if put.part is Part.POST:
        if is_llk:
            return f"ckernel::semaphore_post({semaphore});"
        return f"{place} = 0; /* posts semaphore {semaphore} */"
    if put.part is Part.WHOLE:  # what takes it is in the program
        if is_llk:
            return f"while (ckernel::semaphore_read({semaphore}) == 0)\n{{\n}}"
        return f"while (!{place}) {{\n}} /* until semaphore {semaphore} is posted */"
    if is_llk:
        return (
            f"while (ckernel::semaphore_read({semaphore}) == 0)\n{{\n}}\n"
            f"ckernel::semaphore_get({semaphore});"
        )
    return f"while (!{place}) {{\n}}\n{place} = 1; /* takes semaphore {semaphore} */"
