# SPDX-License-Identifier: Apache-2.0
"""Which line is to blame for a wrong tile or a refused configuration: seen in a second run."""
