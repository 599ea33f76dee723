// SPDX-License-Identifier: Apache-2.0
/**
 * Values beside the lines of the function where a thread stands: the general purpose registers and LRegs
 * that the instructions use that a line pushes.
 *
 * The instructions say which: a line names them by constants of a header, by plain numbers, or not at all.
 */

import { IGDBBackend } from 'cdt-gdb-adapter/dist/types/gdb';
import { Console } from './console';
import { BYTES, texts } from './disassembly';
import { gprs, lregs, tensixThread } from './tile_scopes';

/** What is shown beside a line. */
export interface LineValue {
    line: number;
    text: string;
}

interface Row {
    line?: string;
    fullname?: string;
    line_asm_insn?: { address: string }[];
}

const GPR = /\bG(\d{1,2})(?=_|\b)/g;
const LREG = /\bL(?:Reg)?\[?(\d{1,2})\b/g;
const MOST = 1024; // instructions of a function

/** Return the values for the function that a frame is in. */
export async function lineValues(
    gdb: IGDBBackend,
    console: Console,
    thread: number,
    frame: number,
): Promise<LineValue[]> {
    const where = `--thread ${thread} --frame ${frame}`;
    const shown = await gdb.sendCommand<{ frame: { addr: string; fullname?: string } }>(
        `-stack-info-frame ${where}`,
    );
    const { addr, fullname } = shown.frame;
    const code = await gdb.sendCommand<{ asm_insns?: ({ src_and_asm_line?: Row } | Row)[] }>(
        `-data-disassemble --thread ${thread} -a ${addr} -- 5`,
    );
    const rows = (code.asm_insns ?? []).map((one) => ('src_and_asm_line' in one ? one.src_and_asm_line : one) as Row);
    const lines = new Map<number, number>(); // by address
    for (const row of rows) {
        if (row.fullname !== fullname) continue;
        for (const { address } of row.line_asm_insn ?? []) {
            // GDB shows what is pushed as two halves; the second begins no instruction.
            if (parseInt(address) % BYTES === 0) lines.set(parseInt(address), parseInt(row.line ?? '0', 10));
        }
    }
    if (!lines.size) return [];
    const from = Math.min(...lines.keys());
    const count = Math.min(MOST, (Math.max(...lines.keys()) - from) / BYTES + 1);
    const used = new Map<number, Set<string>>();
    for (const { address, text } of texts(await console.ask(`tensix disasm ${from} ${count}`, thread))) {
        const line = lines.get(address);
        const names = [...named(text, GPR, 'G'), ...named(text, LREG, 'L')];
        if (line && names.length) used.set(line, new Set([...(used.get(line) ?? []), ...names]));
    }
    if (!used.size) return [];
    const values = await valuesOf(console, thread);
    return [...used].map(([line, names]) => ({
        line,
        text: [...names].map((name) => `${name} = ${values.get(name) ?? '?'}`).join(', '),
    }));
}

function named(text: string, pattern: RegExp, letter: string): string[] {
    return text.includes('.ttinsn') ? Array.from(text.matchAll(pattern), (found) => letter + found[1]) : [];
}

/** Return the registers' values by name: G5, L3. */
async function valuesOf(console: Console, thread: number): Promise<Map<string, string>> {
    const own = tensixThread(thread);
    const words = gprs(await console.ask(`tensix gpr ${own}`, thread)).map(([n, word]) => [`G${n}`, word] as const);
    const lanes = lregs(await console.ask('tensix vector', thread)).map(
        ([name, value]) => [`L${/\d+/.exec(name)?.[0]}`, value] as const,
    );
    return new Map([...words, ...lanes]);
}
