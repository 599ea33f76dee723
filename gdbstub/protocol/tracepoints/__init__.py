# SPDX-License-Identifier: Apache-2.0
"""Tracepoints: collected frames and their file."""
