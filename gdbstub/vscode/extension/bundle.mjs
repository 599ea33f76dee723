// SPDX-License-Identifier: Apache-2.0
// Bundle the extension and its adapter into dist: node bundle.mjs
// The adapter's serial port is for boards; what stands for it has no ports.
// The licences of what is bundled go into dist/NOTICES.txt.
import { readdirSync, readFileSync, writeFileSync } from 'fs';
import { build } from 'esbuild';

const common = {
    bundle: true,
    platform: 'node',
    target: 'node18',
    minify: true,
    legalComments: 'linked',
    logLevel: 'warning',
    metafile: true,
};
const made = [
    await build({ ...common, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', external: ['vscode'] }),
    await build({
        ...common,
        entryPoints: ['src/adapter/main.ts'],
        outfile: 'dist/adapter.js',
        alias: { serialport: './src/adapter/no_serial_port.ts' },
        external: ['*/pty.node'], // of terminals for GDB's own console, which is loaded where one is asked for
    }),
];

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const folders = made.flatMap(({ metafile }) => Object.keys(metafile.inputs)).flatMap((file) => file.match(PACKAGE) ?? []);
const notices = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf-8'));
    const text = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    if (!license && !text) throw new Error(`${name} has no licence`);
    return `${name} ${version}: ${license}\n\n${text ? readFileSync(`${folder}/${text}`, 'utf-8') : ''}`;
});
writeFileSync('dist/NOTICES.txt', notices.join('\n----\n\n'));
