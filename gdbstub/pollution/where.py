# SPDX-License-Identifier: Apache-2.0
"""The part of an operation that an instruction belongs to, in the words of LLK's contract.

LLK's operations have no names in the binary, but the functions of each are inlined, and the debug
information keeps them: `_llk_unpack_AB_init_` is the INIT of an operation, `_llk_unpack_AB_` its
EXECUTE, `_llk_unpack_AB_uninit_` its UNINIT. The outermost one is what the kernel has called. A
program without such functions has its own ones in their place.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.explain.inlining import PLUMBING, Step
from tensix_gdb.core.machine import Machine

INIT, EXECUTE, UNINIT, CONFIGURE = "INIT", "EXECUTE", "UNINIT", "CONFIGURE"
_OPERATION = re.compile(r"_*llk_\w+|\w*_tile(_init)?")
_SECTIONS = (
    (re.compile(r"uninit|(^|_)restore"), UNINIT),
    (re.compile(r"hw_configure|reconfig\w*(data_format|tile_shape)|device_setup"), CONFIGURE),
    # Parts of these that the compiler has not inlined.
    (re.compile(r"^(configure_unpack_AB|configure_pack|set_packer_strides)$"), CONFIGURE),
    (re.compile(r"init"), INIT),
)


@dataclass(frozen=True, slots=True)
class Where:
    """An instruction: the function of an operation, its section, and the line that pushes it."""

    function: str  # "_llk_unpack_AB_init_", or of a program without LLK its own one
    section: str
    line: str  # "llk_unpack_AB.h:120"
    kernel_line: str = ""  # of the kernel that has called it

    @property
    def text(self) -> str:
        """`_llk_unpack_AB_ (llk_unpack_AB.h:120)`."""
        return f"{self.function} ({self.line})" if self.line else self.function


NOWHERE = Where("code without a name", EXECUTE, "")


def section_of(function: str) -> str:
    """Return the section of an operation that a function is, by its name."""
    for pattern, section in _SECTIONS:
        if pattern.search(function):
            return section
    return EXECUTE


def where(machine: Machine, hart: int, pc: int) -> Where:
    """Return what an address of a hart's program belongs to."""
    image = machine.places.image(hart, pc)
    if image is None:
        return Where(f"code at {pc:#x}", EXECUTE, "")
    steps = machine.places.inlining.learn(image).at(pc)
    if not steps:
        function = image.function_at(pc)
        line = image.symbolize(pc) or ""
        name = function.shown if function else f"code at {pc:#x}"
        return Where(name, section_of(name), line)
    return _of_steps(steps)


def _of_steps(steps: list[Step]) -> Where:
    names = [_plain(step.function) for step in steps]
    calls = [i for i, name in enumerate(names) if _OPERATION.fullmatch(name)]
    at = calls[-1] if calls else len(steps) - 1 if len(steps) == 1 else 0
    if not calls:
        # The innermost function that is no plumbing: a program's own one.
        at = next((i for i, step in enumerate(steps) if not _is_plumbing(step)), 0)
    inner = next((step for step in steps[: at + 1] if not _is_plumbing(step)), steps[at])
    outer = steps[at + 1].place if at + 1 < len(steps) else ""
    return Where(names[at], section_of(names[at]), inner.place, outer)


def _is_plumbing(step: Step) -> bool:
    return PurePath(step.file).name in PLUMBING


def _plain(function: str) -> str:
    """A function without its template arguments and namespaces."""
    return function.partition("<")[0].rpartition("::")[2]
