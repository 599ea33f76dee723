# SPDX-License-Identifier: Apache-2.0
"""Observing a tile for races: the options of commands, and `monitor races`."""
