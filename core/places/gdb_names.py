# SPDX-License-Identifier: Apache-2.0
"""GDB's names of registers, as words of a place: `$gpr[5]` is `gpr 5`, `$lreg3.f[7]` `lreg 3.7`.

They are those of the registers of a Tensix thread (`info registers tensix`) and of a hart. GDB
means those of the selected thread, so the words name no owner.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tensix_gdb.core.places.place import COUNTERS, NotAPlace

_NAME = re.compile(r"(\$?)([a-z]\w*?)(?:\.(\w+))?(?:\[(\d+)\])?", re.IGNORECASE)
_LREG = re.compile(r"lreg(\d+)")
_UNITS = {"adc_unp0": "UNP0", "adc_unp1": "UNP1", "adc_pack": "PAC"}


def plain(words: Sequence[str]) -> list[str]:
    """Return the words, with a name of GDB's as words of a place. NotAPlace for a `$` that is
    none."""
    found = _NAME.fullmatch(words[0])
    if found is None:
        return list(words)
    dollar, name, member, index = found[1], found[2].lower(), found[3] or "", found[4]
    if match := _LREG.fullmatch(name):
        return ["lreg", match[1] + (f".{index}" if index else ""), *words[1:]]
    if not dollar and (index is None or member):
        return list(words)  # a word of a place, or a row of the record
    if name in ("gpr", "mutex", "sem") and index is not None:
        return [name, index + (".max" if member == "max" else ""), *words[1:]]
    if name in _UNITS and index is not None and member in ("ch0", "ch1") and int(index) < 4:
        return ["adc", _UNITS[name], COUNTERS[4 * int(member[-1]) + int(index)], *words[1:]]
    if name == "rwc" and member:
        return ["rwc", member, *words[1:]]
    if name == "cfg_bank":
        return ["cfg", "CFG_STATE_ID_StateID", *words[1:]]
    if not dollar:
        return list(words)
    if member or index:
        raise NotAPlace(f"{words[0]} is no place: type for example $gpr[5] or $lreg3.f[7]")
    # `$dst 16.4`: as people write it.
    return [name, *words[1:]] if words[1:] else ["reg", name]
