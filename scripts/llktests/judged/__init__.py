# SPDX-License-Identifier: Apache-2.0
"""Verdicts on what is reported of LLK's tests: races, and findings of checks of state."""
