# SPDX-License-Identifier: Apache-2.0
"""The remote protocol, for any target: packets, sessions, clients, sockets."""
