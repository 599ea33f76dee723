# SPDX-License-Identifier: Apache-2.0
"""The line to blame for a wrong tile or a refused configuration: seen in a second run."""
