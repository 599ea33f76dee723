# SPDX-License-Identifier: Apache-2.0
"""Races of a chip: what its tiles do to each other over the NoC, and in DRAM."""
