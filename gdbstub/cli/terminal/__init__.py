# SPDX-License-Identifier: Apache-2.0
"""The terminal of a command: its width, its pager, its keys."""
