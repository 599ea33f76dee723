# SPDX-License-Identifier: Apache-2.0
"""Agent expressions: bytecode that clients compile and the stub evaluates."""
