# SPDX-License-Identifier: Apache-2.0
"""The table of commands, their options as dataclasses, and the groups that commands share"""
