# SPDX-License-Identifier: Apache-2.0
"""The remedy of a report: what orders its sides, and why nothing does so far."""
