# SPDX-License-Identifier: Apache-2.0
"""Options that commands share, by subject."""
