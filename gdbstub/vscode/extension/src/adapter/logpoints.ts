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

export class Logpoints {
    private readonly set = new Map<string, string[]>(); // numbers, by file

    constructor(private readonly gdb: () => IGDBBackend) {}

    /** True if the file has some. */
    has(file: string): boolean {
        return (this.set.get(file) ?? []).length > 0;
    }

    /** Make these the logpoints of a file; return what became of each. */
    async replace(
        file: string,
        wanted: DebugProtocol.SourceBreakpoint[],
    ): Promise<DebugProtocol.Breakpoint[]> {
        for (const old of this.set.get(file) ?? []) {
            await this.gdb().sendCommand(`-break-delete ${old}`).catch(() => undefined); // it may be gone
        }
        const numbers: string[] = [];
        this.set.set(file, numbers);
        const made: DebugProtocol.Breakpoint[] = [];
        for (const one of wanted) {
            try {
                made.push(await this.add(file, one, numbers));
            } catch (problem) {
                made.push({ verified: false, line: one.line, message: String(problem) });
            }
        }
        return made;
    }

    private async add(
        file: string,
        one: DebugProtocol.SourceBreakpoint,
        numbers: string[],
    ): Promise<DebugProtocol.Breakpoint> {
        const [format, values] = parsed(one.logMessage ?? '');
        const condition = one.condition ? `-c ${quoted(one.condition)} ` : '';
        const escaped = quoted(format).replace(/\n/g, '\\n');
        const parts = [quoted(`${file}:${one.line}`), escaped, ...values.map(quoted)];
        const { bkpt } = await this.gdb().sendCommand<{ bkpt: { number: string; line?: string } }>(
            `-dprintf-insert ${condition}${parts.join(' ')}`,
        );
        numbers.push(bkpt.number);
        return {
            id: parseInt(bkpt.number, 10),
            verified: true,
            line: bkpt.line ? parseInt(bkpt.line, 10) : one.line,
        };
    }
}
