# SPDX-License-Identifier: Apache-2.0
"""The suite's regression tests of orders: what their results have to be, and their fixes undone.

Each is about something that went wrong on hardware, or could have: a change that waits for
something has made it right. `undo` takes that wait out of a scratch copy of the suite.

mailbox_read_completion ends with a race of its own. Behind its last cycle MATH puts the field back:

    sw      mailbox of UNPACK      lets UNPACK load the field for the last time
    sw      mailbox of PACK        lets PACK do the same
    push    RMWCIB                 the field is as the variant was built, no longer as expected

Nothing orders the last line and the two loads. Stores of one core to different regions may be
processed in another order, so the push may come first (MemoryOrdering.md, "Store then store"); a
load takes at least 3 cycles from a mailbox and at least 4 from the configuration, "more in the case
of access conflicts" (BabyRISCV/README.md), and no page says how long an instruction takes at least
from its FIFO to the Configuration Unit. In `latency` the loads win by two cycles. No page has to
promise more: MATH could wait, as it does in all cycles before by loads of its own mailboxes, and as
it does in a scratch copy with `settle`. By default the order is kept all the same, as promise P15
(core/ordering/promises.py); `race.py` shows what happens in `strict`, where it is not.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from scripts.llktests.scratch import Edit

Words = Sequence[int]
Judge = Callable[[Words], list[str]]


@dataclass(frozen=True, slots=True)
class OrderingTest:
    """A file of the suite. `judge` gets the words of the result; without one they have to be what
    they were when the suite was content, and with the fix undone the suite itself judges. Edits
    name Blackhole's LLK, and `of_chip` gives another's."""

    file: str
    judge: Judge | None
    undo: tuple[Edit, ...]
    settle: tuple[Edit, ...] = ()
    variants: int = 0  # of the file; 0 means all
    chips: tuple[str, ...] = ("blackhole", "wormhole")  # for which the suite runs it

    def of_chip(self, arch: str) -> OrderingTest:
        """The same with the edits in this chip's LLK."""
        return replace(self, undo=_there(self.undo, arch), settle=_there(self.settle, arch))


def _there(edits: Sequence[Edit], arch: str) -> tuple[Edit, ...]:
    folder = LLK_FOLDERS[arch]
    return tuple(
        replace(edit, file=edit.file.replace(LLK_FOLDERS["blackhole"], folder)) for edit in edits
    )


LLK_FOLDERS = {"blackhole": "tt_llk_blackhole", "wormhole": "tt_llk_wormhole_b0"}
THREADS = ("unpack", "math", "pack")
APART = 256  # words from the results of one thread to those of the next
CYCLES = 256
COMBINATIONS = 12
FLIP_MAGIC, DRAIN_MAGIC = 0x43464753, 0x4D4F5053


def _all_seen(words: Words, what: Sequence[str]) -> list[str]:
    """The first word is how often, and then how often each has been right."""
    if words[0] != CYCLES:
        return [f"{words[0]} cycles instead of {CYCLES}"]
    counts = zip(what, words[1:], strict=False)
    return [f"{name} {count} of {CYCLES} times" for name, count in counts if count != CYCLES]


def _mailbox(words: Words) -> list[str]:
    return _all_seen(words, ("PACK", "UNPACK"))


def _dest_acc(words: Words) -> list[str]:
    names = ("PACK after enable", "PACK after disable", "UNPACK after enable")
    return _all_seen(words, (*names, "UNPACK after disable"))


def _flips(words: Words) -> list[str]:
    problems: list[str] = []
    for thread, name in enumerate(THREADS):
        own = words[thread * APART :]
        if own[0] != FLIP_MAGIC:
            problems.append(f"{name}: no result")
            continue
        for number in range(COMBINATIONS):
            wrong = own[8 + 4 * number : 10 + 4 * number]
            if any(wrong):
                problems.append(
                    f"{name}: combination {number}: {wrong[0]} writes, {wrong[1]} reads"
                )
    return problems


def _drains(words: Words) -> list[str]:
    problems: list[str] = []
    for thread, name in enumerate(THREADS):
        own = words[thread * APART : thread * APART + 6]
        if len(own) < 6 or own[0] != DRAIN_MAGIC:
            problems.append(f"{name}: no result")
            continue
        _, increments, without, synced, _, missed = own
        if synced != increments or missed:
            problems.append(f"{name}: the long MOP {synced} of {increments}, {missed} short ones")
        elif without >= increments:
            problems.append(f"{name}: without the wait all of the long MOP was there")
    return problems


def words_of(data: bytes) -> Words:
    """The 32-bit words of a result."""
    return struct.unpack(f"<{len(data) // 4}I", data[: len(data) & ~3])


_COMMON = "tt_llk_blackhole/common/inc/ckernel.h"
_MAILBOX = "tests/sources/mailbox_read_completion_test.cpp"
_MATH_WAITS = (
    "\n    load_blocking(&mailbox_base[ThreadId::UnpackThreadId][0]);"
    "\n    load_blocking(&mailbox_base[ThreadId::PackThreadId][0]);\n"
)
# The count is used, so that the load before it is answered.
_TELL_MATH = (
    '    asm volatile("and x0, x0, %0" ::"r"(seen) : "memory");\n'
    "    mailbox_write(ThreadId::MathThreadId, READY);\n"
)

TESTS = (
    OrderingTest(
        "test_mailbox_read_completion.py",
        _mailbox,
        # The message is waited for also when nobody uses it.
        (
            Edit(
                _COMMON,
                r"return load_blocking\(&mailbox_base\[thread\]\[0\]\);",
                "return mailbox_base[thread][0];",
            ),
        ),
        (
            Edit(_MAILBOX, r"\n(    // Leave the field as)", _MATH_WAITS + r"\1"),
            Edit(_MAILBOX, r"\n(    return seen;\n)", "\n" + _TELL_MATH + r"\1"),
        ),
    ),
    OrderingTest(
        "test_fp32_dest_acc_release_order.py",
        _dest_acc,
        # MATH waits for its own configuration instructions before it lets the others go.
        (
            Edit(
                "tt_llk_blackhole/llk_lib/llk_fp32_dest_acc.h",
                r"tensix_sync\(\);(\s+mailbox_write\(ThreadId::UnpackThreadId, fp32_dest_acc::M)",
                r"\1",
            ),
        ),
    ),
    OrderingTest(
        "test_cfg_state_flip_sync.py",
        _flips,
        # Words that a hart stores to configuration are read back before instructions follow.
        (
            Edit(
                "tests/sources/cfg_state_flip_sync_test.cpp",
                r"\(void\)load_blocking\(&cfg_mmio\(\)\[(BANK1_OFFSET \+ )?word\]\);",
                "",
            ),
        ),
        chips=("blackhole",),
    ),
    OrderingTest(
        "test_experimental_reconfig_escape.py",
        None,
        # The operation that follows sets what the one before has left changed.
        (
            Edit(
                "tt_llk_blackhole/llk_lib/llk_unpack_A.h",
                r"cfg_reg_rmw_tensix<THCON_SEC0_REG2_Haloize_mode_RMW>"
                r"\(within_face_16x16_transpose\);",
                "(void)within_face_16x16_transpose;",
            ),
        ),
    ),
    OrderingTest(
        "test_tensix_sync_mop_drain.py",
        _drains,
        # A store before the load of CoprocessorDoneCheck keeps it behind what was pushed.
        (
            Edit(
                _COMMON,
                r"store_blocking\(&pc_buf_base\[1\], 0\);",
                "(void)load_blocking(&pc_buf_base[1]);",
            ),
        ),
        chips=("blackhole",),
    ),
)
