// SPDX-License-Identifier: Apache-2.0
/**
 * Data breakpoints: on an address, on what a program names, and on any place of the tile, as
 * `dst 16.4`, `lreg 3.7`, `cfg NAME`, `sem 1` (`tensix-gdb manual places`).
 *
 * GDB watches addresses and expressions; the tile watches places.
 */

import { DebugProtocol } from '@vscode/debugprotocol';
import { Console, quoted } from './console';
import { IGDBBackend } from 'cdt-gdb-adapter/dist/types/gdb';

const PLACE = 'place ';
const WATCH = /^Watch (\d+)/m;
const KINDS = /^(dst|src|lreg|cfg|gpr|sem|mutex|adc|rwc|flags?|0x[0-9a-f]+(:\d+)?)(\s|$)/i;
const COMMAND = { read: '-break-watch -r', write: '-break-watch', readWrite: '-break-watch -a' };

/** Return what `dataBreakpointInfo` answers for a place or an address; undefined for another name. */
export async function info(
    console: Console,
    args: DebugProtocol.DataBreakpointInfoArguments,
): Promise<DebugProtocol.DataBreakpointInfoResponse['body'] | undefined> {
    if (args.asAddress) {
        const address = `0x${BigInt(args.name).toString(16)}`;
        const bytes = args.bytes ?? 4;
        return {
            dataId: `*(unsigned char(*)[${bytes}])${address}`,
            description: `${bytes} bytes from ${address}`,
            accessTypes: ['read', 'write', 'readWrite'],
            canPersist: true,
        };
    }
    if (!KINDS.test(args.name)) return undefined;
    const said = await console.ask(`tensix show ${args.name}`);
    return said.includes(' = ') || said.includes(', ')
        ? { dataId: PLACE + args.name, description: args.name, accessTypes: ['write'], canPersist: true }
        : { dataId: null, description: said.trim() };
}

export class Watches {
    private places: string[] = []; // numbers
    private watchpoints: string[] = [];

    constructor(
        private readonly console: Console,
        private readonly gdb: () => IGDBBackend,
    ) {}

    /** Make these the data breakpoints; return what became of each. */
    async replace(wanted: DebugProtocol.DataBreakpoint[]): Promise<DebugProtocol.Breakpoint[]> {
        if (this.places.length) await this.console.ask(`tensix delete ${this.places.join(' ')}`);
        if (this.watchpoints.length) {
            await this.gdb().sendCommand(`-break-delete ${this.watchpoints.join(' ')}`);
        }
        this.places = [];
        this.watchpoints = [];
        const made: DebugProtocol.Breakpoint[] = [];
        for (const one of wanted) made.push(await this.add(one).catch(refused));
        return made;
    }

    private async add(one: DebugProtocol.DataBreakpoint): Promise<DebugProtocol.Breakpoint> {
        if (one.dataId.startsWith(PLACE)) {
            const said = await this.console.ask(`tensix watch ${one.dataId.slice(PLACE.length)}`);
            const number = WATCH.exec(said)?.[1];
            if (number) this.places.push(number);
            return { verified: number !== undefined, message: said.trim() };
        }
        const command = COMMAND[one.accessType ?? 'write'];
        const answer = await this.gdb().sendCommand<Record<string, { number: string } | undefined>>(
            `${command} ${quoted(one.dataId)}`,
        );
        const number = (answer['wpt'] ?? answer['hw-rwpt'] ?? answer['hw-awpt'])?.number;
        if (number === undefined) return { verified: false };
        this.watchpoints.push(number);
        if (one.condition) await this.gdb().sendCommand(`-break-condition ${number} ${one.condition}`);
        return { verified: true, id: parseInt(number, 10) };
    }
}

function refused(problem: unknown): DebugProtocol.Breakpoint {
    return { verified: false, message: problem instanceof Error ? problem.message : String(problem) };
}
