# SPDX-License-Identifier: Apache-2.0
"""Races: pairs of accesses in one run that nothing in the documents orders."""
