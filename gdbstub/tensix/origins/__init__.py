# SPDX-License-Identifier: Apache-2.0
"""Where a value came from, for GDB, the command line and tests."""
