# SPDX-License-Identifier: Apache-2.0
"""Every fault: its code, category, sentence, next step and page."""
