# SPDX-License-Identifier: Apache-2.0
"""Origins for GDB and for tests."""
