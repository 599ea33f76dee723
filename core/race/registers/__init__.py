# SPDX-License-Identifier: Apache-2.0
"""Races in what units hold: Dst, source banks, LRegs, and the configuration that they sample."""
