// value.ts: a value that can be watched. All state that more than one component shows is made of these.
import { useEffect, useState } from "preact/hooks";

export class Value<T> {
    private current: T;
    private readonly watchers = new Set<(value: T) => void>();

    constructor(initial: T) {
        this.current = initial;
    }

    get(): T {
        return this.current;
    }

    /** Sets the value and calls every watcher, unless it is the same. */
    set(value: T): void {
        if (Object.is(value, this.current)) return;
        this.current = value;
        for (const watcher of [...this.watchers]) watcher(value);
    }

    /** Calls `watcher` after each change. Returns a function that ends this. */
    watch(watcher: (value: T) => void): () => void {
        this.watchers.add(watcher);
        return () => this.watchers.delete(watcher);
    }
}

/** The value, in a component that is drawn again when it changes. */
export function useValue<T>(value: Value<T>): T {
    const [, redraw] = useState(0);
    const shown = value.get();
    useEffect(() => {
        if (!Object.is(value.get(), shown)) redraw((n) => n + 1); // it has changed since the drawing
        return value.watch(() => redraw((n) => n + 1));
    }, [value]);
    return shown;
}

/** Counts up with each change, but watchers hear of it once a frame: for stores that change often. */
export class Revision extends Value<number> {
    private isWaiting = false;

    constructor() {
        super(0);
    }

    touch(): void {
        if (this.isWaiting) return;
        this.isWaiting = true;
        onNextFrame(() => {
            this.isWaiting = false;
            this.set(this.get() + 1);
        });
    }
}

/** Like requestAnimationFrame, but a hidden page gets its turn, too, if later. */
function onNextFrame(run: () => void): void {
    if (document.visibilityState === "visible") requestAnimationFrame(run);
    else setTimeout(run, 250);
}
