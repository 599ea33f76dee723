# SPDX-License-Identifier: Apache-2.0
"""Files about a run: coverage, profiles, timelines, recordings."""
