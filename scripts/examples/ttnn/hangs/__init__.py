# SPDX-License-Identifier: Apache-2.0
"""Programs of ttnn that hang because harts poll, and how soon that is said: see `__main__.py`."""
