// Scenarios of `cuttle debug` through the client that adapters of VS Code are tested with. Arguments: the
// program `cuttle`, and a project whose scripts/main.lua is that of test_debug_adapter_npm.py. Prints a line
// for each scenario, and exits with 1 when one failed.
"use strict";

const assert = require("assert");
const fs = require("fs");
const path = require("path");
const { DebugClient } = require("@vscode/debugadapter-testsupport");

const [, , cuttle, project] = process.argv;
const main = path.join(project, "scripts", "main.lua");
const lines = fs.readFileSync(main, "utf8").split("\n");

// The number of the first line with a text.
function lineOf(text) {
    return lines.findIndex((line) => line.includes(text)) + 1;
}

const UPDATE = lineOf("Game.updates = Game.updates + 1");
const CALL = lineOf("local got = twice");
const RESULT = lineOf("local result");

const launch = { project, headless: true, port: 0, runArgs: ["--size", "160x90"] };

// Starts the game and stops at a breakpoint, which is not verified before the script has run.
function hit(client, line) {
    return client.hitBreakpoint(launch, { path: main, line, verified: false });
}

// Waits for an output that has a text.
function printed(client, category, text) {
    return new Promise((resolve) => client.on("output", (event) => {
        if (event.body.category === category && event.body.output.includes(text)) {
            resolve();
        }
    }));
}

async function topFrame(client) {
    const answer = await client.stackTraceRequest({ threadId: 1 });
    return answer.body.stackFrames[0];
}

const scenarios = {
    async "unknown requests are refused"(client) {
        await client.initializeRequest();
        await assert.rejects(client.send("illegal_request"), /unknown request/);
    },
    async "capabilities come with initialize"(client) {
        const answer = await client.initializeRequest();
        assert.strictEqual(answer.body.supportsConfigurationDoneRequest, true);
    },
    async "pathFormat must be known"(client) {
        await assert.rejects(
            client.initializeRequest({ adapterID: "cuttle", linesStartAt1: true, columnsStartAt1: true,
                                       pathFormat: "url" }), /expected "path" or "uri"/);
    },
    async "a game runs and ends by itself"(client) {
        const ends = client.waitForEvent("terminated");
        await Promise.all([client.configurationSequence(),
                           client.launch({ ...launch, runArgs: [...launch.runArgs, "--frames", "3"] })]);
        await ends;
    },
    async "it stops at the entry"(client) {
        await Promise.all([client.configurationSequence(), client.launch({ ...launch, stopOnEntry: true }),
                           client.assertStoppedLocation("entry", {})]);
    },
    async "it stops at a breakpoint"(client) {
        await hit(client, UPDATE);
    },
    async "it stops where a condition is true"(client) {
        await Promise.all([
            client.waitForEvent("initialized").then(async () => {
                await client.setBreakpointsRequest(
                    { source: { path: main }, breakpoints: [{ line: UPDATE, condition: "Game.updates == 4" }] });
                await client.configurationDoneRequest();
            }),
            client.launch(launch),
            client.assertStoppedLocation("breakpoint", { path: main, line: UPDATE })]);
        const answer = await client.evaluateRequest({ expression: "Game.updates" });
        assert.strictEqual(answer.body.result, "4");
    },
    async "it steps over, into and out"(client) {
        await hit(client, UPDATE);
        await Promise.all([client.nextRequest({ threadId: 1 }),
                           client.assertStoppedLocation("step", { path: main, line: CALL })]);
        await Promise.all([client.stepInRequest({ threadId: 1 }),
                           client.assertStoppedLocation("step", { path: main, line: RESULT })]);
        await Promise.all([client.stepOutRequest({ threadId: 1 }), client.waitForEvent("stopped")]);
        assert.ok([CALL, CALL + 1].includes((await topFrame(client)).line));
    },
    async "variables are shown and set"(client) {
        await hit(client, CALL);
        const frameId = (await topFrame(client)).id;
        const scopes = (await client.scopesRequest({ frameId })).body.scopes;
        const variablesReference = scopes.find((scope) => scope.name === "Locals").variablesReference;
        const before = (await client.variablesRequest({ variablesReference })).body.variables;
        assert.ok(before.some((variable) => variable.name === "dt"));
        await client.setVariableRequest({ variablesReference, name: "dt", value: "7" });
        const answer = await client.evaluateRequest({ expression: "dt", frameId, context: "watch" });
        assert.strictEqual(answer.body.result, "7");
    },
    async "what the game prints is output"(client) {
        await Promise.all([client.configurationSequence(), client.launch(launch),
                           printed(client, "stdout", "it begins")]);
    },
    async "it pauses and goes on"(client) {
        await Promise.all([client.configurationSequence(), client.launch(launch)]);
        await Promise.all([client.pauseRequest({ threadId: 1 }), client.waitForEvent("stopped")]);
        await client.continueRequest({ threadId: 1 });
    },
    async "it starts again and stops at the same breakpoint"(client) {
        await hit(client, UPDATE);
        await Promise.all([client.send("restart", { arguments: launch }),
                           client.assertStoppedLocation("breakpoint", { path: main, line: UPDATE })]);
        const answer = await client.evaluateRequest({ expression: "Game.updates" });
        assert.strictEqual(answer.body.result, "0");
    },
    async "it stops at errors"(client) {
        await Promise.all([
            client.waitForEvent("initialized").then(async () => {
                await client.setExceptionBreakpointsRequest({ filters: ["uncaught"] });
                await client.configurationDoneRequest();
            }),
            client.launch(launch)]);
        const stops = client.waitForEvent("stopped");
        await client.evaluateRequest({ expression: "Game.todo = function() Game.todo = nil error('no') end" });
        assert.strictEqual((await stops).body.reason, "exception");
    },
};

async function run() {
    let failed = 0;
    for (const [name, scenario] of Object.entries(scenarios)) {
        const client = new DebugClient(cuttle, "debug", "cuttle");
        client.defaultTimeout = 60000;
        await client.start();
        try {
            await scenario(client);
            console.log(`passed: ${name}`);
        } catch (error) {
            ++failed;
            console.log(`failed: ${name}: ${error.stack}`);
        }
        await client.stop();
    }
    return failed;
}

run().then((failed) => process.exit(failed ? 1 : 0));
