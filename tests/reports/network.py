# SPDX-License-Identifier: Apache-2.0
"""Reports of 2026 about requests of the NoC, on one tile and on two."""

from __future__ import annotations

from tests.reports.report import ONE, OnTiles, Report

MEMORY = f"{ONE} --check memory"
# Requests of a tile, here at (1, 2), that are not those of tensix_noc.h.
# tt-metal's are inlined wherever they are called, too.
HEAD = """#define inline __inline__ __attribute__((always_inline, unused))
#include "tensix_by_name.h"
#include "tensix_noc.h"
#define L1 ((volatile u32 *)0x20000)
#define NEAR NOC_PLACE(1, 2)
#define FAR NOC_PLACE(2, 2)
#define FENCE __asm__ volatile("fence")
static inline void late(void)
{
    for (volatile u32 i = 0; i < 40; i++)
        ;
}
static inline void request(u32 from, u32 place, u32 to, u32 ctrl, u32 bytes)
{
    noc_side(0, 0x00, NEAR, from);
    noc_side(0, 0x0c, place, to);
    noc_start(0, ctrl, bytes);
}
static inline void increment(u32 place, u32 address)
{
    noc_side(0, 0x00, place, address);
    noc_side(0, 0x0c, NEAR, 0x2f000);
    NOC_REGISTER(0, 0x28) = 1;
    noc_start(0, 1 | NOC_CTRL_MARKED, 1 << 12 | 31 << 2);
}
"""


def main(body: str) -> str:
    """A program of these lines."""
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return f"{HEAD}int main(void)\n{{\n{lines}    return 0;\n}}\n"


def nc(body: str) -> tuple[tuple[str, str], ...]:
    """A program of NC alone."""
    return (("nc.c", main(body)),)


REPORTS = (
    Report(
        "tt-metal#50973",
        "what a read brings is used before its barrier",
        MEMORY,
        "/* used */",
        r"M6 (?s:.*?)NC +lw +PLACE(?s:.*?)noc_async_read_barrier",
        files=nc("""
noc_read(0, NEAR, 0x21000, 0x20000, 64);
L1[64] = L1[0]; /* used */
noc_wait_reads(0);
"""),
    ),
    Report(
        "tt-metal#40595",
        "a kernel ends with a write under way",
        MEMORY,
        "/* no barrier */",
        r"M7 1 (?s:.*?)PLACE",
        files=nc("noc_write(0, NEAR, 0x20000, 0x21000, 64); /* no barrier */"),
    ),
    Report(
        "tt-metal#40877",
        "a kernel ends with an atomic under way: a barrier of writes does not wait for it",
        MEMORY,
        "increment(NEAR, 0x20100);",
        r"M7 1 (?s:.*?)PLACE",
        files=nc("""
noc_write(0, NEAR, 0x20000, 0x21000, 64);
increment(NEAR, 0x20100);
noc_wait_writes(0);
"""),
    ),
    Report(
        "tt-metal#42974",
        "a kernel ends with a posted write under way",
        MEMORY,
        "/* posted */",
        r"M7 1 (?s:.*?)PLACE",
        files=nc("request(0x21000, NEAR, 0x20000, NOC_CTRL_WRITE, 4096); /* posted */"),
    ),
    Report(
        "tt-metal#50367",
        "a store is not in L1 yet when the NoC reads it",
        MEMORY,
        "/* the sum */",
        r"M6 (?s:.*?)PLACE",
        files=nc("""
noc_side(0, 0x00, NEAR, 0x20000);
noc_side(0, 0x0c, NEAR, 0x21000);
L1[0] = 7; /* the sum */
noc_start(0, NOC_CTRL_WRITE | NOC_CTRL_MARKED, 64);
noc_wait_writes(0);
"""),
    ),
    Report(
        "tt-metal#55119",
        "the source of a multicast is cleared while it is being sent",
        MEMORY,
        "/* INVALID */",
        r"M6 (?s:.*?)PLACE",
        files=nc("""
noc_write(0, NEAR, 0x21000, 0x20000, 64);
L1[0] = 0; /* INVALID */
noc_wait_writes(0);
"""),
    ),
    Report(
        "tt-metal#42100",
        "a barrier waits for the answers of receivers that there are not",
        ONE,
        "/* of three */",
        r"NC: polls NIU_MST_WR_ACK_RECEIVED of NoC 0, at PLACE: it is 1, and .* when it is 3",
        files=nc("""
u32 before = NOC_COUNTER(0, NOC_WR_ACK_RECEIVED);
noc_write(0, NEAR, 0x21000, 0x20000, 64);
while (NOC_COUNTER(0, NOC_WR_ACK_RECEIVED) != before + 3) /* of three */
    ;
"""),
    ),
    Report(
        "tt-metal#41408",
        "a read of DRAM to L1, of which one address is at 32 bytes of 64 and the other is not",
        ONE,
        "0x32e0",
        r"main at PLACE .*: UndefinedBehavior: .*two addresses that do not go together",
        files=nc("""
noc_read(0, NOC_PLACE(0, 0), 0x32e0, 0x20000, 32);
noc_wait_reads(0);
"""),
    ),
    Report(
        "tt-metal#43584",
        "an atomic's address has a middle word that an earlier request has left",
        ONE,
        "/* of the other kernel */",
        r"PLACE",
        files=nc("""
NOC_REGISTER(0, 0x04) = 1; /* of the other kernel */
NOC_REGISTER(0, 0x00) = 0x20100;
NOC_REGISTER(0, 0x08) = NEAR;
noc_side(0, 0x0c, NEAR, 0x2f000);
NOC_REGISTER(0, 0x28) = 1;
noc_start(0, 1 | NOC_CTRL_MARKED, 1 << 12 | 31 << 2);
while (L1[64] != 1)
    FENCE;
"""),
    ),
    Report(
        "tt-metal#54590",
        "a wait for a value that a counter has passed",
        ONE,
        "/* equal */",
        r"NC(?s:.*?)PLACE(?s:.*)(has|is) (0x)?2",
        files=(
            ("b.c", main("L1[0] = 1;\nL1[0] = 2;")),
            ("nc.c", main("late();\nwhile (L1[0] != 1) /* equal */\n    FENCE;")),
        ),
    ),
    OnTiles(
        "tt-metal#48586",
        "a semaphore of another tile goes up before the data is there",
        "races",
        "/* data */",
        r"RACE 1 (?s:.*?)PLACE",
        files=(
            (
                "near/nc.c",
                main("""
request(0x21000, FAR, 0x22000, NOC_CTRL_WRITE, 64); /* data */
increment(FAR, 0x20000);
while (NOC_COUNTER(0, NOC_ATOMIC_RESP_RECEIVED) != 1)
    ;
"""),
            ),
            ("far/nc.c", main("while (L1[0] != 1)\n    FENCE;\nL1[1] = L1[0x800]; /* read */")),
        ),
    ),
    OnTiles(
        "tt-metal#54721",
        "all tiles wait for a VALID that none has sent",
        "why all",
        "/* VALID */",
        r"1-2 NC: polls L1 0x20000, at PLACE: it is 0, and the loop ends",
        files=(
            ("near/nc.c", main("while (!L1[0]) /* VALID */\n    FENCE;\nincrement(FAR, 0x20000);")),
            ("far/nc.c", main("while (!L1[0])\n    FENCE;\nincrement(NEAR, 0x20000);")),
        ),
    ),
)
