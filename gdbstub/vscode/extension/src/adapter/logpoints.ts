// SPDX-License-Identifier: Apache-2.0
/**
 * Logpoints, decided in the tile: GDB's `dprintf` in the style `agent`. Nothing stops, and cycles are
 * those of a run without them.
 *
 * `{expression}` is printed as a number; `{expression:%08x}` in a format of printf.
 */

import { DebugProtocol } from '@vscode/debugprotocol';
import { IGDBBackend } from 'cdt-gdb-adapter/dist/types/gdb';
import { quoted } from './console';
import { OfFiles } from './of_files';

const HOLE = /\{([^{}]+?)(?::(%[-+ #0]*\d*[dxXuoc]))?\}/g;

/** Return the format and the arguments of dprintf for the message of a logpoint. */
export function parsed(message: string): [format: string, values: string[]] {
    const values: string[] = [];
    let format = '';
    let end = 0;
    for (const hole of message.matchAll(HOLE)) {
        format += message.slice(end, hole.index).replace(/%/g, '%%') + (hole[2] ?? '%d');
        values.push(hole[1].trim());
        end = hole.index + hole[0].length;
    }
    return [`${format}${message.slice(end).replace(/%/g, '%%')}\n`, values];
}

interface Made {
    number: string;
    line?: string;
    pending?: string;
}

export class Logpoints extends OfFiles {
    /** `nameOf` is what GDB finds a file by. One in a program that is not loaded yet is kept. */
    constructor(
        private readonly gdb: () => IGDBBackend,
        private readonly nameOf: (file: string) => string,
    ) {
        super();
    }

    protected remove(number: string): Promise<unknown> {
        return this.gdb().sendCommand(`-break-delete ${number}`);
    }

    protected async add(
        file: string,
        one: DebugProtocol.SourceBreakpoint,
    ): Promise<[string, DebugProtocol.Breakpoint]> {
        const [format, values] = parsed(one.logMessage ?? '');
        const condition = one.condition ? `-c ${quoted(one.condition)} ` : '';
        const escaped = quoted(format).replace(/\n/g, '\\n');
        const parts = [quoted(`${this.nameOf(file)}:${one.line}`), escaped, ...values.map(quoted)];
        const { bkpt } = await this.gdb().sendCommand<{ bkpt: Made }>(
            `-dprintf-insert -f ${condition}${parts.join(' ')}`,
        );
        const line = bkpt.line ? parseInt(bkpt.line, 10) : one.line;
        const verified = bkpt.pending === undefined;
        return [bkpt.number, { id: parseInt(bkpt.number, 10), verified, line }];
    }
}
