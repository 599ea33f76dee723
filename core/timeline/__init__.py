# SPDX-License-Identifier: Apache-2.0
"""What changed in each cycle, for `monitor trace` and `--trace`."""
