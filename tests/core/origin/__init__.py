# SPDX-License-Identifier: Apache-2.0
"""Where a value came from: the stamped build, values with parts, questions."""
