# SPDX-License-Identifier: Apache-2.0
"""The time of a chip's NoCs and DRAM beside a Blackhole card's: scripts/silicon chip."""
