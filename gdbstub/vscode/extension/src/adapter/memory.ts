// SPDX-License-Identifier: Apache-2.0
/**
 * Memory, for an editor in hexadecimal: L1 of the tile, and the local RAM of each hart.
 *
 * Each hart has its own RAM at the same addresses, and each tile its own L1. So a reference says the
 * thread besides: `0xffb00000 thread 2`. One without a thread is an expression of the selected one.
 */

import { InvalidatedEvent, MemoryEvent } from '@vscode/debugadapter';
import { DebugProtocol } from '@vscode/debugprotocol';
import { IGDBBackend } from 'cdt-gdb-adapter/dist/types/gdb';
import { Session } from './base';

const REFERENCE = /^(.*\S) thread (\d+)$/;
const ADDRESS = /0x[0-9a-f]+/;
const POINTER = /\*(?: const| volatile)*$/;
const ALL = 0x7fffffff; // bytes: whatever is shown of a reference
const LOCAL_RAM = '0xffb00000';
const HARTS = ['B', 'T0', 'T1', 'T2', 'NC'];
const OF_A_TILE = 8; // threads; the harts are the first ones

interface Blocks {
    memory: { offset: string; contents: string }[];
}

/** Return L1 and the local RAMs of a thread's tile, each with its reference. */
export function memories(thread = 1): { name: string; value: string; memoryReference: string }[] {
    const first = thread - ((thread - 1) % OF_A_TILE);
    const ram = HARTS.map((hart, i) => [`Local RAM of ${hart}`, LOCAL_RAM, first + i] as const);
    return [['L1', '0x0', first] as const, ...ram].map(([name, address, of]) => ({
        name,
        value: `from ${address}`,
        memoryReference: `${address} thread ${of}`,
    }));
}

/** Return the reference of what an expression is in a frame: of a pointer, what it points to. Undefined
 * where that is not in memory, as a variable in a register. */
export async function referenceOf(
    gdb: IGDBBackend,
    { threadId, frameId }: { threadId: number; frameId: number },
    expression: string,
    type = '',
): Promise<string | undefined> {
    const pointer = POINTER.test(type) ? `(void*)(${expression})` : `(void*)&(${expression})`;
    const text = pointer.replace(/\\/g, '\\\\').replace(/"/g, '\\"');
    const found = await gdb
        .sendCommand<{ value?: string }>(
            `-data-evaluate-expression --thread ${threadId} --frame ${frameId} "${text}"`,
        )
        .catch(() => undefined);
    const address = ADDRESS.exec(found?.value ?? '')?.[0];
    return address && `${address} thread ${threadId}`;
}

export class MemorySession extends Session {
    private readonly shown = new Set<string>(); // references that were read
    private isTold = false; // the editor wants to know of changes

    protected initializeRequest(
        response: DebugProtocol.InitializeResponse,
        args: DebugProtocol.InitializeRequestArguments,
    ): void {
        this.isTold = args.supportsMemoryEvent ?? false;
        super.initializeRequest(response, args);
    }

    /** Let the editor read again what it shows of memory. */
    protected memoryChanged(): void {
        if (!this.isTold) return;
        for (const reference of this.shown) this.sendEvent(new MemoryEvent(reference, 0, ALL));
    }

    /** What cannot be read, as after the end of L1, is said to be unreadable, and is no error. */
    protected async readMemoryRequest(
        response: DebugProtocol.ReadMemoryResponse,
        args: DebugProtocol.ReadMemoryArguments,
    ): Promise<void> {
        const { memoryReference, offset = 0, count } = args;
        this.shown.add(memoryReference);
        const address = await this.address(memoryReference, offset).catch(() => undefined);
        if (address === undefined || this.isRunning || !count) {
            const message = this.isRunning ? 'the tile runs' : `${memoryReference} is no address`;
            return count ? this.sendErrorResponse(response, 1, message) : this.sendResponse(response);
        }
        const bytes = await this.bytes(address, parsed(memoryReference)[1], count);
        const unreadableBytes = count - bytes.length;
        response.body = { address, data: bytes.toString('base64'), ...(unreadableBytes ? { unreadableBytes } : {}) };
        this.sendResponse(response);
    }

    /** Return what can be read from an address on. Of a part GDB 13 takes one byte too many for readable,
     * and has garbage for it: so the last one is asked for by itself. */
    private async bytes(address: string, thread: string, count: number): Promise<Buffer> {
        const command = `-data-read-memory-bytes${thread} ${address} ${count}`;
        const { memory } = await this.gdb.sendCommand<Blocks>(command).catch(() => ({ memory: [] }) as Blocks);
        const [block] = memory.filter((one) => parseInt(one.offset) === 0);
        const bytes = Buffer.from(block?.contents ?? '', 'hex');
        const last = bytes.length - 1;
        if (last < 1 || bytes.length === count) return bytes;
        const isThere = await this.bytes(`0x${(parseInt(address) + last).toString(16)}`, thread, 1);
        return isThere.length ? bytes : bytes.subarray(0, last);
    }

    protected async writeMemoryRequest(
        response: DebugProtocol.WriteMemoryResponse,
        args: DebugProtocol.WriteMemoryArguments,
    ): Promise<void> {
        try {
            if (this.isRunning) throw new Error('the tile runs');
            const bytes = Buffer.from(args.data, 'base64');
            const [, thread] = parsed(args.memoryReference);
            const address = await this.address(args.memoryReference, args.offset ?? 0);
            await this.gdb.sendCommand(`-data-write-memory-bytes${thread} ${address} ${bytes.toString('hex')}`);
            response.body = { bytesWritten: bytes.length };
            this.sendResponse(response);
            this.memoryChanged();
            this.sendEvent(new InvalidatedEvent(['variables']));
        } catch (problem) {
            this.sendErrorResponse(response, 1, problem instanceof Error ? problem.message : String(problem));
        }
    }

    /** Return the address that a reference and an offset are. */
    private async address(reference: string, offset: number): Promise<string> {
        const [expression, thread] = parsed(reference);
        const command = `-data-evaluate-expression${thread} "(unsigned)(${expression})"`;
        const { value } = await this.gdb.sendCommand<{ value: string }>(command);
        const at = Number(value) + offset;
        if (!Number.isInteger(at)) throw new Error(`${reference} is no address`);
        return `0x${at.toString(16)}`;
    }
}

/** Return the expression of a reference, and the option of a command that selects its thread. */
function parsed(reference: string): [expression: string, thread: string] {
    const [, expression, thread] = REFERENCE.exec(reference) ?? [];
    return expression ? [expression, ` --thread ${thread}`] : [reference, ''];
}
