# SPDX-License-Identifier: Apache-2.0
"""The changes of each cycle, for `monitor trace` and `--trace`."""
