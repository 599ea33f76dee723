# SPDX-License-Identifier: Apache-2.0
"""Ethernet tiles, and the cables that join those of several chips."""
