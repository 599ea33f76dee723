# SPDX-License-Identifier: Apache-2.0
"""The kernels of a right program, and a change of one or two lines for each hang.

A row of `HANGS` is a program: what is replaced in which kernel, how many tiles it runs on, and the
words that have to be in what is said. ttnn's Python imports this module alone.
"""

from dataclasses import dataclass

READ = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
    uint32_t from = get_arg_val<uint32_t>(0), pages = get_arg_val<uint32_t>(1);
    for (uint32_t p = 0; p < pages; p++) {
        cb_reserve_back(0, 1);
        noc_async_read(get_noc_addr_from_bank_id<true>(p % 8, from), get_write_ptr(0), 2048);
        noc_async_read_barrier();
        cb_push_back(0, 1);
    }
}
"""
WRITE = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
    uint32_t to = get_arg_val<uint32_t>(0), pages = get_arg_val<uint32_t>(1);
    for (uint32_t p = 0; p < pages; p++) {
        cb_wait_front(16, 1);
        noc_async_write(get_read_ptr(16), get_noc_addr_from_bank_id<true>(p % 8, to), 2048);
        noc_async_write_barrier();
        cb_pop_front(16, 1);
    }
}
"""
COMPUTE = """
#include <cstdint>
#include "api/compute/common.h"
#include "api/compute/tile_move_copy.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
void kernel_main() {
    uint32_t pages = get_compile_time_arg_val(0);
    unary_op_init_common(0, 16);
    copy_tile_init(0);
    for (uint32_t p = 0; p < pages; p++) {
        tile_regs_acquire();
        cb_wait_front(0, 1);
        copy_tile(0, 0, 0);
        cb_pop_front(0, 1);
        tile_regs_commit();
        tile_regs_wait();
        cb_reserve_back(16, 1);
        pack_tile(0, 16);
        cb_push_back(16, 1);
        tile_regs_release();
    }
}
"""
# Of a core that runs on each of four tiles. Arguments: this one's number, then x and y of each.
MEET = """
#include "api/dataflow/dataflow_api.h"
uint64_t there(uint32_t number, uint32_t addr) {
    uint32_t x = get_arg_val<uint32_t>(1 + 2 * number), y = get_arg_val<uint32_t>(2 + 2 * number);
    return get_noc_addr(x, y, addr);
}
void kernel_main() {
    uint32_t me = get_arg_val<uint32_t>(0), next = (me + 1) % 4, flag = get_semaphore(0);
    volatile tt_l1_ptr uint32_t* here = (volatile tt_l1_ptr uint32_t*)flag;
    BODY
}
"""
INC = "noc_semaphore_inc(there({to}, flag), {by}); noc_async_atomic_barrier();"


@dataclass(frozen=True)
class Hang:
    """`edits` are (kernel, old, new); `body` is that of MEET, for four tiles."""

    name: str
    edits: tuple[tuple[str, str, str], ...] = ()
    pages: tuple[int, int, int] = (4, 4, 4)  # read, computed, written
    body: str = ""
    says: tuple[str, ...] = ()


LOOP = "    for (uint32_t p"
SEMAPHORE = "(volatile tt_l1_ptr uint32_t*)get_semaphore({})"
FLAG = "volatile tt_l1_ptr uint32_t* {} = (volatile tt_l1_ptr uint32_t*)get_semaphore({});"


def _before_the_loop(kernel: str, text: str) -> tuple[str, str, str]:
    return kernel, LOOP, f"    {text}\n{LOOP}"


def _circle(mine: int, other: int) -> str:
    """Wait for the other's flag, and set one's own too late."""
    return (
        f"noc_semaphore_wait({SEMAPHORE.format(other)}, 1); "
        f"noc_semaphore_set({SEMAPHORE.format(mine)}, 1);"
    )


ONE_TILE = (
    Hang(
        "a cb_wait_front too many",
        pages=(4, 5, 5),
        says=("polls cb 0", "polls cb 16"),
    ),
    Hang(
        "a cb_reserve_back without pops",
        pages=(7, 4, 4),
        says=("polls cb 0", "room"),
    ),
    Hang(
        "noc_semaphore_wait of 1, with 2 in it",
        edits=(
            _before_the_loop(
                "read",
                "noc_semaphore_inc(get_noc_addr(get_semaphore(0)), 2); noc_async_atomic_barrier();",
            ),
            _before_the_loop("write", f"noc_semaphore_wait({SEMAPHORE.format(0)}, 1);"),
        ),
        says=("it is 2, and the loop ends when it is 1",),
    ),
    Hang(
        "flags of two kernels in a circle",
        edits=(
            _before_the_loop("read", _circle(0, 1)),
            _before_the_loop("write", _circle(1, 0)),
        ),
        says=("semaphore 1", "semaphore 0"),
    ),
    Hang(
        "a circular buffer that the program has not",
        edits=(("write", "cb_wait_front(16, 1)", "cb_wait_front(17, 1)"),),
        says=("polls cb 17",),
    ),
    Hang(
        "a poll with a counter",
        edits=(
            _before_the_loop(
                "write",
                FLAG.format("flag", 0) + " for (uint32_t i = 0; i < 4000000000u && *flag != 1; i++)"
                " invalidate_l1_cache();",
            ),
        ),
        says=("semaphore 0", "with a counter"),
    ),
    Hang(
        "more pages than the ring has",
        edits=(("read", "cb_reserve_back(0, 1)", "cb_reserve_back(0, 4)"),),
        says=("polls cb 0", "room"),
    ),
    Hang(
        "pages by two, of an odd number",
        edits=(("write", "cb_wait_front(16, 1)", "cb_wait_front(16, 2)"),),
        pages=(4, 3, 4),
        says=("polls cb 16",),
    ),
    Hang(
        "a semaphore raised that has another number",
        edits=(
            _before_the_loop(
                "read",
                "noc_semaphore_inc(get_noc_addr(get_semaphore(1)), 1); noc_async_atomic_barrier();",
            ),
            _before_the_loop("write", f"noc_semaphore_wait({SEMAPHORE.format(0)}, 1);"),
        ),
        says=("semaphore 0", "it is 0"),
    ),
    Hang(
        "a pop that is missing",
        edits=(("compute", "        cb_pop_front(0, 1);\n", ""),),
        says=("polls cb 0",),
    ),
)
FOUR_TILES = (
    Hang(
        "a core that is not told",
        body=f"if (me == 0) {{ {INC.format(to=1, by=1)} {INC.format(to=2, by=1)} }}"
        " else noc_semaphore_wait(here, 1);",
        says=("semaphore 0", "it is 0"),
    ),
    Hang(
        "each waits for the one before",
        body=f"noc_semaphore_wait(here, 1); {INC.format(to='next', by=1)}",
        says=("semaphore 0", "it is 0"),
    ),
    Hang(
        "two of them in a circle",
        body=f"if (me < 2) {{ noc_semaphore_wait(here, 1); {INC.format(to='1 - me', by=1)} }}",
        says=("semaphore 0", "it is 0"),
    ),
    Hang(
        "two raise it, and a wait of exactly 1",
        body=f"if (me == 1 || me == 2) {{ {INC.format(to=0, by=1)} }}"
        " if (me == 0) { while (*here != 2) invalidate_l1_cache(); noc_semaphore_wait(here, 1); }",
        says=("it is 2, and the loop ends when it is 1",),
    ),
    Hang(
        "its own semaphore is raised, not the other's",
        body=f"if (me == 0) {{ {INC.format(to='me', by=1)} }}"
        " if (me == 1) noc_semaphore_wait(here, 1);",
        says=("semaphore 0", "it is 0"),
    ),
    Hang(
        "a barrier of four with three",
        body=f"if (me != 3) {{ {INC.format(to=0, by=1)} }}"
        " if (me == 0) noc_semaphore_wait(here, 4);",
        says=("it is 3, and the loop ends when it is 4",),
    ),
    Hang(
        "a credit that never comes back",
        body=f"if (me == 0) {{ for (uint32_t i = 1; i < 4; i++) {{ {INC.format(to=1, by=1)}"
        " noc_semaphore_wait_min(here, i); } }"
        f" if (me == 1) {{ noc_semaphore_wait_min(here, 1); {INC.format(to=0, by=1)}"
        " noc_semaphore_wait_min(here, 3); }",
        says=("semaphore 0",),
    ),
    Hang(
        "a flag that is written beside the semaphore",
        body="if (me == 0) { noc_inline_dw_write(there(1, flag + 64), 1);"
        " noc_async_write_barrier(); }"
        " if (me == 1) noc_semaphore_wait(here, 1);",
        says=("semaphore 0", "it is 0"),
    ),
    Hang(
        "a multicast that leaves one out",
        body="if (me == 0) { *here = 1; noc_semaphore_set_multicast(flag, get_noc_multicast_addr("
        "get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3),"
        " get_arg_val<uint32_t>(4), flag), 1); noc_async_write_barrier(); }"
        " else noc_semaphore_wait(here, 1);",
        says=("semaphore 0", "it is 0"),
    ),
    Hang(
        "a poll of another tile's word, with a counter",
        body="if (me == 0) { uint32_t to = get_semaphore(1); volatile tt_l1_ptr uint32_t* copy ="
        " (volatile tt_l1_ptr uint32_t*)to; for (uint32_t i = 0; i < 4000000000u; i++) {"
        " noc_async_read(there(1, flag), to, 4); noc_async_read_barrier(); invalidate_l1_cache();"
        " if (*copy == 1) break; } }",
        says=("semaphore 0 of the program", "of 2-2 over NoC", "again and again"),
    ),
)
