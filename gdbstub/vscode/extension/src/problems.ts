// SPDX-License-Identifier: Apache-2.0
/** Build errors, faults, race and check reports in Problems, with both lines. */

import * as path from 'path';
import * as vscode from 'vscode';
import { original } from './original';

const GCC = /^(.+?):(\d+):(?:(\d+):)? (?:fatal )?(error|warning|note): (.*)$/gm;
const SEVERITY: Record<string, vscode.DiagnosticSeverity> = {
    error: vscode.DiagnosticSeverity.Error,
    warning: vscode.DiagnosticSeverity.Warning,
    note: vscode.DiagnosticSeverity.Information,
};

interface Location {
    physicalLocation?: {
        artifactLocation: { uri: string };
        region?: { startLine: number };
    };
    message?: { text: string };
}

/** A result of SARIF, as `--races-to FILE.sarif` writes it. */
export interface Result {
    ruleId: string;
    level?: string;
    message: { text: string };
    locations?: Location[];
    relatedLocations?: Location[];
    suppressions?: unknown[];
}

export class Problems implements vscode.Disposable {
    private readonly built = vscode.languages.createDiagnosticCollection('tensix build');
    private readonly reported = vscode.languages.createDiagnosticCollection('tensix');
    private readonly stops = vscode.languages.createDiagnosticCollection('tensix session');

    dispose(): void {
        this.built.dispose();
        this.reported.dispose();
        this.stops.dispose();
    }

    /** Show what a compiler said; return the number of errors. */
    build(said: string, folder: string): number {
        const found = new Found();
        let errors = 0;
        for (const [, file, line, column, kind, text] of said.matchAll(GCC)) {
            const at = position(parseInt(line, 10), parseInt(column ?? '1', 10));
            found.add(path.resolve(folder, file), new vscode.Diagnostic(at, text, SEVERITY[kind]));
            if (kind === 'error') errors++;
        }
        found.show(this.built);
        return errors;
    }

    /** Show the reports of a run, in place of those of the one before. `root` is the folder that was copied
     * to be compiled. */
    reports(results: Result[], folder: string, root: string): void {
        const found = new Found();
        for (const one of results.filter((each) => !each.suppressions?.length)) {
            const [main, ...others] = [...(one.locations ?? []), ...(one.relatedLocations ?? [])];
            const place = main && located(main, folder, root);
            if (!place) continue;
            const severity = SEVERITY[one.level ?? 'error'] ?? vscode.DiagnosticSeverity.Warning;
            const diagnostic = new vscode.Diagnostic(place.range, one.message.text, severity);
            diagnostic.source = 'tensix-gdb';
            diagnostic.code = one.ruleId;
            diagnostic.relatedInformation = others.flatMap((other) => {
                const there = located(other, folder, root);
                const text = other.message?.text ?? 'the other side';
                return there ? [new vscode.DiagnosticRelatedInformation(there, text)] : [];
            });
            found.add(place.uri.fsPath, diagnostic);
        }
        found.show(this.reported);
    }

    /** Show a sentence at the line of a stop, once: a fault or a race of a session. */
    say({ uri, range }: vscode.Location, text: string): void {
        const known = this.stops.get(uri) ?? [];
        if (known.some((one) => one.message === text)) return;
        const diagnostic = new vscode.Diagnostic(range, text, vscode.DiagnosticSeverity.Error);
        diagnostic.source = 'tensix-gdb';
        this.stops.set(uri, [...known, diagnostic]);
    }

    /** Forget what an earlier session has said. */
    clear(): void {
        this.stops.clear();
    }
}

class Found {
    private readonly byFile = new Map<string, vscode.Diagnostic[]>();

    add(file: string, one: vscode.Diagnostic): void {
        this.byFile.set(file, [...(this.byFile.get(file) ?? []), one]);
    }

    show(collection: vscode.DiagnosticCollection): void {
        collection.clear();
        for (const [file, all] of this.byFile) collection.set(vscode.Uri.file(file), all);
    }
}

function located(one: Location, folder: string, root: string): vscode.Location | undefined {
    const place = one.physicalLocation;
    if (!place?.region) return undefined;
    const uri = place.artifactLocation.uri;
    const file = uri.startsWith('file:') ? vscode.Uri.parse(uri).fsPath : path.resolve(folder, decodeURIComponent(uri));
    return new vscode.Location(vscode.Uri.file(original(file, root)), position(place.region.startLine));
}

/** Return a line of a file. */
export function placeIn(file: string, line: number): vscode.Location {
    return new vscode.Location(vscode.Uri.file(file), position(line));
}

function position(line: number, column = 1): vscode.Range {
    const from = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
    return new vscode.Range(from, new vscode.Position(from.line, 1000));
}
