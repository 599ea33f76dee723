# SPDX-License-Identifier: Apache-2.0
"""Schemas of encodings, operands and configuration words."""
