// SPDX-License-Identifier: Apache-2.0
/**
 * The disassembly view. GDB knows RISC-V alone, and of an instruction that is pushed to the coprocessor
 * it shows two halves as data: the tile's own disassembler knows both.
 */

import { DebugProtocol } from '@vscode/debugprotocol';
import { Console } from './console';

const LINE = /^(?:=>)?\s+0x([0-9a-f]+)(?: <([^>]*)>)?:\s+([0-9a-f]+)\s+(.*)$/;
export const BYTES = 4; // of each instruction of the harts

/** Return the instructions that a request asks for; undefined where memory cannot be read. `known` is
 * GDB's answer, which has the source lines. */
export async function instructions(
    console: Console,
    args: DebugProtocol.DisassembleArguments,
    known: DebugProtocol.DisassembledInstruction[],
): Promise<DebugProtocol.DisassembledInstruction[] | undefined> {
    const from = parseInt(args.memoryReference) + (args.offset ?? 0) + BYTES * (args.instructionOffset ?? 0);
    if (!Number.isFinite(from)) return undefined;
    const missing = Math.min(args.instructionCount, Math.max(0, Math.ceil(-from / BYTES)));
    const all: DebugProtocol.DisassembledInstruction[] = [];
    for (let i = 0; i < missing; i++) {
        all.push({ address: hex(0), instruction: 'no memory', presentationHint: 'invalid' });
    }
    const sources = new Map(known.map((one) => [parseInt(one.address), one]));
    const wanted = args.instructionCount - missing;
    const said = await console
        .ask(`tensix disasm ${hex(from + BYTES * missing)} ${wanted}`)
        .catch(() => '');
    for (const { address: at, symbol, word, text } of texts(said)) {
        const { location, line: number, endLine } = sources.get(at) ?? {};
        all.push({
            address: hex(at),
            instructionBytes: word,
            instruction: text,
            ...(symbol && !symbol.startsWith('$') ? { symbol } : {}),
            ...(location ? { location, line: number, endLine } : {}),
        });
    }
    return all.length === args.instructionCount ? all : undefined;
}

/** Return the instructions that `tensix disasm` has printed. */
export function texts(said: string): { address: number; symbol: string; word: string; text: string }[] {
    return said
        .split('\n')
        .map((line) => LINE.exec(line))
        .filter((found) => found !== null)
        .map(([, address, symbol, word, text]) => ({
            address: parseInt(address, 16),
            symbol,
            word,
            text: text.trim().replace('\t', ' '),
        }));
}

function hex(address: number): string {
    return `0x${address.toString(16).padStart(8, '0')}`;
}
