# SPDX-License-Identifier: Apache-2.0
"""Wormhole's four packers (WormholeB0 Packers/README.md), which take turns in the rows of one."""
