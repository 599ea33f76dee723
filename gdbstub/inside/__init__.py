# SPDX-License-Identifier: Apache-2.0
"""What runs inside GDB and LLDB, in their Python."""
