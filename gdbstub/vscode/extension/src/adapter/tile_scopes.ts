// SPDX-License-Identifier: Apache-2.0
/** Scopes of a tile beside GDB's Local and Registers: memory, and semaphores, GPRs and LRegs by their
 * names. */

import { DebugProtocol } from '@vscode/debugprotocol';
import { Console } from './console';
import { memories } from './memory';

const PLACE = /^(dst|src|lreg|cfg|gpr|sem|mutex)\s+\S/i;
const FIRST = 1 << 24; // of our references; the base class counts from 1000
const OF_A_TILE = 8; // threads
const TENSIX = ['T0', 'T1', 'T2'];

/** True if an expression is a place of the tile, as `tensix show` knows it. */
export function isPlace(text: string): boolean {
    return PLACE.test(text);
}

interface Row {
    name: string;
    value: string;
    place?: string; // what `tensix show`, `watch` and an assignment call it
    memoryReference?: string;
}

export interface TileScope {
    title: string;
    ask?: (thread: string) => string;
    rows: (said: string, thread: string, number?: number) => Row[];
}

export const TILE_SCOPES: TileScope[] = [
    {
        title: 'Semaphores',
        ask: () => 'tensix sem',
        rows: (said) =>
            table(said).map(([number, value, max, ...waiting]) => ({
                name: number,
                value: `${value} of ${max}${waiting.length ? `, ${waiting.join(' ')}` : ''}`,
                place: `sem ${number}`,
            })),
    },
    {
        title: 'Tensix GPRs',
        ask: (thread) => `tensix gpr ${thread}`,
        rows: (said, thread) =>
            gprs(said).map(([name, value]) => ({ name, value, place: `gpr ${thread} ${name}` })),
    },
    {
        title: 'LRegs',
        ask: () => 'tensix vector',
        rows: (said) => lregs(said).map(([name, value]) => ({ name, value })),
    },
    { title: 'Memory', rows: (_said, _thread, number) => memories(number) },
];

/** Return the words of each line that begins with a number. */
function table(said: string): string[][] {
    return said
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter(([first]) => /^\d+$/.test(first));
}

/** Return the names and values that `tensix gpr` has printed. */
export function gprs(said: string): [name: string, value: string][] {
    return table(said).flatMap(([first, ...words]) =>
        words.map((word, i): [string, string] => [`${parseInt(first, 10) + i}`, `0x${word}`]),
    );
}

/** Return the names and values that `tensix vector` has printed. */
export function lregs(said: string): [name: string, value: string][] {
    return said
        .split('\n')
        .map((line) => /^\s*(\S.*?)\s{2,}(.*)$/.exec(line))
        .filter((found) => found !== null)
        .map(([, name, value]) => [name, value]);
}

/** Return the Tensix thread that belongs to a thread of GDB: of each tile harts 2 to 4 and gates 6 to 8. */
export function tensixThread(thread = 3): string {
    const own = ((thread - 1) % OF_A_TILE) + 1;
    return TENSIX[own >= 6 ? own - 6 : own - 2] ?? 'T1';
}

export class Tile {
    private shown: { scope: TileScope; thread?: number; rows: Row[] }[] = [];

    constructor(private readonly console: Console) {}

    /** Forget the references of the last stop. */
    forget(): void {
        this.shown = [];
    }

    reference(scope: TileScope, thread: number | undefined): number {
        this.shown.push({ scope, thread, rows: [] });
        return FIRST + this.shown.length;
    }

    has(reference: number): boolean {
        return reference > FIRST;
    }

    async variables(reference: number): Promise<DebugProtocol.Variable[]> {
        const one = this.shown[reference - FIRST - 1];
        if (!one) return [];
        const own = tensixThread(one.thread);
        const said = one.scope.ask ? await this.console.ask(one.scope.ask(own), one.thread) : '';
        one.rows = one.scope.rows(said, own, one.thread);
        return one.rows.map(({ name, value, place, memoryReference }) => ({
            name,
            value,
            memoryReference,
            variablesReference: 0,
            evaluateName: place,
        }));
    }

    /** Return the place that a variable of ours is; undefined for another. */
    place(reference: number | undefined, name: string): string | undefined {
        const one = this.shown[(reference ?? 0) - FIRST - 1];
        return one?.rows.find((row) => row.name === name)?.place;
    }

    /** Write a value into a place; return what is there then. */
    async set(reference: number, name: string, value: string): Promise<string> {
        const place = this.place(reference, name);
        if (!place) throw new Error(`${name} cannot be written`);
        const { thread } = this.shown[reference - FIRST - 1];
        await this.console.ask(`tensix show ${place} = ${value}`, thread);
        return (await this.console.ask(`tensix show ${place}`, thread)).trim().replace(`${place} = `, '');
    }
}
