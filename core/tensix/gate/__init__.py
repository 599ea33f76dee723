# SPDX-License-Identifier: Apache-2.0
"""The wait gates: C0 to C12, and what a debugger does there."""
