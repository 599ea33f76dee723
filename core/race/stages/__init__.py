# SPDX-License-Identifier: Apache-2.0
"""Stages that do not agree: one unit writes in a format, and another reads in another one."""
