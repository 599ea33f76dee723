// SPDX-License-Identifier: Apache-2.0
/** The command tensix-gdb: found by the setting `tensix.command`, run for its output. */

import { spawn } from 'child_process';
import * as vscode from 'vscode';
import { warm } from './warm';

export interface Plan {
    kind: string;
    folder: string;
    serve: string[];
    ready: string;
    build: string[];
    run: string[];
    diagnose: string[];
    gdb: string;
    banner: string;
    commands: string[];
    connect: string[];
    has_history: boolean;
    root: string;
}

export interface Done {
    status: number;
    out: string;
    err: string;
}

/** Return the command as the settings have it, for the session's adapter and for tasks. */
export function command(): string {
    return vscode.workspace.getConfiguration('tensix').get<string>('command', 'tensix-gdb');
}

/** Run it in a folder until it ends. Rejects with a sentence if it cannot be started. */
export function run(args: string[], cwd: string, token?: vscode.CancellationToken): Promise<Done> {
    return new Promise((resolve, reject) => {
        const child = spawn(command(), args, { cwd, env: { ...process.env, ...warm.environment } });
        let out = '';
        let err = '';
        child.stdout.on('data', (data) => (out += data));
        child.stderr.on('data', (data) => (err += data));
        token?.onCancellationRequested(() => child.kill('SIGINT'));
        child.on('error', () =>
            reject(
                new Error(
                    `${command()} cannot be started: install tensix-gdb, or name it in the setting tensix.command`,
                ),
            ),
        );
        child.on('close', (status) => resolve({ status: status ?? 1, out, err }));
    });
}

/** Return the plan for a file. Rejects with the sentence of tensix-gdb. */
export async function plan(file: string, more: string[], record: boolean): Promise<Plan> {
    const args = ['vscode', '--plan', file, ...(record ? [] : ['--no-record'])];
    const done = await run([...args, ...(more.length ? ['--', ...more] : [])], '/');
    if (done.status) throw new Error(done.err.trim().replace(/^tensix-gdb: /, ''));
    return JSON.parse(done.out);
}
