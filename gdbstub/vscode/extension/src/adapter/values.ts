// SPDX-License-Identifier: Apache-2.0
/** What a session shows of a stopped tile: scopes, variables, expressions, instructions, and what the
 * views of the extension ask for. */

import { Scope } from '@vscode/debugadapter';
import { DebugProtocol } from '@vscode/debugprotocol';
import { IGDBBackend } from 'cdt-gdb-adapter/dist/types/gdb';
import { CDTDisassembleArguments, FrameVariableReference, TargetAttachRequestArguments } from 'cdt-gdb-adapter/dist/types/session';
import { VarObjType } from 'cdt-gdb-adapter/dist/varManager';
import { Console } from './console';
import { instructions } from './disassembly';
import { lineValues } from './line_values';
import { MemorySession, referenceOf } from './memory';
import { isLanes, lanesText, leftOut, named, NONE } from './no_value';
import { isPlace, Tile, TILE_SCOPES } from './tile_scopes';

const COMMAND = /^(tensix|monitor|race-other|tensix-break|hart-break)\b/;

interface Asked {
    command?: string;
    threadId?: number;
    frameId?: number;
}

export class Values extends MemorySession {
    protected readonly console = new Console(() => this.gdb);
    protected readonly tile = new Tile(this.console);

    protected initializeSessionArguments(args: TargetAttachRequestArguments): void {
        super.initializeSessionArguments(args);
        named(this.gdb);
    }

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
        if (!this.tile.has(args.variablesReference)) {
            await super.setVariableRequest(response, args);
            return this.memoryChanged();
        }
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
        const frame = this.frameHandles.get(args.frameId ?? -1);
        const { body } = response;
        if (frame && body?.type && !this.isRunning) {
            if (isLanes(body.type)) body.result = (await lanesText(this.gdb, frame, text)) ?? body.result;
            const asks = args.context === 'watch' || args.context === 'variables';
            if (asks) body.memoryReference = await referenceOf(this.gdb, frame, text, body.type);
        }
        this.sendResponse(response);
        if (args.context === 'repl') this.memoryChanged();
    }

    /** The variables of a frame, each with where it is in memory. */
    protected async handleVariableRequestFrame(ref: FrameVariableReference): Promise<DebugProtocol.Variable[]> {
        const variables = await super.handleVariableRequestFrame(ref);
        const frame = this.frameHandles.get(ref.frameHandle);
        if (!frame) return variables;
        const said = await this.console.ask('info locals', frame.threadId, frame.frameId).catch(() => '');
        const known = new Set(variables.map((one) => one.name));
        for (const name of leftOut(said).filter((one) => !known.has(one))) {
            const value = (await lanesText(this.gdb, frame, name)) ?? NONE;
            variables.push({ name, evaluateName: name, value, variablesReference: 0 });
        }
        for (const one of variables) {
            one.memoryReference = await referenceOf(this.gdb, frame, one.name, one.type);
            if (isLanes(one.type)) one.value = (await lanesText(this.gdb, frame, one.name)) ?? one.value;
        }
        return variables;
    }

    /** An array that has no address is shown as it is. */
    protected async getAddr(variable: VarObjType, gdb: IGDBBackend): Promise<string> {
        return super.getAddr(variable, gdb).catch(() => variable.value);
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
