# SPDX-License-Identifier: Apache-2.0
"""Other orders of the same run: which seeds go wrong, and where a wait mends them (`--seeds`)."""
