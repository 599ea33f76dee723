// SPDX-License-Identifier: Apache-2.0
/** F5: from an open file to what the adapter starts. It builds first, so that errors are in Problems
 * before anything runs. */

import * as path from 'path';
import * as vscode from 'vscode';
import { Problems } from './problems';
import { command, plan, Plan, run } from './tool';

const START_MS = 120_000; // an engine that is not compiled yet takes a minute

export class Configurations implements vscode.DebugConfigurationProvider {
    constructor(
        private readonly problems: Problems,
        private readonly log: vscode.OutputChannel,
    ) {}

    provideDebugConfigurations(): vscode.DebugConfiguration[] {
        return [{ type: 'tensix', request: 'launch', name: 'Kernel on the emulated tile', file: '${file}' }];
    }

    /** Without a launch.json the configuration is empty: the open file is meant. */
    resolveDebugConfiguration(
        _folder: vscode.WorkspaceFolder | undefined,
        given: vscode.DebugConfiguration,
    ): vscode.DebugConfiguration {
        if (given.type) return given;
        return { type: 'tensix', request: 'launch', name: 'Tensix tile', file: '${file}' };
    }

    async resolveDebugConfigurationWithSubstitutedVariables(
        _folder: vscode.WorkspaceFolder | undefined,
        given: vscode.DebugConfiguration,
    ): Promise<vscode.DebugConfiguration | undefined> {
        try {
            return given.request === 'attach' ? await this.attach(given) : await this.launch(given);
        } catch (problem) {
            void vscode.window.showErrorMessage(problem instanceof Error ? problem.message : String(problem));
            return undefined;
        }
    }

    private async launch(given: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration | undefined> {
        const file = given.file ?? vscode.window.activeTextEditor?.document.fileName;
        if (!file) throw new Error('open a kernel, or name one in the configuration as "file"');
        const wanted = await plan(file, given.arguments ?? [], given.record ?? true);
        if (!(await built(wanted, this.problems, this.log))) return undefined;
        return {
            ...given,
            ...common(given, wanted),
            target: {
                server: command(),
                serverParameters: wanted.serve,
                serverPortRegExp: wanted.ready,
                portDetectionTimeout: START_MS,
                cwd: wanted.folder,
                ...(wanted.connect.length ? { connectCommands: wanted.connect } : {}),
            },
        };
    }

    private async attach(given: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration> {
        const port = Number(given.port);
        if (!Number.isInteger(port)) throw new Error('name the port of the server as "port"');
        const done = await run(['vscode', '--attach'], '/');
        if (done.status) throw new Error(done.err.trim());
        const wanted: Plan = JSON.parse(done.out);
        const target = { type: 'remote', host: given.host ?? '127.0.0.1', port: `${port}` };
        return { ...given, ...common(given, wanted), target };
    }
}

function common(given: vscode.DebugConfiguration, wanted: Plan): object {
    return {
        gdb: given.gdb ?? wanted.gdb,
        cwd: wanted.folder,
        gdbAsync: true,
        updateThreadInfo: 'when-requested',
        preConnectCommands: wanted.commands,
    };
}

/** Build what a plan builds, with progress; true if there are programs. Errors go to Problems. */
export async function built(wanted: Plan, problems: Problems, log: vscode.OutputChannel): Promise<boolean> {
    if (!wanted.build.length) return true;
    await vscode.workspace.saveAll(false);
    const name = path.basename(wanted.build[wanted.build.length - 3] ?? '');
    const done = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: `Building ${name}`, cancellable: true },
        (_progress, token) => run(wanted.build, wanted.folder, token),
    );
    const errors = problems.build(done.out + done.err, wanted.folder);
    if (done.status === 0) return true;
    log.append(done.out + done.err);
    const what = errors ? `${errors} errors, in Problems` : done.err.trim();
    void vscode.window.showErrorMessage(`${name} does not compile: ${what}`);
    if (errors) void vscode.commands.executeCommand('workbench.actions.view.problems');
    return false;
}

/** The adapter: a program of Node, beside this file. The editor's own Node runs it. */
export class Adapters implements vscode.DebugAdapterDescriptorFactory {
    constructor(private readonly extension: vscode.Uri) {}

    createDebugAdapterDescriptor(): vscode.DebugAdapterDescriptor {
        const program = vscode.Uri.joinPath(this.extension, 'dist', 'adapter.js').fsPath;
        const env = { ELECTRON_RUN_AS_NODE: '1' };
        return new vscode.DebugAdapterExecutable(process.execPath, [program], { env });
    }
}
