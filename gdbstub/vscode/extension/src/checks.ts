// SPDX-License-Identifier: Apache-2.0
/** Diagnose and Races: run a kernel without a debugger, and put what is found into Problems. */

import { mkdtemp, readFile, rm } from 'fs/promises';
import { tmpdir } from 'os';
import * as path from 'path';
import * as vscode from 'vscode';
import { built } from './configuration';
import { apply, patches } from './patches';
import { Pages } from './pages';
import { Problems, Result } from './problems';
import { plan, Plan, run } from './tool';

// The line of a page of `diagnose` that names the cause, and a place in the lines after it.
const CAUSE = /^found \((.*?)\): (.*)$/m;
const PLACE = /\b([\w./+-]+\.(?:c|cc|cpp|h|hpp)):(\d+)/;
const REMEDY = /^\s*Remedy, tried: (.*)$/m;

export class Checks {
    constructor(
        private readonly problems: Problems,
        private readonly log: vscode.OutputChannel,
        private readonly pages: Pages,
    ) {}

    /** Observe the order of accesses and look for mistakes with state and memory. */
    async races(file: string): Promise<void> {
        const wanted = await this.ready(file);
        if (!wanted) return;
        const folder = await mkdtemp(path.join(tmpdir(), 'tensix-'));
        try {
            const report = path.join(folder, 'reports.sarif');
            const args = ['run', ...wanted.run, '--races', '--check', 'all', '--races-to', report];
            const done = await this.show('Races', args, wanted.folder);
            const sarif = await readFile(report, 'utf-8').catch(() => '');
            const results: Result[] = sarif ? JSON.parse(sarif).runs[0].results : [];
            this.problems.reports(results, wanted.folder);
            if (!sarif) void vscode.window.showErrorMessage(done.err.trim() || 'the program did not run');
            else if (!results.length) void vscode.window.showInformationMessage('No race and no finding.');
            else await vscode.commands.executeCommand('workbench.actions.view.problems');
        } finally {
            await rm(folder, { recursive: true, force: true });
        }
    }

    /** Name the most likely cause, first in Problems, and show the whole page. */
    async diagnose(file: string): Promise<void> {
        const wanted = await this.ready(file);
        if (!wanted) return;
        const done = await this.show('Diagnose', ['diagnose', ...wanted.run, '--try'], wanted.folder);
        this.problems.clear();
        const cause = CAUSE.exec(done.out);
        if (cause) {
            const place = PLACE.exec(done.out.slice(cause.index));
            const remedy = REMEDY.exec(done.out);
            const text = `${cause[1]}: ${cause[2]}${remedy ? `\nRemedy, tried: ${remedy[1]}` : ''}`;
            const at = path.resolve(wanted.folder, place?.[1] ?? file);
            this.problems.say(at, parseInt(place?.[2] ?? '1', 10), text);
        }
        await this.pages.show('diagnosis.txt', done.out || done.err);
    }

    /** Put the remedies that have been tried into the sources, after a question. */
    async applyRemedy(file: string): Promise<void> {
        const wanted = await this.ready(file);
        if (!wanted) return;
        const done = await this.show('Trying remedies', ['diagnose', ...wanted.run, '--patch'], wanted.folder);
        const found = patches(done.out);
        if (!found.length) {
            void vscode.window.showInformationMessage('No remedy ends its report: see the output of Tensix.');
            return;
        }
        const edit = await apply(found[0], wanted.folder);
        if (!edit) {
            void vscode.window.showErrorMessage('The remedy does not fit the source as it is now.');
            return;
        }
        await vscode.workspace.applyEdit(edit);
    }

    private async ready(file: string): Promise<Plan | undefined> {
        const wanted = await plan(file, [], false);
        if (wanted.kind !== 'kernel') throw new Error('only a kernel is checked so: open one');
        return (await built(wanted, this.problems, this.log)) ? wanted : undefined;
    }

    private async show(title: string, args: string[], folder: string) {
        this.log.appendLine(`> tensix-gdb ${args.join(' ')}`);
        const done = await vscode.window.withProgress(
            { location: vscode.ProgressLocation.Notification, title, cancellable: true },
            (_progress, token) => run(args, folder, token),
        );
        this.log.append(done.out + done.err);
        return done;
    }
}
