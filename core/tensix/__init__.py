# SPDX-License-Identifier: Apache-2.0
"""The coprocessor: three threads, and every instruction as a row."""
