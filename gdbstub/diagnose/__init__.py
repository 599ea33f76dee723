# SPDX-License-Identifier: Apache-2.0
"""One page about a run that fails: `tensix-gdb diagnose`, the most likely cause first."""
