# SPDX-License-Identifier: Apache-2.0
"""Write a new project: a kernel, its input tiles, a test, and files for editors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.tiles.npy import Array, written
from tensix_gdb.gdbstub.kernels.places import FOLDER
from tensix_gdb.gdbstub.usage import UsageError

TEMPLATE = FOLDER / "template"
# The kernels, and what `build` is given for them: the headers of LLK may have to be downloaded.
KERNELS = {"add.c": ("add.c",), "add.cpp": ("--get-llk", "add.cpp")}
COMMENT = {"add.c": " *", "add.cpp": "//"}  # before each line of one
# What stands for these arguments in the other files, and for those that name the chip.
KERNEL, MARK, OPTIONS, HOW = '"@KERNEL@"', "@MARK@", "@OPTIONS@", "@RUN@"
# What the kernels have instead on Wormhole. In C: STALLWAIT's condition for the Matrix Unit; of a
# PACR the last datum, not the last column of four rows; unpacker 0 without THCON_SEC0_REG1, so the
# packer clears the last word of it; the Matrix Unit looks at the override of SrcA's format. With
# LLK: the packers' function has fewer parameters.
ON_WORMHOLE = {
    "STALLWAIT_block_B1 | STALLWAIT_wait_C4": "STALLWAIT_block_B1 | STALLWAIT_wait_C7",
    "SETADCXX_pk(1) | SETADCXX_x1_val(15)": "SETADCXX_pk(1) | SETADCXX_x1_val(4 * 16 - 1)",
    "WORD(ALU_ROUNDING_MODE_Fpu_srnd_en)": "WORD(ALU_FORMAT_SPEC_REG_SrcA_val)",
    "WORD(THCON_SEC0_REG1_Unp_LF8_4b_exp)": "WORD(THCON_SEC0_REG2_Out_data_format)",
    "WORD(THCON_SEC0_REG1_In_data_format)": "WORD(THCON_SEC0_REG1_Pack_L1_Acc)",
    "BF16, FACE_ROWS, SHAPE.total_col_dim(), FACES, 1, false)": "BF16, FACE_ROWS, FACES)",
}
TILES, SIZE = 4, 32
# The tiles of both kernels, and how they are run.
FILES = (
    *("--tile 0x21000=left.npy:bf16", "--tile 0x31000=right.npy:bf16"),
    "--expect 0x41000=sum.npy:bf16",
)
ENDING = ".template"  # of a file that is no module of this package


def typed_to_run(arch: Arch = Arch.BLACKHOLE) -> str:
    """Return the command that runs the kernel and compares its tiles."""
    return f"tensix-gdb run{' '.join(['', *chip(arch)])} --dir build {' '.join(FILES)}"


def typed_in_lines(arch: Arch) -> list[str]:
    """Return the same in parts that fit into lines of a comment (gdbstub/vscode/plan.py)."""
    return [f"tensix-gdb run{' '.join(['', *chip(arch)])} --dir build", *FILES]


def chip(arch: Arch) -> tuple[str, ...]:
    """Declare the option for a chip, where it is needed."""
    return () if arch is Arch.BLACKHOLE else ("--arch", arch.title.lower())


RUN = typed_to_run()


def write_project(folder: Path, kernel: str, arch: Arch = Arch.BLACKHOLE) -> list[Path]:
    """Write the project into a folder; return the files. UsageError if one is there already."""
    files = {folder / name: content for name, content in _files(kernel, arch)}
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


def _files(kernel: str, arch: Arch) -> Iterator[tuple[str, bytes]]:
    texts = {
        KERNEL: ", ".join(f'"{one}"' for one in (*chip(arch), *KERNELS[kernel])),
        OPTIONS: "".join(f', "{one}"' for one in chip(arch)),
        "@FILE@": kernel,
        HOW: f"\n{COMMENT[kernel]} RUN:   ".join(typed_in_lines(arch)),
        MARK: f', arch="{arch.title.lower()}"' if chip(arch) else "",
    }
    if arch is Arch.WORMHOLE:
        texts |= ON_WORMHOLE
    for path in sorted(TEMPLATE.rglob("*")):
        name = str(path.relative_to(TEMPLATE))
        others = name in KERNELS and name != kernel
        if path.is_file() and not others:
            text = path.read_text("utf-8")
            for old, new in texts.items():
                text = text.replace(old, new)
            yield name.removesuffix(ENDING), text.encode()
    # Numbers that tell where they come from; BF16 has every sum.
    yield "left.npy", tiles(lambda tile, row, column: column + SIZE * tile)
    yield "right.npy", tiles(lambda tile, row, column: 2 * row)
    yield "sum.npy", tiles(lambda tile, row, column: column + SIZE * tile + 2 * row)


def tiles(value: Callable[[int, int, int], float]) -> bytes:
    """Return an array for the tiles, one above the other: what a debugger shows is easy to
    recognise."""
    values = [
        value(tile, row, column)
        for tile in range(TILES)
        for row in range(SIZE)
        for column in range(SIZE)
    ]
    return written(Array((TILES * SIZE, SIZE), values), "f4")
