# SPDX-License-Identifier: Apache-2.0
"""The debug interface of the harts and the debug bus."""
