# SPDX-License-Identifier: Apache-2.0
"""Sequences of LLK's operations, drawn, run and cut down where they fail (`tensix-gdb fuzz`)."""
