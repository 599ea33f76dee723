# SPDX-License-Identifier: Apache-2.0
"""What runs inside the user's GDB, with GDB's Python: the server imports nothing of it."""
