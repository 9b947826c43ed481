// fake_browser.ts: the parts of a browser that modules without elements use. Import it before them.

/** A WebSocket whose other end is the test. */
export class FakeSocket {
    static readonly OPEN = 1;
    /** All that were made, the newest last. */
    static readonly all: FakeSocket[] = [];
    readyState = 0;
    binaryType = "";
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: string }) => void) | null = null;
    onclose: ((event: { code: number; reason: string }) => void) | null = null;
    /** What the page has sent. */
    readonly sent: { type: string; id?: number; [member: string]: unknown }[] = [];

    constructor(readonly url: string) {
        FakeSocket.all.push(this);
    }

    send(text: string): void {
        this.sent.push(JSON.parse(text));
    }

    close(): void {
        this.end(1000);
    }

    open(): void {
        this.readyState = FakeSocket.OPEN;
        this.onopen?.();
    }

    say(message: object): void {
        this.onmessage?.({ data: JSON.stringify(message) });
    }

    /** Answers the newest message of a type. */
    answer(type: string, members: object = {}): void {
        const { id } = this.sent.filter((message) => message.type === type).at(-1)!;
        this.say({ type: "result", id, ...members });
    }

    end(code = 1006, reason = ""): void {
        this.readyState = 3;
        this.onclose?.({ code, reason });
    }
}

const watchers = new Set<() => void>();
const fakeDocument = {
    hidden: false,
    visibilityState: "hidden", // revisions come by timers
    addEventListener: (_type: string, watcher: () => void) => watchers.add(watcher),
};

/** Hides or shows the page. */
export function setHidden(hidden: boolean): void {
    fakeDocument.hidden = hidden;
    for (const watcher of watchers) watcher();
}

/** Pauses before the next try, in milliseconds, of all timers that were set. */
export const pauses: number[] = [];
const waiting = new Map<number, () => void>();
let numTimers = 0;

function wait(run: () => void): number {
    waiting.set(++numTimers, run);
    return numTimers;
}

/** Runs what waits for a timer or a frame. */
export function runTimers(): void {
    const due = [...waiting.values()];
    waiting.clear();
    for (const run of due) run();
}

/** Lets promises go on. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

declare function setImmediate(run: () => void): void;

Object.assign(globalThis, {
    document: fakeDocument,
    WebSocket: FakeSocket,
    requestAnimationFrame: wait,
    setTimeout: (run: () => void, milliseconds: number) => {
        pauses.push(milliseconds);
        return wait(run);
    },
    clearTimeout: (timer: number | undefined) => waiting.delete(timer ?? 0),
});
