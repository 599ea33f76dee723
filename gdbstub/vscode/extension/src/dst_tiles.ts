// SPDX-License-Identifier: Apache-2.0
/** Tiles of Dst: read from what `tensix dst tile N` prints, drawn as heat maps, shown as tables. */

import * as vscode from 'vscode';
import { Sessions } from './sessions';

const MOST = 16; // tiles of 16 bits; of 32 bits eight
const SCALE = ['#30123b', '#4145ab', '#4675ed', '#39a2fc', '#1bcfd4', '#24eca6', '#61fc6c', '#a4fc3b', '#d1e834', '#f3c63a', '#fe9b2d', '#f36315', '#d93806', '#b11901'];
const NOT_FINITE = '#d000d0';
const UNDEFINED = '#808080';

/** A tile of 32 by 32 datums, as they are printed. */
export interface DstTile {
    number: number;
    title: string;
    rows: string[][];
}

/** Return the tiles that are not all zero. */
export async function dstTiles(sessions: Sessions): Promise<DstTile[]> {
    const found: DstTile[] = [];
    for (let number = 0; number < MOST; number++) {
        const tile = await dstTile(sessions, number);
        if (!tile) break;
        if (tile.rows.some((row) => row.some((cell) => parseFloat(cell) !== 0))) found.push(tile);
    }
    return found;
}

/** Return a tile; undefined where Dst has none of this number. */
export async function dstTile(sessions: Sessions, number: number): Promise<DstTile | undefined> {
    const [title, , ...lines] = (await sessions.ask(`tensix dst tile ${number}`)).split('\n');
    const rows = lines.map((line) => line.trim().split(/\s+/).slice(1)).filter((row) => row.length);
    return rows.length ? { number, title, rows } : undefined;
}

/** Return the least and the largest number. */
export function range(tile: DstTile): [least: number, largest: number] {
    const all = tile.rows.flat().map(parseFloat).filter(Number.isFinite);
    return all.length ? [Math.min(...all), Math.max(...all)] : [0, 0];
}

/** Return the colour of a datum. */
function colour(cell: string, [least, largest]: [number, number]): string {
    const value = parseFloat(cell);
    if (!Number.isFinite(value)) return /nan|inf/i.test(cell) ? NOT_FINITE : UNDEFINED;
    const part = largest > least ? (value - least) / (largest - least) : 0;
    return SCALE[Math.round(part * (SCALE.length - 1))];
}

/** Return the heat map of a tile as an icon. */
export function heatMap(tile: DstTile): vscode.Uri {
    const all = range(tile);
    const bars = tile.rows.flatMap((row, y) => {
        const drawn: string[] = [];
        for (let x = 0, from = 0; x < row.length; x++) {
            const fill = colour(row[x], all);
            if (x + 1 < row.length && colour(row[x + 1], all) === fill) continue;
            drawn.push(`<path fill="${fill}" d="M${from} ${y}H${x + 1}v1H${from}z"/>`);
            from = x + 1;
        }
        return drawn;
    });
    const size = `${tile.rows[0].length} ${tile.rows.length}`;
    const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" shape-rendering="crispEdges">${bars.join('')}</svg>`;
    return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}`);
}

/** A panel with a tile: a table, each datum on its colour. It is drawn anew at each stop. */
export class DstPanel {
    private panel?: vscode.WebviewPanel;
    private number = 0;

    constructor(private readonly sessions: Sessions) {
        sessions.onStop(() => void (this.panel && this.draw()));
    }

    async show(number: number): Promise<void> {
        this.number = number;
        if (!this.panel) {
            this.panel = vscode.window.createWebviewPanel('tensix.dst', 'Dst', vscode.ViewColumn.Beside, {});
            this.panel.onDidDispose(() => (this.panel = undefined));
        }
        await this.draw();
        this.panel?.reveal(undefined, true);
    }

    private async draw(): Promise<void> {
        const tile = this.sessions.session && (await dstTile(this.sessions, this.number));
        if (!this.panel || !tile) return;
        const all = range(tile);
        const head = tile.rows[0].map((_, x) => `<th>${x}</th>`).join('');
        const body = tile.rows.map((row, y) => {
            const cells = row.map((cell) => {
                const fill = colour(cell, all);
                return `<td style="background:${fill};color:${ink(fill)}">${cell.replace(/[&<>]/g, '')}</td>`;
            });
            return `<tr><th>${y}</th>${cells.join('')}</tr>`;
        });
        this.panel.title = `Dst tile ${tile.number}`;
        this.panel.webview.html = `<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>table{border-collapse:collapse;font:10px var(--vscode-editor-font-family)}td,th{padding:1px 4px;text-align:right}
th{color:var(--vscode-descriptionForeground);font-weight:normal}</style></head>
<body><p>${tile.title}: ${all[0]} to ${all[1]}</p><table><tr><th></th>${head}</tr>${body.join('')}</table></body></html>`;
    }
}

/** Return black or white: what is read on a colour. */
function ink(fill: string): string {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(fill.slice(at, at + 2), 16));
    return 0.3 * red + 0.59 * green + 0.11 * blue > 110 ? '#000' : '#fff';
}
