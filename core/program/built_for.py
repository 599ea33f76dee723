# SPDX-License-Identifier: Apache-2.0
"""For which chip a program was built, as its RISC-V attributes tell: the compiler writes there
which extensions it was allowed to use.

Tenstorrent's compiler names its own extensions after the chip (`xtttensixbh`, `xttwh`). Another one
leaves only the standard extensions; Zba, Zbb and Zaamo are Blackhole's.
"""

from __future__ import annotations

import re

from tensix_gdb.core.program.elf import Image

BLACKHOLE, WORMHOLE = "Blackhole", "Wormhole"
_ARCH = re.compile(rb"rv32[a-z0-9_]+")
_OWN = re.compile(r"_(x(?:tt|sfpu?)\w*?(bh|wh))\d")
_BLACKHOLES = re.compile(r"_(zba|zbb|zaamo)\d")


def built_for(image: Image) -> tuple[str, str] | None:
    """Return the chip, and the extension that tells; None where the attributes do not."""
    section = image.section(".riscv.attributes")
    found = None if section is None else _ARCH.search(section[1])
    if found is None:
        return None
    text = found[0].decode("ascii")
    if own := _OWN.search(text):
        return (BLACKHOLE if own[2] == "bh" else WORMHOLE), own[1].capitalize()
    if standard := _BLACKHOLES.search(text):
        return BLACKHOLE, standard[1].capitalize()
    return None
