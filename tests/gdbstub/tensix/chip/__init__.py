# SPDX-License-Identifier: Apache-2.0
"""Several tiles as one target."""
