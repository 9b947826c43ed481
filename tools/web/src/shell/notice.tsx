// notice.tsx: a line at the bottom that says what was just done, for a few seconds.
import type { JSX } from "preact";
import { Value, useValue } from "../value";

const text = new Value("");
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a text for some seconds. */
export function say(what: string): void {
    clearTimeout(timer);
    text.set(what);
    timer = setTimeout(() => text.set(""), 4000);
}

export function Notice(): JSX.Element {
    const shown = useValue(text);
    return (
        <div class={`notice ${shown ? "shown" : ""}`} role="status">
            {shown}
        </div>
    );
}
