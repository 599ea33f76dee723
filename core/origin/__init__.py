# SPDX-License-Identifier: Apache-2.0
"""Where a value came from: its last write, and what that was made of, back to the host."""
