# SPDX-License-Identifier: Apache-2.0
"""Core files of the whole tile."""
