// SPDX-License-Identifier: Apache-2.0
/**
 * Variables that GDB makes no variable object of: a vFloat of SFPI, which is its lanes here
 * (`tensix-gdb manual lanes`), and what the compiler has left out. Otherwise one of them would make
 * the whole scope an error.
 */

import { IGDBBackend } from 'cdt-gdb-adapter/dist/types/gdb';

const CREATE = /^-var-create (.*)- ([*@]) "([A-Za-z_]\w*)"$/;
const UNKNOWN = /No symbol|No frame|No registers/;
const VECTOR = /\bsfpi::v(Float|Int|UInt)\b/;
const LEFT_OUT = /^(\w+) = <optimized out>$/gm;
export const NONE = '<optimized out>';
const LANES = /^(float|int|unsigned int) \[32\]$/;

interface Made {
    name: string;
    value: string;
    type: string;
}

/** Have GDB make a variable object of each name that the program has. */
export function named(gdb: IGDBBackend): void {
    const send = gdb.sendCommand.bind(gdb);
    gdb.sendCommand = async <T>(command: string): Promise<T> => {
        const [, where, frame, name] = CREATE.exec(command) ?? [];
        if (!name) return send<T>(command);
        const make = (expression: string) => send<T & Made>(`-var-create ${where}- ${frame} "${expression}"`);
        const made = await make(name).catch((problem: Error) => problem);
        if (!(made instanceof Error) && !VECTOR.test(made.type)) return made;
        const lanes = await make(lanesOf(name)).catch(() => undefined);
        if (lanes && LANES.test(lanes.type)) return lanes;
        if (lanes) await send(`-var-delete ${lanes.name}`);
        if (!(made instanceof Error)) return { ...made, value: NONE };
        // MI does not say why there is no object.
        const said = await send<Made>(`-data-evaluate-expression ${where}"${name}"`).catch((why) => why);
        if (UNKNOWN.test(String(said))) throw made;
        return { ...(await make('0')), value: NONE, type: '' };
    };
}

/** Return the names of variables that have no value, of what `info locals` prints. MI leaves out those
 * that have none anywhere, as SFPI's have in GDB. */
export function leftOut(said: string): string[] {
    return [...new Set(Array.from(said.matchAll(LEFT_OUT), (found) => found[1]))];
}

/** True if this is the type of lanes, and of an array like that. */
export function isLanes(type = ''): boolean {
    return LANES.test(type);
}

/** Return the lanes of a name as a text, in a frame; undefined if it is no variable of SFPI. */
export async function lanesText(
    gdb: IGDBBackend,
    { threadId, frameId }: { threadId: number; frameId: number },
    name: string,
): Promise<string | undefined> {
    if (!/^\w+$/.test(name)) return undefined;
    const command = `-data-evaluate-expression --thread ${threadId} --frame ${frameId} "${lanesOf(name)}"`;
    return (await gdb.sendCommand<Made>(command).catch(() => undefined))?.value;
}

function lanesOf(name: string): string {
    return `$_tensix_lanes(\\"${name}\\")`;
}
