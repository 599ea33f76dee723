# SPDX-License-Identifier: Apache-2.0
"""Agent expressions, which clients compile and the stub evaluates: pure, values and functions."""
