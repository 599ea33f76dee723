# SPDX-License-Identifier: Apache-2.0
"""Make the library that the page draws charts with, D3, as one file that is in the wheel.

    python -m scripts.vendor            make gdbstub/pages/web/page/vendor/d3.js and its licences
    python -m scripts.vendor --check    see that the file is what the packages give

It needs npm. The versions are those of package.json beside this file.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = HERE.parents[1] / "gdbstub" / "pages" / "web" / "page" / "vendor"
BUILDER = "esbuild"
OPTIONS = ("--bundle", "--minify", "--format=iife", "--global-name=d3", "--target=es2022")


def packages() -> dict[str, str]:
    """The version of each package whose code is in the file."""
    wanted = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]
    return {name: version for name, version in wanted.items() if name != BUILDER}


def header() -> str:
    """The first line of the file."""
    named = ", ".join(f"{name} {version}" for name, version in packages().items())
    return f"/* {named}: licences in LICENSES.txt. Made by python -m scripts.vendor */\n"


def made() -> tuple[str, str]:
    """The file, and the licences of what is in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for each in ("package.json", "entry.js"):
            shutil.copy(HERE / each, folder)
        run = {"cwd": folder, "check": True, "stdout": subprocess.DEVNULL}
        subprocess.run(["npm", "install", "--no-audit", "--no-fund"], **run)  # type: ignore[call-overload]
        there = folder / "node_modules"
        binary = there / ".bin" / BUILDER
        subprocess.run([binary, "entry.js", *OPTIONS, "--outfile=d3.js"], **run)  # type: ignore[call-overload]
        text = header() + (folder / "d3.js").read_text(encoding="utf-8")
        licences = [
            f"{each} {version}\n\n{(there / each / 'LICENSE').read_text('utf-8').strip()}\n"
            for each, version in packages().items()
        ]
    return text, "\n\n".join(licences)


def main(argv: Sequence[str]) -> int:
    """Write the files, or compare them."""
    if argv not in ([], ["--check"]):
        print(f"{__doc__}\nusage: python -m scripts.vendor [--check]")
        return 0 if argv[0] in ("--help", "-h") else 2
    files = dict(zip((OUT / "d3.js", OUT / "LICENSES.txt"), made(), strict=True))
    if argv[:1] == ["--check"]:
        other = [path for path, text in files.items() if path.read_text(encoding="utf-8") != text]
        for path in other:
            print(f"{path} is not what the packages give: run python -m scripts.vendor")
        return 1 if other else 0
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
