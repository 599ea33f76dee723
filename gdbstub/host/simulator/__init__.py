# SPDX-License-Identifier: Apache-2.0
"""Tiles that a host drives, and what debuggers and reports are told of it meanwhile."""
