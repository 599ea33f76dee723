# SPDX-License-Identifier: Apache-2.0
"""The signals of the debug bus that signals.py shows, by the names that tt-exalens has for them.

A field that spans two words or groups has a `/0` and a `/1` there, from the low bits on; here it is
one signal. A reader of a card reads what is here, and nothing else means anything to it.
"""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.debug import signals

HARTS = ("brisc", "trisc0", "trisc1", "trisc2", "ncrisc")  # in the order of our harts
COUNTERS = ("x", "y", "z", "w")
CHANNELS = tuple(
    f"{unit}_channel{channel}"
    for unit in ("adcs0_unpacker0", "adcs0_unpacker1", "adcs2_packers")
    for channel in range(2)
)


@dataclass(frozen=True)
class Signal:
    """The place of a signal: bits from `first` on, of the 128 of SignalSel and those of the
    next."""

    daisy: int
    signal: int
    first: int
    width: int

    def value(self, word: Callable[[int, int, int], int]) -> int:
        """Return the value, from words by DaisySel, SignalSel and Read32Sel."""
        value = 0
        for number in range(self.first // 32, (self.first + self.width - 1) // 32 + 1):
            value |= word(self.daisy, self.signal + number // 4, number % 4) << 32 * number
        return value >> self.first & (1 << self.width) - 1


def _names() -> dict[str, Signal]:
    found: dict[str, Signal] = {}
    for signal, thread in enumerate(signals.FRONTEND_OF):
        if thread >= 0:
            front = f"tensix_frontend_t{thread}_"
            found[front + "thread_inst"] = Signal(signals.FRONTEND, signal, 40, 32)
            for name, bit in (
                ("ibuffer_empty", 73),
                ("req_iramd_buffer_full", 75),
                ("req_iramd_buffer_empty", 76),
            ):
                found[front + name] = Signal(signals.FRONTEND, signal, bit, 1)
    for thread in range(THREADS):
        for name, bits, width in (
            ("srca", signals.SRC_A, 6),
            ("srca_cr", signals.SRC_A_CR, 6),
            ("srcb", signals.SRC_B, 6),
            ("srcb_cr", signals.SRC_B_CR, 6),
            ("dst", signals.DST, 10),
            ("dst_cr", signals.DST_CR, 10),
        ):
            first = bits[thread]
            signal = signals.RWC_SIGNAL + first // 128
            found[f"rwc{thread}_{name}"] = Signal(signals.COUNTERS, signal, first % 128, width)
    for signal, channel in enumerate(CHANNELS):
        for name, first, width, apart in zip(
            COUNTERS, (0, 64, 96, 112), (18, 13, 8, 8), (18, 16, 8, 8), strict=True
        ):
            at = Signal(signals.ADDRESSES, signal, first, width)
            found[f"{channel}_{name}_counter"] = at
            found[f"{channel}_{name}_cr"] = Signal(signals.ADDRESSES, signal, first + apart, width)
    for signal, number in enumerate(signals.GROUP_OF):
        if number >= 0:
            found |= _of_hart(signal, *divmod(number, 4))
    return found


def _of_hart(signal: int, hart: int, group: int) -> dict[str, Signal]:
    def at(first: int, width: int) -> Signal:
        return Signal(signals.HARTS_SHOWN, signal, first, width)

    name = HARTS[hart]
    if group == signals.GROUP_A:
        return {
            f"{name}_dbg_obs_cmt_pc": at(0, 31),
            f"{name}_dbg_obs_cmt_vld": at(31, 1),
            f"{name}_dbg_obs_mem_rden": at(62, 1),
            f"{name}_dbg_obs_mem_wren": at(63, 1),
        }
    if group == signals.GROUP_B:
        return {f"{name}_pc": at(32, 30), f"{name}_id_ex_pc": at(32, 30)}
    if group == signals.GROUP_C:
        if hart == 0:
            return {f"{name}_o_mailbox_rd_req_ready": at(115, 4)}
        return {f"{name}_risc_wrapper_trisc_o_mailbox_rd_req_ready": at(106, 4)}
    buffer = f"{name}_pc_buffer_"
    return {
        f"{buffer}cmd_fifo_empty": at(23, 1),
        f"{buffer}cmd_fifo_full": at(24, 1),
        f"{buffer}i_mops_outstanding": at(25, 1),
        f"{buffer}i_busy": at(26, 1),
        f"{buffer}riscv_sync_activated": at(28, 1),
        f"{buffer}trisc_sync_activated": at(30, 1),
        f"{buffer}trisc_read_request_pending": at(31, 1),
        f"{name}_mop_decode_unpack_loop_active": at(84, 1),
        f"{name}_mop_decode_math_loop_active": at(85, 1),
        f"{name}_mop_decode_mop_stage_opcode": at(86, 32),
        f"{name}_mop_decode_mop_stage_valid": at(118, 1),
        f"{name}_trisc_mop_buf_full": at(125, 1),
        f"{name}_trisc_mop_buf_empty": at(126, 1),
    }


NAMES = _names()
