// SPDX-License-Identifier: Apache-2.0
/** Diagnose and Races: run a kernel without a debugger, and put what is found into Problems. */

import { mkdtemp, readFile, rm } from 'fs/promises';
import { tmpdir } from 'os';
import * as path from 'path';
import * as vscode from 'vscode';
import { built } from './configuration';
import { apply, patches } from './patches';
import { Pages } from './pages';
import { placeIn, Problems, Result } from './problems';
import { command, plan, Plan, run } from './tool';

// The line of a page of `diagnose` that names the cause, and a place in the lines after it.
const CAUSE = /^found \((.*?)\): (.*)$/m;
const PLACE = /\b([\w./+-]+\.(?:c|cc|cpp|h|hpp)):(\d+)/;
const RACE = /\b(RACE|SAMPLING) \d/;
const REMEDY = /^\s*Remedy, tried: (.*)$/m;

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
        this.last = file;
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
        this.last = file;
        const done = await this.show('Diagnose', ['diagnose', ...wanted.diagnose, '--try'], wanted.folder);
        this.problems.clear();
        const cause = CAUSE.exec(done.out);
        if (cause) {
            const [place, other] = places(done.out.slice(cause.index));
            const remedy = REMEDY.exec(done.out);
            const text = `${cause[1]}: ${cause[2]}${remedy ? `\nRemedy, tried: ${remedy[1]}` : ''}`;
            const located = ([, name, line]: string[]) => placeIn(path.resolve(wanted.folder, name), Number(line));
            this.problems.say(located(place ?? ['', file, '1']), text, other && located(other));
        }
        await this.pages.show('diagnosis.txt', done.out || done.err);
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

    /** Put the first remedy into the source that ends its report: the change is in the editor, which can take
     * it back. It has been built and run in a copy before. */
    async applyRemedy(file: string): Promise<void> {
        const wanted = await this.ready(this.last || file);
        if (!wanted) return;
        const build = wanted.build[0] === 'build' ? ['--apply', words([command(), ...wanted.build])] : [];
        const args = ['diagnose', ...wanted.diagnose, '--patch', ...build];
        const done = await this.show('Trying remedies', args, wanted.folder);
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

/** Return the line of a cause, and of the other side where two accesses are the cause: their lines follow
 * the cause's. */
function places(said: string): (RegExpExecArray | undefined)[] {
    const [cause, ...lines] = said.split('\n');
    const sides = lines.slice(0, 2).map((line) => PLACE.exec(line) ?? undefined);
    return sides[0] && RACE.test(cause) ? sides : [PLACE.exec(cause) ?? PLACE.exec(said) ?? undefined];
}

/** Return words as one command of a shell. */
function words(all: string[]): string {
    return all.map((one) => (/^[\w./:=+-]+$/.test(one) ? one : `'${one.replace(/'/g, "'\\''")}'`)).join(' ');
}
