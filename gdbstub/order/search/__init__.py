# SPDX-License-Identifier: Apache-2.0
"""Searches of orders: `tensix-gdb seeds`, its programs, and pytest with many seeds"""
