// SPDX-License-Identifier: Apache-2.0
/**
 * Breakpoints in programs that are not loaded yet, as a ttnn script's kernels are when its session
 * begins: GDB keeps them, if it is told to, and their conditions too. And the names of files that were
 * compiled elsewhere.
 */

import { DebugProtocol } from '@vscode/debugprotocol';
import { existsSync } from 'fs';
import { IGDBBackend } from 'cdt-gdb-adapter/dist/types/gdb';
import { original } from '../original';

const CONDITION = /^-break-condition (?=\d)/;
const PARTS = 4;

/** Return the end of a path, by which GDB finds a file in whatever folder it was compiled: tt-metal keeps
 * what it has compiled, for each ttnn of the same version. Of a folder that was copied, `root`, the copy may
 * have another name. */
export function tail(path: string, root = ''): string {
    const inside = root && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
    return inside.split('/').slice(-PARTS).join('/');
}

/** Name the file of a frame as it is here. One that is not here is in the frame's name: an editor would
 * open it, and say that it is not there, instead of showing the instructions. */
export function placed(frame: DebugProtocol.StackFrame, root: string): void {
    const { source } = frame;
    if (!source?.path) return;
    source.path = original(source.path, root);
    if (existsSync(source.path)) return;
    frame.name += ` at ${source.name}:${frame.line}`;
    delete frame.source;
}

/** Have GDB keep what it cannot set yet. */
export function pending(gdb: IGDBBackend): void {
    const options = gdb.getBreakpointOptions.bind(gdb);
    gdb.getBreakpointOptions = async (location, initial) => ({
        ...(await options(location, initial)),
        pending: true,
    });
    const send = gdb.sendCommand.bind(gdb);
    gdb.sendCommand = <T>(command: string) =>
        send<T>(command.replace(CONDITION, '-break-condition --force '));
}

/** Return the numbers of breakpoints that have no place yet. */
export async function waitingBreakpoints(gdb: IGDBBackend): Promise<Set<number>> {
    const { BreakpointTable: table } = await gdb.sendCommand<{
        BreakpointTable?: { body?: { bkpt?: Bkpt }[] | { bkpt?: Bkpt } };
    }>('-break-list');
    const rows = [table?.body ?? []].flat() as ({ bkpt?: Bkpt } | Bkpt)[];
    const all = rows.map((row) => ('bkpt' in row && row.bkpt ? row.bkpt : (row as Bkpt)));
    return new Set(all.filter((one) => one.pending !== undefined).map((one) => parseInt(one.number, 10)));
}

interface Bkpt {
    number: string;
    pending?: string;
}
