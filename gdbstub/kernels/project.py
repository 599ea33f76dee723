# SPDX-License-Identifier: Apache-2.0
"""Write a new project: a kernel, its input tiles, a test, and files for editors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from tensix_gdb.core.tiles.npy import Array, written
from tensix_gdb.gdbstub.kernels.places import FOLDER
from tensix_gdb.gdbstub.usage import UsageError

TEMPLATE = FOLDER / "template"
# The kernels, and what `build` is given for them: the headers of LLK may have to be downloaded.
KERNELS = {"add.c": ("add.c",), "add.cpp": ("--get-llk", "add.cpp")}
KERNEL = '"@KERNEL@"'  # stands for these arguments in the other files
TILES, SIZE = 4, 32
# The tiles of both kernels, and how they are run.
FILES = (
    *("--tile 0x21000=left.npy:bf16", "--tile 0x31000=right.npy:bf16"),
    "--expect 0x41000=sum.npy:bf16",
)
RUN = f"tensix-gdb run --dir build {' '.join(FILES)}"
ENDING = ".template"  # of a file that is no module of this package


def write_project(folder: Path, kernel: str) -> list[Path]:
    """Write the project into a folder; return the files. UsageError if one is there already."""
    files = {folder / name: content for name, content in _files(kernel)}
    there = [path for path in files if path.exists()]
    if there:
        raise UsageError(f"{there[0]} is there already: name another folder, or move it away")
    try:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(content)
    except OSError as problem:
        raise UsageError(f"{folder}: cannot be written: {problem.strerror}") from None
    return list(files)


def _files(kernel: str) -> Iterator[tuple[str, bytes]]:
    arguments = ", ".join(f'"{one}"' for one in KERNELS[kernel])
    for path in sorted(TEMPLATE.rglob("*")):
        name = str(path.relative_to(TEMPLATE))
        others = name in KERNELS and name != kernel
        if path.is_file() and not others:
            yield (
                name.removesuffix(ENDING),
                path.read_bytes().replace(KERNEL.encode(), arguments.encode()),
            )
    # Numbers that tell where they come from; BF16 has every sum.
    yield "left.npy", tiles(lambda tile, row, column: column + SIZE * tile)
    yield "right.npy", tiles(lambda tile, row, column: 2 * row)
    yield "sum.npy", tiles(lambda tile, row, column: column + SIZE * tile + 2 * row)


def tiles(value: Callable[[int, int, int], float]) -> bytes:
    """An array for the tiles, one above the other: what a debugger shows is easy to recognise."""
    values = [
        value(tile, row, column)
        for tile in range(TILES)
        for row in range(SIZE)
        for column in range(SIZE)
    ]
    return written(Array((TILES * SIZE, SIZE), values), "f4")
