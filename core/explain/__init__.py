# SPDX-License-Identifier: Apache-2.0
"""Stops and instructions in words."""
