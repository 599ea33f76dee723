# SPDX-License-Identifier: Apache-2.0
"""A wrong constant in a kernel of ttnn: tt-metal's folder as links, with one changed file."""

from __future__ import annotations

from pathlib import Path

LLK_API = Path("tt_metal/hw/ckernels/blackhole/metal/llk_api/llk_sfpu")
HEADER = LLK_API / "ckernel_sfpu_sigmoid.h"
OLD, NEW = "denominator = 1.0f +", "denominator = 1.25f +"


def planted_root(base: Path, folder: Path, header: Path, old: str, new: str) -> Path:
    """Make `folder` a copy of tt-metal's folder, of links, in which a header has another text.
    ValueError if it does not have the old one once."""
    text = (base / header).read_text("utf-8")
    if text.count(old) != 1:
        raise ValueError(f"{header} has {old!r} {text.count(old)} times, so it is another version")
    source, made = base, folder
    for part in header.parts:
        made.mkdir(parents=True)
        for path in source.iterdir():
            if path.name != part:
                (made / path.name).symlink_to(path.resolve())
        source, made = source / part, made / part
    made.write_text(text.replace(old, new), "utf-8")
    return folder
