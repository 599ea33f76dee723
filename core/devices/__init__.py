# SPDX-License-Identifier: Apache-2.0
"""The tile's registers outside L1: windows, mailboxes, semaphores, configuration."""
