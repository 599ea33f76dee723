// SPDX-License-Identifier: Apache-2.0
// The extension's adapter in the protocol's own harness: node harness.cjs ADAPTER CONFIGURATION
// The second is JSON: `launch`, and a `source` with a `line` of it that is reached.

const assert = require('node:assert');
const { readFileSync } = require('node:fs');
const { test } = require('node:test');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const [adapter, file] = process.argv.slice(2);
const { launch, source, line, patience } = JSON.parse(readFileSync(file, 'utf-8'));

/** A test with an adapter of its own, which is ended whatever comes of it. */
function adapted(name, body) {
    test(name, async () => {
        const client = new DebugClient('node', adapter, 'tensix');
        client.defaultTimeout = patience;
        await client.start();
        try {
            await body(client);
        } finally {
            await client.stop();
        }
    });
}

adapted('an unknown request is refused', async (client) => {
    await assert.rejects(client.send('no_such_request'));
});

adapted('initialize says what there is', async (client) => {
    const { body } = await client.initializeRequest();
    assert.ok(body.supportsConfigurationDoneRequest);
    assert.ok(body.supportsStepBack);
    assert.deepStrictEqual(body.exceptionBreakpointFilters.map((one) => one.filter), ['fault', 'race']);
});

adapted('it stops at the entry', async (client) => {
    await Promise.all([
        client.configurationSequence(),
        client.launch({ ...launch, stopOnEntry: true }),
        client.assertStoppedLocation('entry', {}),
    ]);
});

adapted('a breakpoint is hit, and a step ends', async (client) => {
    await client.hitBreakpoint(launch, { path: source, line });
    const { body } = await client.threadsRequest();
    assert.strictEqual(body.threads.length, 8);
    const stopped = client.waitForEvent('stopped');
    await client.nextRequest({ threadId: 4 });
    assert.strictEqual((await stopped).body.reason, 'step');
});

adapted('a program that is not there is an answer', async (client) => {
    const target = { ...launch.target, serverParameters: ['-m', 'tensix_gdb.gdbstub', 'serve', '--dir', 'nowhere'] };
    await client.initializeRequest();
    await assert.rejects(client.launchRequest({ ...launch, target }), /nowhere/);
});
