import "./fake_browser";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Connection, ConnectionState, Listener } from "../src/connection";
import type { Message } from "../src/message";
import { LogStore } from "../src/pages/console/log_store";
import { Value } from "../src/value";

/** An engine with a log, which keeps the last 100,000 lines. */
class FakeEngine {
    readonly state = new Value<ConnectionState>("connecting");
    lines: Message[] = [];
    /** How many questions for the history it still answers before it ends. */
    answers = Infinity;
    private listener: Listener = () => {};

    listen(_type: string, listener: Listener): () => void {
        this.listener = listener;
        return () => {};
    }

    /** Writes lines into the log; the page gets them while it is connected. */
    say(...texts: string[]): void {
        for (const text of texts) {
            const message = { type: "message", number: this.lines.length + 1, level: "info", system: "lua", message: text };
            this.lines.push(message);
            if (this.state.get() === "open") this.listener(message);
        }
    }

    /** Whence the page has asked for lines. */
    asked: (number | undefined)[] = [];

    async ask(_type: string, { first, count }: { first?: number; count: number }): Promise<object> {
        this.asked.push(first);
        if (--this.answers < 0) {
            this.state.set("connecting");
            throw new Error("the connection ended");
        }
        const next = this.lines.length + 1;
        const begin = first ?? Math.max(1, next - count);
        return { first: 1, next, messages: this.lines.slice(begin - 1, begin - 1 + count) };
    }
}

function connect(): { engine: FakeEngine; store: LogStore; texts: () => string[] } {
    const engine = new FakeEngine();
    const store = new LogStore(engine as unknown as Connection);
    return { engine, store, texts: () => store.entries.map((entry) => entry.lines[0]!) };
}

test("lines that come before the history are there once, in their order", async () => {
    const { engine, store, texts } = connect();
    engine.say("1", "2", "3");
    engine.state.set("open");
    engine.say("4"); // before the engine has said which process it is
    const caughtUp = store.catchUp(Promise.resolve(77));
    engine.say("5");
    await caughtUp;
    engine.say("6");
    assert.deepEqual(texts(), ["1", "2", "3", "4", "5", "6"]);

    // The page is away for a while.
    engine.state.set("connecting");
    engine.say("7", "8");
    engine.state.set("open");
    engine.say("9");
    await store.catchUp(Promise.resolve(77));
    assert.deepEqual(texts(), ["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
});

test("all lines that the engine has kept come", async () => {
    const { engine, store, texts } = connect();
    engine.say(...Array.from({ length: 60_000 }, (_, i) => `line ${i}`));
    engine.state.set("open");
    await store.catchUp(Promise.resolve(5));
    assert.equal(store.entries.length, 60_000);
    assert.equal(texts()[0], "line 0");
    assert.equal(texts().at(-1), "line 59999");
});

test("an engine that ends while it is asked leaves its last lines, and no gap when it is back", async () => {
    const { engine, store, texts } = connect();
    engine.say(...Array.from({ length: 20_000 }, (_, i) => `${i}`));
    engine.answers = 1;
    engine.state.set("open");
    engine.say("the last words");
    await store.catchUp(Promise.resolve(5));
    assert.equal(store.entries.length, 10_001);
    assert.equal(texts().at(-1), "the last words");

    engine.answers = Infinity;
    engine.state.set("open");
    await store.catchUp(Promise.resolve(5));
    assert.equal(store.entries.length, 20_001);
    assert.equal(texts()[10_000], "10000");
    assert.equal(texts().filter((text) => text === "the last words").length, 1);
});

test("another process begins its own lines, and those before stay", async () => {
    const { engine, store, texts } = connect();
    engine.say("old 1", "old 2");
    engine.state.set("open");
    await store.catchUp(Promise.resolve(5));
    engine.state.set("connecting");
    engine.lines = [];
    engine.say("new 1");
    engine.state.set("open");
    await store.catchUp(Promise.resolve(6));
    assert.deepEqual(texts(), ["old 1", "old 2", "The engine has started again.", "new 1"]);
});

test("the first lines are asked for before the engine has said which process it is", async () => {
    const { engine, store, texts } = connect();
    engine.say("1", "2");
    engine.state.set("open");
    let tell: (process: number) => void = () => {};
    const caughtUp = store.catchUp(new Promise((resolve) => (tell = resolve)));
    assert.deepEqual(engine.asked, [1]);
    tell(5);
    await caughtUp;
    assert.deepEqual(texts(), ["1", "2"]);
    assert.deepEqual(engine.asked, [1]);

    // Another process has come: what was asked for first is not its beginning.
    engine.state.set("connecting");
    engine.lines = [];
    engine.say("a", "b", "c");
    engine.state.set("open");
    await store.catchUp(Promise.resolve(6));
    assert.deepEqual(engine.asked, [1, 3, 1]);
    assert.deepEqual(texts(), ["1", "2", "The engine has started again.", "a", "b", "c"]);
});
