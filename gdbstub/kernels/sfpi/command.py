# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb sfpi`: say which SFPI is used, and get it."""

from __future__ import annotations

import json

from tensix_gdb.gdbstub.kernels.sfpi import pinned
from tensix_gdb.gdbstub.kernels.sfpi.find import Place, find_sfpi, here, in_cache
from tensix_gdb.gdbstub.kernels.sfpi.install import install, what_is_downloaded
from tensix_gdb.gdbstub.kernels.sfpi.options import SfpiOptions
from tensix_gdb.gdbstub.kernels.sfpi.version import Version, version_of
from tensix_gdb.gdbstub.usage import UsageError

FOUND, NONE_FOUND = 0, 1


def sfpi(options: SfpiOptions) -> int:
    """Print what is here; 0 if an SFPI is found that runs."""
    if options.wheel is not None and not options.install:
        raise UsageError("--wheel says what --install unpacks: add --install")
    if options.install and not install(options.wheel) and not options.json:
        print(f"SFPI {pinned.PINNED.version} is in {in_cache()} already: nothing was downloaded")
    used = find_sfpi(options.sfpi)
    version = None if used is None else version_of(used.folder)
    others = [place for place in here() if used is None or place.folder != used.folder]
    if options.json:
        rows = [_row(place) for place in others]
        print(json.dumps({"used": used and _row(used), "others": rows}, indent=1))
    else:
        print("\n".join(_lines(used, version, others)))
    return NONE_FOUND if version is None else FOUND


def _lines(used: Place | None, version: Version | None, others: list[Place]) -> list[str]:
    lines = []
    if used is None:
        lines.append(
            "no SFPI is used: Debian's compiler compiles kernels in C; LLK and ttnn need it"
        )
    elif version is None:
        lines.append(f"the SFPI in {used.folder} ({used.how}) does not run here")
    else:
        lines.append(f"SFPI {version}: {used.folder} ({used.how})")
    for place in others:
        other = version_of(place.folder)
        lines.append(f"not used: {other or 'does not run here'}: {place.folder} ({place.how})")
    if used is None and not others:
        lines.append(
            f"`tensix-gdb sfpi --install` downloads {what_is_downloaded()} to {in_cache()}"
        )
    return lines


def _row(place: Place) -> dict[str, str | None]:
    version = version_of(place.folder)
    return {
        "folder": str(place.folder),
        "how": place.how,
        "release": None if version is None else version.release,
        "gcc": None if version is None else version.gcc,
    }
