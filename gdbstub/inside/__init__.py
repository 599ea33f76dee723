# SPDX-License-Identifier: Apache-2.0
"""The code that runs inside GDB and LLDB, in their Python."""
