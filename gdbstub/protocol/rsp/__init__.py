# SPDX-License-Identifier: Apache-2.0
"""Bytes and packets of the remote protocol: pure functions."""
