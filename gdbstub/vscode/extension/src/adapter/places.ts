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

// A field of the banks: its word and bits, as `tensix cfg NAME` prints them.
const FIELD = /^(\w+) +word (\d+) +bits? (\d+)(?::(\d+))? .* (?:bank 0\b|both banks)/;
const CONFIGURATION = 0xffef0000; // where harts have it
const WORD = 32;

/** Return what a hart's store changes of a field of configuration, for GDB: the tile's own watches see
 * the coprocessor, the NoC and the host. */
export function stored(name: string, said: string): string[] {
    const expressions = new Set<string>();
    for (const line of said.split('\n')) {
        const found = FIELD.exec(line);
        if (!found || found[1] !== name) continue;
        const [word, high, low] = [found[2], found[3], found[4] ?? found[3]].map(Number);
        for (let at = 0; at * WORD <= high; at++) {
            const place = `*(unsigned*)0x${(CONFIGURATION + 4 * (word + at)).toString(16)}`;
            const width = high - low + 1;
            const isPart = width < WORD;
            expressions.add(isPart ? `(${place} >> ${low}) & ${2 ** width - 1}` : place);
        }
    }
    return [...expressions];
}

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

    /** Watch a place of the tile until it is deleted by its number; return what is said of it. */
    async place(place: string): Promise<string> {
        const said = await this.console.ask(`tensix watch ${place}`);
        const name = /^cfg (\w+)/.exec(place)?.[1];
        if (name && WATCH.test(said)) {
            const fields = stored(name, await this.console.ask(`tensix cfg ${name}`));
            for (const expression of fields) await this.console.ask(`watch ${expression}`);
        }
        return said;
    }

    private async add(one: DebugProtocol.DataBreakpoint): Promise<DebugProtocol.Breakpoint> {
        if (one.dataId.startsWith(PLACE)) {
            const place = one.dataId.slice(PLACE.length);
            const said = await this.console.ask(`tensix watch ${place}`);
            const number = WATCH.exec(said)?.[1];
            if (number) this.places.push(number);
            const name = /^cfg (\w+)/.exec(place)?.[1];
            if (name) {
                const fields = stored(name, await this.console.ask(`tensix cfg ${name}`));
                for (const expression of fields) await this.watch('-break-watch', expression);
            }
            return { verified: number !== undefined, message: said.trim() };
        }
        const number = await this.watch(COMMAND[one.accessType ?? 'write'], one.dataId);
        if (number === undefined) return { verified: false };
        if (one.condition) await this.gdb().sendCommand(`-break-condition ${number} ${one.condition}`);
        return { verified: true, id: parseInt(number, 10) };
    }

    /** Set a watchpoint of GDB; return its number. */
    private async watch(command: string, expression: string): Promise<string | undefined> {
        const answer = await this.gdb().sendCommand<Record<string, { number: string } | undefined>>(
            `${command} ${quoted(expression)}`,
        );
        const number = (answer['wpt'] ?? answer['hw-rwpt'] ?? answer['hw-awpt'])?.number;
        if (number !== undefined) this.watchpoints.push(number);
        return number;
    }
}

function refused(problem: unknown): DebugProtocol.Breakpoint {
    return { verified: false, message: problem instanceof Error ? problem.message : String(problem) };
}
