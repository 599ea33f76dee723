# SPDX-License-Identifier: Apache-2.0
"""Performance counters for people."""
