// SPDX-License-Identifier: Apache-2.0
/** Running sessions: what GDB says to a command, the page's address, the cycle in the status bar. */

import * as vscode from 'vscode';
import { closePage } from './page';
import { placeIn, Problems } from './problems';

const PAGE = /the page is at (http:\/\/\S+)/;
const CYCLE = /^cycle (\d+), (\w+) engine, schedule (\S+)/m;
// What GDB prints below a stop: the frame, and its line of the source.
const FRAME = /\n[^\n]* at [^\n]+:\d+\n\d+\t[^\n]*\s*$/;
const PLACE = /\bat (?:[\w./+-]*\/)?([\w.+-]+\.\w+):(\d+)/;

interface Stopped {
    reason: string;
    description?: string;
    text?: string;
    threadId?: number;
}

export class Sessions implements vscode.DebugAdapterTrackerFactory, vscode.Disposable {
    private readonly pages = new Map<string, string>();
    private readonly bar = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left, 50);
    private readonly changed = new vscode.EventEmitter<void>();
    private readonly selected: vscode.Disposable;
    private thread?: number;
    private shown?: string; // the session of which the bar is
    /** The stops of the session, each cycle once. */
    readonly stops: { cycle: string; text: string }[] = [];
    /** Fires at each stop, when a session begins or ends, and when another thread is selected. */
    readonly onStop = this.changed.event;

    constructor(private readonly problems: Problems) {
        this.bar.command = 'tensix.why';
        this.bar.tooltip = 'Why does the tile wait?';
        this.selected = vscode.debug.onDidChangeActiveStackItem((item) => {
            if (item?.threadId === this.thread) return;
            this.thread = item?.threadId; // perhaps of another tile
            this.changed.fire();
        });
    }

    dispose(): void {
        this.selected.dispose();
        this.bar.dispose();
        this.changed.dispose();
    }

    /** Return the session of a tile that is shown; undefined if there is none. */
    get session(): vscode.DebugSession | undefined {
        const active = vscode.debug.activeDebugSession;
        return active?.type === 'tensix' ? active : undefined;
    }

    /** Return the address of the session's page, which its server has printed. */
    get page(): string | undefined {
        return this.session && this.pages.get(this.session.id);
    }

    /** Return what a command of GDB prints, or why it does not. */
    async said(command: string): Promise<string> {
        try {
            return (await this.request(command))?.text ?? '';
        } catch (problem) {
            const message = problem instanceof Error ? problem.message : String(problem);
            return message.replace(/^GDBError: /, '');
        }
    }

    /** Return what a command of GDB prints; empty if the tile runs or there is none. */
    async ask(command: string): Promise<string> {
        try {
            return (await this.request(command))?.text ?? '';
        } catch {
            return '';
        }
    }

    /** Let the editor look at the tile again: a command has moved it in time. */
    async moved(text: string): Promise<void> {
        const threadId = vscode.debug.activeStackItem?.threadId;
        await this.session?.customRequest('tensix/moved', { text, threadId });
    }

    /** Ask for the tile of the thread that is selected. */
    private async request(command: string): Promise<{ text?: string } | undefined> {
        const threadId = vscode.debug.activeStackItem?.threadId;
        return this.session?.customRequest('tensix/ask', { command, threadId });
    }

    createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker {
        return {
            onWillStartSession: () => this.problems.clear(),
            onDidSendMessage: (message) => {
                if (message.type !== 'event') return;
                if (message.event === 'output') this.read(session, message.body.output);
                if (message.event === 'stopped') void this.stopped(session, message.body);
                if (message.event === 'continued') this.bar.text = '$(sync~spin) tile runs';
            },
            onWillStopSession: () => this.ended(session),
            onExit: () => this.ended(session),
        };
    }

    private read(session: vscode.DebugSession, output: string): void {
        const page = PAGE.exec(output)?.[1];
        if (page) this.pages.set(session.id, page);
    }

    private async stopped(session: vscode.DebugSession, stop: Stopped): Promise<void> {
        const said = await this.ask('tensix status');
        const found = CYCLE.exec(said);
        if (found && !this.stops.some((one) => one.cycle === found[1])) {
            const text = stop.text?.split('\n')[0] || stop.description || stop.reason;
            this.stops.push({ cycle: found[1], text });
        }
        this.bar.text = found ? `$(circuit-board) cycle ${found[1]}, ${found[3]}` : '$(circuit-board) tile';
        this.bar.show();
        this.shown = session.id;
        if (stop.reason === 'exception' && stop.text) await this.problem(session, stop);
        this.changed.fire();
    }

    /** A fault or a race of a session is a problem, at the line that the stop has. */
    private async problem(session: vscode.DebugSession, stop: Stopped): Promise<void> {
        if (stop.description === 'The program has ended') return;
        const frames = await session.customRequest('stackTrace', { threadId: stop.threadId, levels: 1 });
        const frame = frames?.stackFrames?.[0];
        const said = (stop.text ?? '').replace(FRAME, '');
        if (!frame?.source?.path || !PLACE.test(said)) return;
        this.problems.say(placeIn(local(frame.source.path), frame.line), said);
    }

    /** A session ends twice: when it is left, and with its adapter, perhaps while the next one is shown. */
    private ended(session: vscode.DebugSession): void {
        closePage(this.pages.get(session.id));
        this.pages.delete(session.id);
        if (this.shown !== session.id) return;
        this.shown = undefined;
        this.bar.hide();
        this.stops.length = 0;
        this.changed.fire();
    }
}

/** Return the path of a file as the extension has it: where an editor is of another machine than its
 * window, VS Code makes addresses of the paths of an adapter's answers. */
function local(path: string): string {
    return /^[\w-]+:\/\//.test(path) ? vscode.Uri.parse(path).path : path;
}
