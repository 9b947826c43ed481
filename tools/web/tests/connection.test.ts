import { FakeSocket, pauses, runTimers, settle } from "./fake_browser";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection } from "../src/connection";
import { Engine, add, engines, findOthers } from "../src/engines";
import { targetOf } from "../src/tokens";

const last = (): FakeSocket => FakeSocket.all.at(-1)!;

function fakeStore(): { kept: Map<string, string>; getItem(name: string): string | null; setItem(n: string, v: string): void } {
    const kept = new Map<string, string>();
    return { kept, getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };
}

test("a token goes to the engine that it was given for, and to no other", () => {
    const store = fakeStore();
    const page = "http://127.0.0.1:64000/";
    assert.deepEqual(targetOf(`${page}?token=secret#console`, store), {
        address: "127.0.0.1:64000",
        token: "secret",
        shown: `${page}#console`,
    });
    // Loaded again, it is still there; a link to another port gets nothing.
    assert.deepEqual(targetOf(page, store), { address: "127.0.0.1:64000", token: "secret", shown: page });
    const foreign = `${page}?engine=127.0.0.1:6000`;
    assert.deepEqual(targetOf(foreign, store), { address: "127.0.0.1:6000", shown: foreign });
    assert.equal(targetOf(`${page}?engine=host:1&token=other`, store).token, "other");
    assert.equal(targetOf(`${page}?engine=host:1`, store).token, "other");
    assert.equal(targetOf(page, store).token, "secret");
});

test("a page that is refused says why, and asks less and less often", async () => {
    const connection = new Connection("ws://refused/console", "wrong");
    pauses.length = 0;
    for (let i = 0; i < 5; ++i) {
        last().open();
        assert.equal(last().sent[0]!.type, "authorize");
        last().end(1008, "the token is wrong");
        assert.equal(connection.refusal.get(), "the token is wrong");
        runTimers();
    }
    assert.deepEqual(pauses, [250, 500, 1000, 2000, 2000]);
    assert.equal(connection.numFailures.get(), 5);

    // The first answer ends this.
    last().open();
    const asked = connection.request({ type: "ping" });
    last().answer("ping");
    await asked;
    assert.equal(connection.refusal.get(), "");
    assert.equal(connection.numFailures.get(), 0);
    pauses.length = 0;
    last().end();
    assert.deepEqual(pauses, [250]);
    connection.close();
});

test("an engine that was reached stays when it ends, one that never was goes", async () => {
    const home = add("127.0.0.1:1000");
    const homeSocket = last();
    homeSocket.open();
    const find = async (...ports: number[]): Promise<void> => {
        const asked = findOthers(home);
        homeSocket.answer("engine_list", { engines: ports.map((port) => ({ port })) });
        await asked;
    };
    const reached = add("127.0.0.1:1001");
    last().open();
    await find(1001, 1002); // the second time for one of them
    for (let i = 0; i < 4; ++i) {
        for (const socket of FakeSocket.all) if (/:100[12]/.test(socket.url) && socket.readyState < 3) socket.end();
        runTimers();
    }
    assert.deepEqual(engines.get().map(({ address }) => address), ["127.0.0.1:1000", reached.address]);
    for (const engine of engines.get()) engine.connection.close();
});

test("an engine asks for the log as soon as it knows the process", async () => {
    const engine = new Engine("127.0.0.1:2000");
    last().open();
    last().say({ type: "message", number: 2, message: "second" });
    last().answer("engine_info", { process: 7 });
    await settle();
    last().answer("log_history", {
        first: 1,
        next: 3,
        messages: [1, 2].map((number) => ({ number, message: number === 1 ? "first" : "second" })),
    });
    await settle();
    assert.deepEqual(engine.log.entries.map((entry) => entry.lines[0]), ["first", "second"]);
    engine.connection.close();
});
