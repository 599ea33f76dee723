# SPDX-License-Identifier: Apache-2.0
"""Races that an observed run has found: for people, and as files for tools."""
