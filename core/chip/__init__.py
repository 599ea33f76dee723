# SPDX-License-Identifier: Apache-2.0
"""Several tiles on one chip: in step, and what goes from one to another over the NoC."""
