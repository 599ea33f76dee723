# SPDX-License-Identifier: Apache-2.0
"""The protocol with one client, without I/O.

`session` has the class, `states` the table of what it does about each event, `dispatch` the driver
that answers packets, `reports` what a client is told. `protocol` says what these and the tile that
clients share may touch of a session, and what a session needs of that tile.
"""

from tensix_gdb.gdbstub.protocol.session.session import Session

__all__ = ["Session"]
