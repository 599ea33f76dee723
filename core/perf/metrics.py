# SPDX-License-Identifier: Apache-2.0
"""Metrics that tt-metal derives from the counters: labels, keys and formulas of its guide
(tech_reports/PerfCounters/perf-counters.md), which its profiler and LLK's performance tests share.

A metric is a sum of counts over a sum of counts or the cycles of a bank, or 1 less that. It has no
value where nothing was counted that it divides by. Metrics of NoC ports are left out: the tile's
NoC takes none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tensix_gdb.core.dataclass import dataclass

INSTRN, FPU, UNPACK, L1, PACK = (
    f"{name} cycles" for name in ("INSTRN_THREAD", "FPU", "TDMA_UNPACK", "L1", "TDMA_PACK")
)


@dataclass(frozen=True, slots=True)
class Metric:
    """`of` over `over`; names are of counters. `mean` divides by the number of `of`, too."""

    label: str
    key: str
    of: tuple[str, ...]
    over: tuple[str, ...]
    rest: bool = False  # 1 less that
    mean: bool = False

    @property
    def formula(self) -> str:
        """As the guide writes it."""
        above, below = " + ".join(self.of), " + ".join(self.over)
        if self.mean:
            above = f"mean of {', '.join(self.of)}"
        if len(self.over) > 1:
            below = f"({below})"
        return f"1 - {above} / {below}" if self.rest else f"{above} / {below}"

    def value(self, counts: Mapping[str, int]) -> float | None:
        """Return a percentage or a ratio; None where it divides by nothing."""
        if any(name not in counts for name in (*self.of, *self.over)):
            return None
        below = sum(counts[name] for name in self.over)
        if below == 0:
            return None
        share = sum(counts[name] for name in self.of) / below
        share = share / len(self.of) if self.mean else share
        share = min(max(1 - share, 0.0), 1.0) if self.rest else share
        return 100 * share if self.key.endswith("_pct") else share


def _one(label: str, key: str, of: str, over: str, *, rest: bool = False) -> Metric:
    return Metric(label, key, tuple(of.split()), (over,), rest)


def _threads(label: str, keys: str, of: str) -> Iterator[Metric]:
    for i, key in enumerate(keys.split()):
        yield _one(label.format(i=i), key, of.format(i=i), INSTRN)


_AVAILABLE = (
    ("CFG", 0), ("SYNC", 0), ("THCON", 0), ("MOVE", 0), ("MATH", 1), ("UNPACK", 0), ("PACK", 2),
)  # fmt: skip
_WAITS = (
    ("SrcA Valid Wait", "math_wait_srca", "SRCA_VALID"),
    ("SrcB Valid Wait", "math_wait_srcb", "SRCB_VALID"),
    ("SrcA Clear Wait", "srca_clear_wait", "SRCA_CLEAR"),
    ("SrcB Clear Wait", "srcb_clear_wait", "SRCB_CLEAR"),
    ("Math Idle Wait T1", "math_idle_wait_t1", "MATH_IDLE_1"),
    ("Pack Idle Wait T2", "pack_idle_wait_t2", "PACK_IDLE_2"),
    ("Unpack Idle Wait T0", "unpack_idle_wait_t0", "UNPACK_IDLE_0"),
    ("Math Waiting on Unpack (T1)", "math_wait_unpack", "UNPACK_IDLE_1"),
    ("Pack Waiting on Math (T2)", "pack_wait_math", "MATH_IDLE_2"),
    ("Unpack Waiting on Pack (T0)", "unpack_wait_pack", "PACK_IDLE_0"),
    ("SFPU Idle Wait T1", "math_wait_sfpu", "SFPU_IDLE_1"),
    ("CFG Idle Wait T0", "cfg_idle_wait_t0", "CFG_IDLE_0"),
    ("THCON Idle Wait T0", "thcon_idle_wait_t0", "THCON_IDLE_0"),
    ("MOVE Idle Wait T0", "move_idle_wait_t0", "MOVE_IDLE_0"),
    ("Semaphore Zero Wait T0", "sem_zero_wait_t0", "NONZERO_SEM_0"),
    ("Semaphore Zero Wait T1", "math_sem_wait", "NONZERO_SEM_1"),
    ("Semaphore Zero Wait T2", "pack_sem_wait", "NONZERO_SEM_2"),
    ("Semaphore Full Wait T0", "sem_full_wait_t0", "NONFULL_SEM_0"),
    ("Semaphore Full Wait T1", "sem_full_wait_t1", "NONFULL_SEM_1"),
    ("Semaphore Full Wait T2", "sem_full_wait_t2", "NONFULL_SEM_2"),
)

# fmt: off
METRICS: tuple[Metric, ...] = (
    _one("FPU Util (%)", "fpu_utilization_pct", "FPU_COUNTER", FPU),
    _one("MATH Util (%)", "compute_utilization_pct", "MATH_COUNTER", FPU),
    _one("SFPU Util (%)", "sfpu_utilization_pct", "SFPU_COUNTER", FPU),
    _one("FPU Execution Efficiency (ratio)", "fpu_exec_eff_ratio", "FPU_COUNTER",
         "MATH_INSTRN_AVAILABLE_1"),
    _one("Math Pipeline Utilization (%)", "math_pipeline_util_pct", "MATH_INSTRN_STARTED",
         "MATH_INSTRN_AVAILABLE"),
    _one("Data Hazard Stall Rate (%)", "data_hazard_stall_pct", "MATH_NOT_D2S_STALLED",
         "MATH_INSTRN_AVAILABLE", rest=True),
    _one("Math Scoreboard Stall Rate (%)", "math_scoreboard_stall_pct",
         "MATH_NOT_SCOREBOARD_STALLED", "MATH_INSTRN_AVAILABLE", rest=True),
    _one("Math Src Data Ready Rate (%)", "math_src_data_ready_pct", "MATH_SRC_DATA_READY", UNPACK),
    _one("Unpacker-to-Math Data Flow (srcA) (ratio)", "unpack_to_math_flow0_ratio",
         "SRCA_WRITE_REQ", "UNPACK0_BUSY_THREAD0"),
    _one("Unpacker-to-Math Data Flow (srcB) (ratio)", "unpack_to_math_flow1_ratio",
         "SRCB_WRITE_REQ", "UNPACK1_BUSY_THREAD0"),
    _one("SrcA Write Actual Efficiency (%)", "srca_write_eff_pct", "SRCA_WRITE_NOT_BLOCKED_PORT",
         "SRCA_WRITE_REQ"),
    _one("SrcB Write Actual Efficiency (%)", "srcb_write_eff_pct", "SRCB_WRITE_NOT_BLOCKED_OVR",
         "SRCB_WRITE_REQ"),
    _one("SrcA Write Overwrite Blocked Rate (%)", "srca_write_ovr_blocked_pct",
         "SRCA_WRITE_NOT_BLOCKED_OVR", "SRCA_WRITE_REQ", rest=True),
    _one("Unpacker0 Busy T0 Util (%)", "unpack0_busy_t0_pct", "UNPACK0_BUSY_THREAD0", UNPACK),
    _one("Unpacker1 Busy T0 Util (%)", "unpack1_busy_t0_pct", "UNPACK1_BUSY_THREAD0", UNPACK),
    _one("Packer Utilization (%)", "pack_utilization_pct", "PACKER_BUSY", PACK),
    _one("Packer Efficiency (%)", "pack_dest_eff_pct", "PACKER0_DEST_READ_REQ", "PACKER_BUSY"),
    _one("Pack Dest Grant Efficiency (%)", "pack_dest_grant_eff_pct", "DEST_READ_GRANTED_0",
         "PACKER0_DEST_READ_REQ"),
    _one("Math-to-Pack Handoff Efficiency (ratio)", "math_to_pack_handoff_ratio",
         "MATH_NOT_SCOREBOARD_STALLED", "PACKER_BUSY"),
    Metric("Compute-to-Unpack Ratio (ratio)", "compute_to_unpack_ratio", ("MATH_COUNTER",),
           ("UNPACK0_BUSY_THREAD0", "UNPACK1_BUSY_THREAD0")),
    *_threads("Thread {i} Stall Rate (%)",
              "unpack_thread_stall_pct math_thread_stall_pct pack_thread_stall_pct",
              "THREAD_STALLS_{i}"),
    _one("Any-Thread Stall Rate (%)", "any_thread_stall_pct", "ANY_THREAD_STALL", INSTRN),
    *(_one(f"{label} (%)", f"{key}_pct", f"WAITING_FOR_{name}", INSTRN)
      for label, key, name in _WAITS),
    *_threads("T{i} Instrn Issue Rate (%)", "thread0_ipc_pct thread1_ipc_pct thread2_ipc_pct",
              "THREAD_INSTRUCTIONS_{i}"),
    *(_one(f"{name} Instrn Avail Rate T{i} (%)", f"{name.lower()}_instrn_avail_t{i}_pct",
           f"{name}_INSTRN_AVAILABLE_{i}", INSTRN) for name, i in _AVAILABLE),
    _one("L1 Unpacker Port Util (%)", "l1_unpacker_util_pct", "L1_0_UNPACKER_0", L1),
    _one("L1 Port 1 Util (%)", "l1_port1_util_pct", "L1_0_UNPACKER_1_ECC", L1),
    _one("L1 Packer Port 8 Util (%)", "l1_packer_port8_util_pct", "L1_1_PACKER_IF_0", L1),
    Metric("L1 TDMA Bundle Util (%)", "l1_tdma_bundle_util_pct",
           ("L1_0_TDMA_BUNDLE_0_RISC", "L1_0_TDMA_BUNDLE_1_TRISC"), (L1,), mean=True),
)
# fmt: on
