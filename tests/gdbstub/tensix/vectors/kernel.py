# SPDX-License-Identifier: Apache-2.0
"""A kernel of SFPI's values, compiled by SFPI at -O2: four vectors, with a v_if and a loop."""

from __future__ import annotations

from pathlib import Path

from tensix_gdb.core.arch.blackhole import T1
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image, read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.main import main

SOURCE = """#include <cstdint>
namespace ckernel
{
static volatile uint32_t *const instrn_buffer = (volatile uint32_t *)0xFFE40000;
}
#include "sfpi.h"
using namespace sfpi;

__attribute__((noinline)) void kernel(int count)
{
    for (int i = 0; i < count; i++)
    {
        vInt lane = vConstTileId;
        vFloat x = convert<vFloat>(lane, RoundMode::Nearest) - 20.0f;
        dst_reg[0] = x;
        vFloat y = x * 2.0f + 1.0f;
        vInt exponent = exexp(x);
        v_if (x < 0.0f)
        {
            y = -y;
        }
        v_endif;
        vFloat z = y * x;
        dst_reg[0] = z;
        dst_reg[1] = y;
        dst_reg[2] = exponent;
        dst_reg++;
    }
}

static inline __attribute__((always_inline)) void kernel_main()
{
    kernel(4);
}

int main()
{
    __asm__ volatile("sfpencc 3,10");
    kernel_main();
    return 0;
}
"""
LOOP = "for (int i = 0; i < count; i++)"
assert LOOP in SOURCE
X = [2.0 * lane - 20 for lane in range(32)]
Y = [-(2 * x + 1) if x < 0 else 2 * x + 1 for x in X]
Z = [x * y for x, y in zip(X, Y, strict=True)]


def line_of(text: str) -> int:
    """Return the line of the kernel with this text."""
    return next(n for n, line in enumerate(SOURCE.splitlines(), 1) if text in line)


def built(folder: Path, *, unrolled: bool = False) -> Image:
    """Build it for T1, with the loop as it is or unrolled. SFPI has to be here."""
    source = folder / "kernel.cpp"
    loop = LOOP.replace("count", "4")
    pragma = '_Pragma("GCC unroll 4")'
    source.write_text(SOURCE.replace(LOOP, pragma + loop) if unrolled else SOURCE, "ascii")
    assert main(["build", "--t1", str(source), "-O", "2", "-o", str(folder)]) == 0
    image = read_elf(folder / "t1.elf")
    image.hart = T1
    return image


def tile_with(image: Image, schedule: Schedule) -> Machine:
    """Return a tile with the kernel."""
    machine = Machine(engine="reference", schedule=schedule)
    machine.load(T1, image)
    return machine
