# SPDX-License-Identifier: Apache-2.0
"""Several tiles on one chip."""
