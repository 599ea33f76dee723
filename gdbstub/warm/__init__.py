# SPDX-License-Identifier: Apache-2.0
"""A process that has loaded what F5 needs: commands that are handed to it begin at once.

    editor ── tensix-gdb vscode --warm     loads the machine and its compiled code, once
       │                  │ fork
       └─ tensix-gdb ARGUMENTS  ═══►  a copy does the command, with the files and folder of the
          (client.py: waits, passes      one that was typed (copies.py)
          signals on, ends as it does)

Python loads 1,100 modules for a server, which takes longer than all else between F5 and the first
stop. The variable TENSIX_GDB_WARM names the socket of such a process to `tensix-gdb`. Where there
is none, or it has loaded other files than are there now, the command is done as ever.
"""
