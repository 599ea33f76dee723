// SPDX-License-Identifier: Apache-2.0
/** Diagnose and Races: run a kernel without a debugger, and put what is found into Problems. */

import { mkdtemp, readFile, rm } from 'fs/promises';
import { tmpdir } from 'os';
import * as path from 'path';
import * as vscode from 'vscode';
import { goTo } from './actions';
import { built } from './configuration';
import { edit, patches } from './patches';
import { Pages } from './pages';
import { Problems, Result } from './problems';
import { command, Done, plan, Plan, run } from './tool';

export class Checks {
    private last = ''; // what was checked: a report may be in a header that it includes

    constructor(
        private readonly problems: Problems,
        private readonly log: vscode.OutputChannel,
        private readonly pages: Pages,
    ) {}

    /** Observe the order of accesses and look for mistakes with state and memory. */
    async races(file: string): Promise<void> {
        const wanted = await this.ready(file);
        if (!wanted) return;
        const args = ['run', ...wanted.run, '--races', '--check', 'all'];
        const [results, done] = await this.reported('Races', args, wanted);
        if (!results) void vscode.window.showErrorMessage(done.err.trim() || 'the program did not run');
        else if (!results.length) void vscode.window.showInformationMessage('No race and no finding.');
        else await vscode.commands.executeCommand('workbench.actions.view.problems');
    }

    /** Put the causes into Problems, the most likely one first, and show the whole page. */
    async diagnose(file: string): Promise<void> {
        const wanted = await this.ready(file);
        if (!wanted) return;
        const args = ['diagnose', ...wanted.diagnose, '--try'];
        const [, done] = await this.reported('Diagnose', args, wanted);
        await this.pages.show('diagnosis.txt', done.out || done.err);
    }

    /** Run something that writes a file of reports, and show these; undefined if there is none. */
    private async reported(title: string, args: string[], wanted: Plan): Promise<[Result[] | undefined, Done]> {
        const folder = await mkdtemp(path.join(tmpdir(), 'tensix-'));
        try {
            const report = path.join(folder, 'reports.sarif');
            const done = await this.show(title, [...args, '--races-to', report], wanted.folder);
            const sarif = await readFile(report, 'utf-8').catch(() => '');
            const results: Result[] | undefined = sarif ? JSON.parse(sarif).runs[0].results : undefined;
            this.problems.reports(results ?? [], wanted.folder, wanted.root);
            return [results, done];
        } finally {
            await rm(folder, { recursive: true, force: true });
        }
    }

    /** Run the last kernel again with the earlier side of a race held back, and show what comes of it. */
    async witness(number: string): Promise<void> {
        const wanted = await this.ready(this.last);
        if (!wanted) return;
        const args = ['run', ...wanted.run, '--check', 'all', '--late', number];
        const done = await this.show(`The witness of race ${number}`, args, wanted.folder);
        const said = done.out || done.err;
        const at = Math.max(0, said.search(new RegExp(`^RACE ${number}(:| goes)`, 'm'))); // at the end
        await this.pages.show(`witness-${number}.txt`, `${said.slice(at)}\n${said.slice(0, at)}`);
    }

    /** Put the remedy of a report into the source, or if none is named the first that ends its report: the
     * change is in the editor, which can take it back. It has been built and run in a copy before. */
    async applyRemedy(file: string, report?: string): Promise<void> {
        const wanted = await this.ready(this.last || file);
        if (!wanted) return;
        const build = wanted.build[0] === 'build' ? ['--apply', words([command(), ...wanted.build])] : [];
        const args = ['diagnose', ...wanted.diagnose, '--patch', ...build];
        const { out } = await this.show('Trying remedies', args, wanted.folder);
        const all = patches(out);
        const meant = all.filter((one) => one.report === (report ?? all[0].report));
        if (!meant.length) {
            const why = out.split('\n').find((line) => report && line.startsWith(`${report}: no diff`));
            void vscode.window.showInformationMessage(why ?? 'No remedy ends its report: see the output of Tensix.');
            return;
        }
        const change = await edit(meant, wanted.folder, wanted.root);
        if (change && (await vscode.workspace.applyEdit(change))) {
            const [[uri, [first]]] = change.entries();
            await goTo(new vscode.Location(uri, first.range)); // it may be far from the report's line
        } else void vscode.window.showErrorMessage('The remedy does not fit the source as it is now.');
    }

    private async ready(file: string): Promise<Plan | undefined> {
        this.last = file;
        const wanted = await plan(file, [], false);
        if (!wanted.run.length) throw new Error('only a kernel or an LLK test is checked so: open one');
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

/** Return words as one command of a shell. */
function words(all: string[]): string {
    return all.map((one) => (/^[\w./:=+-]+$/.test(one) ? one : `'${one.replace(/'/g, "'\\''")}'`)).join(' ');
}
