// SPDX-License-Identifier: Apache-2.0
/** A process of tensix-gdb that has loaded what F5 needs, from the moment on when a kernel is open. Commands
 * that know its socket begin at once. It ends with the editor. */

import { ChildProcess, spawn } from 'child_process';
import * as vscode from 'vscode';

const VARIABLE = 'TENSIX_GDB_WARM';

export class Warm implements vscode.Disposable {
    private child?: ChildProcess;
    private of = ''; // the command that it is of
    private socket = '';

    /** Start it, if there is none for this command and the settings want one. */
    start(command: string): void {
        const wanted = vscode.workspace.getConfiguration('tensix').get('warm', true) ? command : '';
        if (wanted === this.of) return;
        this.dispose();
        this.of = wanted;
        if (wanted) this.spawn();
    }

    /** What the environment of a command has besides. Without it, all is loaded for each command. */
    get environment(): Record<string, string> {
        return this.socket ? { [VARIABLE]: this.socket } : {};
    }

    dispose(): void {
        const child = this.child;
        this.child = undefined;
        this.socket = '';
        child?.stdin?.end();
    }

    private spawn(): void {
        const child = spawn(this.of, ['vscode', '--warm'], { cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] });
        this.child = child;
        child.stdin.on('error', () => undefined); // it has ended
        child.on('error', () => undefined); // F5 says what is wrong with the command
        let said = '';
        child.stdout.on('data', (data) => {
            said += data; // in pieces
            if (child === this.child && said.endsWith('\n')) this.socket = said.trim();
        });
        // It takes no more commands when tensix-gdb has been updated. One that never did is not tried again.
        child.stdout.on('end', () => {
            if (child !== this.child || !this.socket) return;
            this.socket = '';
            this.spawn();
        });
    }
}

export const warm = new Warm();
