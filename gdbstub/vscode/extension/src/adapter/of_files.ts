// SPDX-License-Identifier: Apache-2.0
/** Breakpoints of a kind that GDB does not keep for an editor: the numbers of each file's. */

import { DebugProtocol } from '@vscode/debugprotocol';

export abstract class OfFiles {
    private readonly set = new Map<string, string[]>();

    /** Set one; return its number, if it has one, and what became of it. */
    protected abstract add(
        file: string,
        one: DebugProtocol.SourceBreakpoint,
    ): Promise<[number: string | undefined, made: DebugProtocol.Breakpoint]>;

    protected abstract remove(number: string): Promise<unknown>;

    /** True if the file has some. */
    has(file: string): boolean {
        return (this.set.get(file) ?? []).length > 0;
    }

    /** Make these the ones of a file; return what became of each. */
    async replace(
        file: string,
        wanted: DebugProtocol.SourceBreakpoint[],
    ): Promise<DebugProtocol.Breakpoint[]> {
        for (const old of this.set.get(file) ?? []) {
            await this.remove(old).catch(() => undefined); // it may be gone
        }
        const numbers: string[] = [];
        this.set.set(file, numbers);
        const all: DebugProtocol.Breakpoint[] = [];
        for (const one of wanted) {
            try {
                const [number, made] = await this.add(file, one);
                if (number) numbers.push(number);
                all.push(made);
            } catch (problem) {
                all.push({ verified: false, line: one.line, message: String(problem) });
            }
        }
        return all;
    }
}
