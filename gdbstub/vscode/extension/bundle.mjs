// SPDX-License-Identifier: Apache-2.0
// Bundle the extension and its adapter into dist: node bundle.mjs
// The adapter's serial port is for boards; what stands for it has no ports.
import { build } from 'esbuild';

const common = {
    bundle: true,
    platform: 'node',
    target: 'node18',
    minify: true,
    legalComments: 'linked',
    logLevel: 'warning',
};
await build({ ...common, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', external: ['vscode'] });
await build({
    ...common,
    entryPoints: ['src/adapter/main.ts'],
    outfile: 'dist/adapter.js',
    alias: { serialport: './src/adapter/no_serial_port.ts' },
    external: ['*/pty.node'], // of terminals for GDB's own console, which is loaded where one is asked for
});
