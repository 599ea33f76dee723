// SPDX-License-Identifier: Apache-2.0
/** What a session shows of a stopped tile: scopes, variables, expressions, instructions, and what the
 * views of the extension ask for. */

import { Scope } from '@vscode/debugadapter';
import { DebugProtocol } from '@vscode/debugprotocol';
import { CDTDisassembleArguments } from 'cdt-gdb-adapter/dist/types/session';
import { Session } from './base';
import { Console } from './console';
import { instructions } from './disassembly';
import { lineValues } from './line_values';
import { isPlace, Tile, TILE_SCOPES } from './tile_scopes';

const NO_VALUE = 'Error: could not evaluate'; // the base class's answer
const COMMAND = /^(tensix|monitor|race-other|tensix-break|hart-break)\b/;
const NAME = /^[A-Za-z_]\w*$/;

interface Asked {
    command?: string;
    threadId?: number;
    frameId?: number;
}

export class Values extends Session {
    protected readonly console = new Console(() => this.gdb);
    protected readonly tile = new Tile(this.console);

    protected async scopesRequest(
        response: DebugProtocol.ScopesResponse,
        args: DebugProtocol.ScopesArguments,
    ): Promise<void> {
        const thread = this.frameHandles.get(args.frameId)?.threadId;
        await this.held(response, () => super.scopesRequest(response, args));
        for (const one of TILE_SCOPES) {
            response.body?.scopes.push(new Scope(one.title, this.tile.reference(one, thread), true));
        }
        this.sendResponse(response);
    }

    protected async variablesRequest(
        response: DebugProtocol.VariablesResponse,
        args: DebugProtocol.VariablesArguments,
    ): Promise<void> {
        if (!this.tile.has(args.variablesReference)) return super.variablesRequest(response, args);
        try {
            response.body = { variables: await this.tile.variables(args.variablesReference) };
            this.sendResponse(response);
        } catch (problem) {
            this.sendErrorResponse(response, 1, String(problem));
        }
    }

    protected async setVariableRequest(
        response: DebugProtocol.SetVariableResponse,
        args: DebugProtocol.SetVariableArguments,
    ): Promise<void> {
        if (!this.tile.has(args.variablesReference)) return super.setVariableRequest(response, args);
        try {
            const value = await this.tile.set(args.variablesReference, args.name, args.value);
            response.body = { value };
            this.sendResponse(response);
        } catch (problem) {
            this.sendErrorResponse(response, 1, String(problem));
        }
    }

    protected async disassembleRequest(
        response: DebugProtocol.DisassembleResponse,
        args: CDTDisassembleArguments,
    ): Promise<void> {
        await this.held(response, () => super.disassembleRequest(response, args));
        const known = response.body?.instructions ?? [];
        const all = this.isRunning ? undefined : await instructions(this.console, args, known);
        if (all && response.success) response.body = { instructions: all };
        this.sendResponse(response);
    }

    /** Places of the tile are expressions too; a variable of SFPI is its lanes; and in the console
     * the commands `tensix` need no `>`. */
    protected async evaluateRequest(
        response: DebugProtocol.EvaluateResponse,
        args: DebugProtocol.EvaluateArguments,
    ): Promise<void> {
        const text = args.expression.trim();
        if (args.context === 'repl' && COMMAND.test(text)) {
            return super.evaluateRequest(response, { ...args, expression: `>${text}` });
        }
        if (isPlace(text) && !this.isRunning) {
            try {
                const thread = this.frameHandles.get(args.frameId ?? -1)?.threadId;
                const result = (await this.console.ask(`tensix show ${text}`, thread)).trim();
                response.body = { result: result.replace(`${text} = `, ''), variablesReference: 0 };
                return this.sendResponse(response);
            } catch (problem) {
                return this.sendErrorResponse(response, 1, String(problem));
            }
        }
        await this.held(response, () => super.evaluateRequest(response, args));
        // Of a vFloat GDB has no value, and makes no variable object (`tensix-gdb manual lanes`).
        // The base class puts the expression into a string of MI as it is.
        if (NAME.test(text) && response.body?.result.startsWith(NO_VALUE)) {
            const lanes = { ...args, expression: `$_tensix_lanes(\\"${text}\\")` };
            await this.held(response, () => super.evaluateRequest(response, lanes));
        }
        this.sendResponse(response);
    }

    /** `tensix/ask`: what a command of GDB prints, for the views of the extension; `tensix/lines`: values
     * beside the lines of a frame's function. */
    protected customRequest(command: string, response: DebugProtocol.Response, args: Asked): void {
        const answer = { 'tensix/ask': this.asked, 'tensix/lines': this.lines }[command];
        if (!answer) return super.customRequest(command, response, args);
        if (this.isRunning) return this.sendErrorResponse(response, 1, 'the tile runs');
        answer.call(this, args).then(
            (body) => {
                response.body = body;
                this.sendResponse(response);
            },
            (problem) => this.sendErrorResponse(response, 1, String(problem)),
        );
    }

    private async asked({ command, threadId }: Asked): Promise<object> {
        return { text: await this.console.ask(command ?? '', threadId) };
    }

    private async lines({ frameId }: Asked): Promise<object> {
        const frame = this.frameHandles.get(frameId ?? -1);
        if (!frame) return { lines: [] };
        return { lines: await lineValues(this.gdb, this.console, frame.threadId, frame.frameId) };
    }
}
