# SPDX-License-Identifier: Apache-2.0
"""The last change of each semaphore, for K3."""

from tensix_gdb.core.devices.semaphores import SEMAPHORE_BASE, SEMAPHORES
from tensix_gdb.core.race.operands import Form, semaphores_of
from tensix_gdb.core.race.shadow import site_of
from tensix_gdb.core.race.state import contract
from tensix_gdb.core.race.state.fields import found, is_kernel
from tensix_gdb.core.race.state.table import Group, Number
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.decode import field

MATH_PACK = 1  # of LLK: sections of Dst for the packer


def semaphores(S: View, number: int, word: int, form: int, site: int) -> int:
    """SEMINIT, SEMPOST or SEMGET has passed its gate."""
    mask = semaphores_of(word, number)
    for i in range(SEMAPHORES):
        if (mask >> i) & 1:
            S.state.semaphore_site[i] = site
            unset = 1 if form == Form.SEMPOST and S.semaphore.max[i] == 0 else 0
            if unset and S.state.on & Group.MEMORY and is_kernel(S, site):
                found(S, Number.C8, site, 0, i, 0, 0)
            if form != Form.SEMGET and i == MATH_PACK:
                contract.gives(S, site)
            if form == Form.SEMINIT:
                S.state.semaphore_init[i] = 1 + field(word, number, 1)
    return 0


def stored(S: View, hart: int, stream: int, addr: int) -> int:
    """A store of a hart to a semaphore is about to be processed."""
    index = (addr - SEMAPHORE_BASE) >> 2
    if 0 <= index < SEMAPHORES:
        S.state.semaphore_site[index] = site_of(S, hart, 0, 0, 0, S.stream.pc[hart, stream, 0])
    return 0
