# SPDX-License-Identifier: Apache-2.0
"""The protocol with one client, without I/O.

`client` has the session, `states` the table of what it does about each event, `dispatch` the driver
that answers packets. A session has a `packet_stream`, a `selection` of threads and a `console`;
`tile_protocol` is what it needs of the tile that clients share.
"""

from tensix_gdb.gdbstub.protocol.session.session import Session

__all__ = ["Session"]
