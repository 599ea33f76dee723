// SPDX-License-Identifier: Apache-2.0
/** cdt-gdb-adapter's session, with a start at once of server and GDB, and answers that may be completed
 * before they are sent. */

import { DebugProtocol } from '@vscode/debugprotocol';
import { GDBTargetDebugSession } from 'cdt-gdb-adapter/dist/desktop/GDBTargetDebugSession';
import { IGDBBackend } from 'cdt-gdb-adapter/dist/types/gdb';
import { RequestArguments, TargetAttachRequestArguments, TargetLaunchRequestArguments } from 'cdt-gdb-adapter/dist/types/session';
import { parseGdbVersionOutput } from 'cdt-gdb-adapter/dist/util/parseGdbVersionOutput';

const SERVER_SPAWNED = 2; // SessionState.GDBSERVER_READY of the base class: its output is read

export class Session extends GDBTargetDebugSession {
    private serverSpawned: () => void = () => undefined;
    private serverReady: Promise<void> = Promise.resolve();
    private isEnding = false;
    private readonly holds = new Set<number>(); // requests that are answered later

    /** GDB starts and reads its scripts while the server starts: each takes a while. */
    protected async startGDBServer(args: TargetLaunchRequestArguments): Promise<void> {
        // The server ends when this process does, also by SIGKILL, which no handler sees.
        args.target = { ...args.target, environment: { ...args.target?.environment, TENSIX_GDB_ENDS_WITH: 'stdin' } };
        const isSpawned = new Promise<void>((resolve) => (this.serverSpawned = resolve));
        this.serverReady = super.startGDBServer(args);
        this.serverReady.catch(() => undefined); // it is waited for below
        await Promise.race([isSpawned, this.serverReady]);
    }

    /** A GDB of which is known what it says of itself is not started for that before it is. */
    protected async setupCommonLoggerAndBackends(args: RequestArguments & { banner?: string }): Promise<void> {
        await super.setupCommonLoggerAndBackends(args as TargetAttachRequestArguments);
        const version = args.banner && parseGdbVersionOutput(args.banner);
        const { processManager } = this.gdb as unknown as { processManager: { gdbVersion?: string } };
        if (version) processManager.gdbVersion = version;
    }

    protected async setSessionState(state: number): Promise<void> {
        await super.setSessionState(state);
        if (state === SERVER_SPAWNED) this.serverSpawned();
    }

    protected async configureGdbAndLoadFiles(
        gdb: IGDBBackend,
        args: TargetAttachRequestArguments,
    ): Promise<void> {
        await super.configureGdbAndLoadFiles(gdb, args);
        await gdb.sendCommands(args.preConnectCommands);
        args.preConnectCommands = [];
        await this.serverReady;
    }

    /** The editor has gone, perhaps without a word: what was started goes, too. */
    shutdown(): void {
        if (this.isEnding) return;
        this.isEnding = true;
        this.gdbserver?.kill();
        (this.gdb as { proc?: { kill(): void } } | undefined)?.proc?.kill();
        super.shutdown();
    }

    /** Say nothing to an editor that has gone: that fails, which @vscode/debugadapter would say to it, for ever. */
    sendEvent(event: DebugProtocol.Event): void {
        if (!this.isEnding) super.sendEvent(event);
    }

    sendResponse(response: DebugProtocol.Response): void {
        if (!this.holds.has(response.request_seq)) super.sendResponse(response);
    }

    /** Let the base class do a request, and do not send its answer yet. */
    protected async held(response: DebugProtocol.Response, request: () => Promise<void> | void): Promise<void> {
        this.holds.add(response.request_seq);
        try {
            await request();
        } finally {
            this.holds.delete(response.request_seq);
        }
    }
}
