import { runTimers } from "./fake_browser";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../src/message";
import { ViewportInput } from "../src/widgets/viewport_input";

function viewport(): { input: ViewportInput; events: () => string[] } {
    const sent: Message[] = [];
    const connection = { send: (message: Message) => sent.push(message) > 0 };
    const input = new ViewportInput(connection, () => ({ width: 640, height: 360 }));
    const events = (): string[] => {
        runTimers();
        const all = sent.splice(0).flatMap((message) => message.events as Record<string, string>[]);
        return all.map(({ kind, name, text }) => `${kind} ${name ?? text}`);
    };
    return { input, events };
}

const key = (code: string, more: Partial<KeyboardEvent> = {}): KeyboardEvent =>
    ({ code, key: code.replace("Key", "").toLowerCase(), ctrlKey: false, repeat: false, ...more }) as KeyboardEvent;

test("a key that goes up while Ctrl is held goes up in the game", () => {
    const { input, events } = viewport();
    assert(input.keyDown(key("KeyW")));
    assert(input.keyDown(key("ControlLeft", { key: "Control", ctrlKey: true })));
    assert(input.keyDown(key("KeyW", { repeat: true, ctrlKey: true })));
    assert(input.keyUp(key("KeyW", { ctrlKey: true })));
    assert(input.keyUp(key("ControlLeft", { key: "Control" })));
    assert.deepEqual(events(), ["pressed w", "text w", "pressed left ctrl", "released w", "released left ctrl"]);
});

test("keys that went down elsewhere stay away from the game", () => {
    const { input, events } = viewport();
    assert(!input.keyUp(key("KeyW")));
    assert(!input.keyDown(key("BrowserBack")));
    assert.deepEqual(events(), []);
});

test("what is held is let go of with the focus", () => {
    const { input, events } = viewport();
    input.keyDown(key("KeyA"));
    events();
    input.release();
    assert(!input.keyUp(key("KeyA")));
    assert.deepEqual(events(), ["released a"]);
});
