# SPDX-License-Identifier: Apache-2.0
"""Configuration that is put back at the end of a kernel, in the words of a source.

llk        TTI_STALLWAIT(p_stall::STALL_CFG, ...); cfg_reg_rmw_tensix<NAME_RMW>(5);
by name    wait_for_tensix(); configure(NAME, 5);
else       the instructions as numbers
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.race.findings import Report, State
from tensix_gdb.core.race.remedies.remedy import Remedy, RemedyKind
from tensix_gdb.core.tensix.table import opcode
from tensix_gdb.gdbstub.order.tried.restore import by_bytes, instructions, parts
from tensix_gdb.gdbstub.order.tried.spelling import Known, NoPatch, Style, spelled
from tensix_gdb.gdbstub.order.tried.words import CannotTry

RMWCIB0 = opcode("RMWCIB0")
SYNC = Remedy(RemedyKind.SYNC, "", macro="tensix_sync()")


def text(remedy: Remedy, report: Report, thread: int, known: Known) -> str:
    """Return the statements. NoPatch with a sentence."""
    try:
        pushed = instructions(remedy, report, thread)
    except CannotTry as problem:
        raise NoPatch(str(problem)) from None
    assert remedy.value is not None
    found = parts(report, remedy.value, remedy.arch)
    names = [part.name for part in found]
    if known.style is Style.BY_NAME and all(known.has(name) for name in names):
        is_thread = report.place.state is State.THREAD_CONFIG
        if is_thread:
            return f"set_thread(WORD({names[0]}), {remedy.value:#x});"
        if report.later.thread is not None:  # a core's load and store would meet other threads'
            first = spelled(remedy, known, pushed[0])
            return "\n".join([first, *_by_name(report, remedy.value, names[0])])
        lines = [f"configure({part.name}, {part.value:#x});" for part in found]
        return "\n".join([spelled(SYNC, known, None), *lines])
    first = spelled(remedy, known, pushed[0])
    return "\n".join([first, *_llk_or_numbers(remedy, report, pushed, known)])


def _by_name(report: Report, value: int, name: str) -> Iterator[str]:
    """Yield RMWCIB with the names of tensix_isa.h."""
    for word, mask, data in by_bytes(report, value):
        at = f"RMWCIB{(word >> 24) - RMWCIB0}"
        fields = (f"index4(WORD({name}))", f"mask({mask:#x})", f"new_value({data:#x})")
        yield f"TTINSN({' | '.join([at, *(f'{at}_{field}' for field in fields)])});"


def _llk_or_numbers(
    remedy: Remedy, report: Report, pushed: list[int], known: Known
) -> Iterator[str]:
    assert remedy.value is not None
    place = report.place
    if known.style is not Style.LLK:
        yield from (spelled(remedy, known, word) for word in pushed[1:])
        return
    if place.state is State.THREAD_CONFIG:
        yield f"TTI_SETC16({place.index}, {remedy.value:#x}); // {place.words}"
        return
    found = parts(report, remedy.value, remedy.arch)
    has_function = known.has("cfg_reg_rmw_tensix")
    if has_function and all(known.has(f"{part.name}_RMW") for part in found):
        for part in found:
            yield f"ckernel::cfg_reg_rmw_tensix<{part.name}_RMW>({part.value:#x});"
        return
    yield f"// {'; '.join(part.text for part in found)}"
    for word, mask, data in by_bytes(report, remedy.value):
        number = (word >> 24) - RMWCIB0
        yield f"TTI_RMWCIB{number}({mask:#x}, {data:#x}, {place.index});"
