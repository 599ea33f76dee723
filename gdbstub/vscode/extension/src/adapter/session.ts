// SPDX-License-Identifier: Apache-2.0
/**
 * A debug session of a tile: cdt-gdb-adapter's, which drives the user's GDB, and what a tile has
 * besides: steps back, gates, places, faults and races.
 *
 * GDB knows C++, its expressions and the tile's threads, and our script for GDB brings the commands
 * `tensix`; so that this adapter translates and decides nothing.
 */

import { OutputEvent, StoppedEvent } from '@vscode/debugadapter';
import { DebugProtocol } from '@vscode/debugprotocol';
import { basename } from 'path';
import { PAGE } from './console';
import { GATE, Gates, isGate } from './gates';
import { Logpoints } from './logpoints';
import { pending, placed, tail, waitingBreakpoints } from './pending';
import { info, Watches } from './places';
import { FILTERS, stop, Stop } from './stops';
import { Values } from './values';

type Arguments = DebugProtocol.LaunchRequestArguments & { stopOnEntry?: boolean; byTail?: boolean; sourceRoot?: string };
type Event = DebugProtocol.Event;
const UNHANDLED = /^GDB unhandled notify: library-/;
// Requests that let the tile run.
const RESUMES = new Set(['continue', 'next', 'stepIn', 'stepOut', 'stepBack', 'reverseContinue', 'restart']);

export class TensixSession extends Values {
    private readonly gates = new Gates(this.console, (file) => (this.byTail ? tail(file, this.sourceRoot) : basename(file)));
    private readonly logpoints = new Logpoints(
        () => this.gdb,
        (file) => (this.byTail ? tail(file, this.sourceRoot) : file),
    );
    private readonly watches = new Watches(this.console, () => this.gdb);
    private stopOnEntry?: boolean;
    private byTail = false;
    private sourceRoot = '';
    private hasBreakpoints = false;
    private said = ''; // on the console, since the last resume
    private last: Stop = { reason: '', description: '', text: '' };
    private observes = false;
    private goesBack = false;
    private changes: Promise<unknown> = Promise.resolve(); // of breakpoints and filters, one after the other

    protected getBreakpointModes(): DebugProtocol.BreakpointMode[] {
        return [{ mode: 'software', label: 'Hart: stop the core before the line', appliesTo: ['source'] }, GATE];
    }

    protected initializeRequest(
        response: DebugProtocol.InitializeResponse,
        args: DebugProtocol.InitializeRequestArguments,
    ): void {
        response.body = {
            supportsStepBack: true,
            supportsExceptionInfoRequest: true,
            supportsDataBreakpointBytes: true,
            supportsRestartRequest: true,
            exceptionBreakpointFilters: FILTERS,
        };
        super.initializeRequest(response, args);
    }

    protected initializeSessionArguments(args: Arguments): void {
        super.initializeSessionArguments(args as never);
        this.stopOnEntry = args.stopOnEntry;
        this.byTail = args.byTail ?? false;
        this.sourceRoot = args.sourceRoot ?? '';
        pending(this.gdb);
        this.gdb.on('consoleStreamOutput', (text: string) => {
            if (!this.console.isAsking) this.said += text;
        });
    }

    /** Begin. Without breakpoints, or if that is wanted, the harts wait at their first instructions. */
    protected async configurationDoneRequest(
        response: DebugProtocol.ConfigurationDoneResponse,
        args: DebugProtocol.ConfigurationDoneArguments,
    ): Promise<void> {
        const stays = this.stopOnEntry ?? !this.hasBreakpoints;
        if (!stays) return super.configurationDoneRequest(response, args);
        this.configuringState = 4; // DONE: the pause of the configuration ends without a resume
        this.pauseCount = 0;
        this.sendResponse(response);
        this.last = { reason: 'entry', description: 'Loaded', text: '' };
        const event: DebugProtocol.StoppedEvent = new StoppedEvent('entry', await this.gdb.queryCurrentThreadId());
        event.body.allThreadsStopped = true;
        this.sendEvent(event);
    }

    /** What the adapter asks GDB for itself is not printed, nor what the base class makes nothing of. */
    sendEvent(event: Event): void {
        if (event instanceof OutputEvent) {
            const isPage = PAGE.test(event.body.output); // which the editor has to know
            if (this.console.isAsking && isOfConsole(event) && !isPage) return;
            if (UNHANDLED.test(event.body.output)) return;
        }
        super.sendEvent(event);
    }

    // Breakpoints: those of harts are GDB's, gates and logpoints the tile's

    protected async setBreakPointsRequest(
        response: DebugProtocol.SetBreakpointsResponse,
        args: DebugProtocol.SetBreakpointsArguments,
    ): Promise<void> {
        const all = args.breakpoints ?? [];
        const file = args.source.path ?? '';
        const gates = all.filter(isGate);
        const logs = all.filter((one) => !isGate(one) && one.logMessage);
        if (all.length) this.hasBreakpoints = true;
        const harts = all.filter((one) => !gates.includes(one) && !logs.includes(one));
        const made = new Map<DebugProtocol.SourceBreakpoint, DebugProtocol.Breakpoint>();
        const note = (ones: DebugProtocol.SourceBreakpoint[], what: DebugProtocol.Breakpoint[]) =>
            ones.forEach((one, i) => what[i] && made.set(one, what[i]));
        await this.stopped(async () => {
            // First GDB's: the base class deletes what it finds in the file besides, as a dprintf.
            const source = { ...args.source, path: this.byTail ? tail(file, this.sourceRoot) : file };
            await this.held(response, () =>
                super.setBreakPointsRequest(response, { ...args, source, breakpoints: harts }),
            );
            note(harts, await this.loaded(response.body?.breakpoints ?? []));
            if (gates.length || this.gates.has(file)) note(gates, await this.gates.replace(file, gates));
            if (logs.length || this.logpoints.has(file)) note(logs, await this.logpoints.replace(file, logs));
        });
        if (response.success) {
            response.body = { breakpoints: all.map((one) => made.get(one) ?? { verified: false }) };
        }
        this.sendResponse(response);
    }

    /** Breakpoints in a kernel that no hart has yet are not verified: GDB sets them when it comes. */
    private async loaded(made: DebugProtocol.Breakpoint[]): Promise<DebugProtocol.Breakpoint[]> {
        const waiting = await waitingBreakpoints(this.gdb);
        const message = 'no program that is loaded has this line; it is set when one comes';
        return made.map((one) => (waiting.has(one.id ?? 0) ? { ...one, verified: false, message } : one));
    }

    protected async dataBreakpointInfoRequest(
        response: DebugProtocol.DataBreakpointInfoResponse,
        args: DebugProtocol.DataBreakpointInfoArguments,
    ): Promise<void> {
        const named = { ...args, name: this.tile.place(args.variablesReference, args.name) ?? args.name };
        const body = await info(this.console, named).catch(() => undefined);
        if (!body) return super.dataBreakpointInfoRequest(response, args);
        response.body = body;
        this.sendResponse(response);
    }

    protected async setDataBreakpointsRequest(
        response: DebugProtocol.SetDataBreakpointsResponse,
        args: DebugProtocol.SetDataBreakpointsArguments,
    ): Promise<void> {
        if (args.breakpoints.length) this.hasBreakpoints = true;
        await this.stopped(async () => {
            response.body = { breakpoints: await this.watches.replace(args.breakpoints) };
        });
        this.sendResponse(response);
    }

    protected async stackTraceRequest(
        response: DebugProtocol.StackTraceResponse,
        args: DebugProtocol.StackTraceArguments,
    ): Promise<void> {
        await this.held(response, () => super.stackTraceRequest(response, args));
        for (const frame of response.body?.stackFrames ?? []) placed(frame, this.sourceRoot);
        this.sendResponse(response);
    }

    /** `tensix/watch`: a place that the editor has no variable for. */
    protected customRequest(command: string, response: DebugProtocol.Response, args: { command: string }): void {
        if (command === 'tensix/moved') return this.moved(response, args as { text?: string; threadId?: number });
        if (command !== 'tensix/watch') return super.customRequest(command, response, args);
        this.stopped(async () => {
            response.body = { text: await this.watches.place(args.command) };
        }).then(
            () => this.sendResponse(response),
            (problem) => this.sendErrorResponse(response, 1, String(problem)),
        );
    }

    /** `tensix/moved`: the tile was moved in time by a command, and is looked at again. */
    private moved(response: DebugProtocol.Response, args: { text?: string; threadId?: number }): void {
        this.sendResponse(response);
        this.last = { reason: 'goto', description: args.text ?? '', text: '' };
        this.sendStoppedEvent('goto', args.threadId ?? 1);
    }

    protected async setExceptionBreakPointsRequest(
        response: DebugProtocol.SetExceptionBreakpointsResponse,
        args: DebugProtocol.SetExceptionBreakpointsArguments,
    ): Promise<void> {
        const races = args.filters.includes('race');
        await this.stopped(async () => {
            await this.console.ask(`tensix faults all=${args.filters.includes('fault') ? 'stop' : 'count'}`);
            if (races !== this.observes) await this.console.ask(`tensix break race${races ? '' : ' off'}`);
            this.observes = races;
        }).catch((problem) => this.sendEvent(new OutputEvent(`${problem}\n`, 'stderr')));
        this.sendResponse(response);
    }

    protected exceptionInfoRequest(response: DebugProtocol.ExceptionInfoResponse): void {
        const { description, text } = this.last;
        response.body = { exceptionId: description || 'Stop', description: text, breakMode: 'always' };
        this.sendResponse(response);
    }

    /** An editor does not wait for the answer about a filter or breakpoint before it sends the key that is
     * pressed then: the tile runs after the change. */
    protected dispatchRequest(request: DebugProtocol.Request): void {
        if (!RESUMES.has(request.command)) return super.dispatchRequest(request);
        void this.changes.then(() => super.dispatchRequest(request));
    }

    /** Do something while the tile stands; let it run again if it ran. */
    private stopped(action: () => Promise<void>): Promise<void> {
        const done = this.changes.then(() => this.whileItStands(action));
        this.changes = done.catch(() => undefined);
        return done;
    }

    private async whileItStands(action: () => Promise<void>): Promise<void> {
        await this.pauseIfNeeded();
        try {
            await action();
        } finally {
            await this.continueIfNeeded();
        }
    }

    // Stops and resumes

    protected handleGDBStopped(result: { reason?: string; 'signal-name'?: string }): void {
        if (this.goesBack) void this.gdb.sendCommand('-gdb-set scheduler-locking replay');
        this.goesBack = false;
        this.last = stop(result['signal-name'] ?? result.reason ?? '', this.said);
        super.handleGDBStopped(result);
    }

    protected sendStoppedEvent(reason: string, threadId: number, allThreadsStopped = true): void {
        this.frameHandles.reset();
        this.variableHandles.reset();
        this.tile.forget();
        const isOwn = reason === 'breakpoint' || reason === 'function breakpoint' || reason === 'step';
        const { reason: shown, description, text } = this.last;
        const event: DebugProtocol.StoppedEvent = new StoppedEvent(isOwn ? reason : shown, threadId);
        Object.assign(event.body, { allThreadsStopped, text });
        if (description && !isOwn) event.body.description = description;
        this.sendEvent(event);
        this.memoryChanged();
    }

    protected handleGDBResume(result: unknown): void {
        this.said = '';
        super.handleGDBResume(result);
    }

    protected async stepBackRequest(
        response: DebugProtocol.StepBackResponse,
        args: DebugProtocol.StepBackArguments,
    ): Promise<void> {
        const step = args.granularity === 'instruction' ? 'next-instruction' : 'next';
        await this.backwards(response, `-exec-${step} --thread ${args.threadId} --reverse`);
    }

    protected async reverseContinueRequest(
        response: DebugProtocol.ReverseContinueResponse,
        args: DebugProtocol.ReverseContinueArguments,
    ): Promise<void> {
        await this.backwards(response, `-exec-continue --thread ${args.threadId} --reverse`);
    }

    private async backwards(response: DebugProtocol.Response, command: string): Promise<void> {
        try {
            // Otherwise GDB does not say which thread is meant (`Hc0`), and has looked at all of them.
            await this.gdb.sendCommand('-gdb-set scheduler-locking on');
            this.goesBack = true;
            await this.gdb.sendCommand(command);
            this.sendResponse(response);
        } catch (problem) {
            const said = problem instanceof Error ? problem.message : String(problem);
            this.sendErrorResponse(response, 1, `${said} A history is kept with "record": true.`);
        }
    }

    /** Load the programs again, as they were built since, and stand at their first instructions. */
    protected async restartRequest(response: DebugProtocol.RestartResponse): Promise<void> {
        try {
            if (this.isRunning) await this.pauseIfRunning();
            await this.console.ask('tensix reload');
            this.sendResponse(response);
            this.last = { reason: 'entry', description: 'Loaded', text: '' };
            this.sendStoppedEvent('entry', await this.gdb.queryCurrentThreadId());
        } catch (problem) {
            this.sendErrorResponse(response, 1, String(problem));
        }
    }
}

function isOfConsole(event: OutputEvent): boolean {
    return event.body.category === 'stdout' || event.body.category === 'log';
}
