// settings.ts: what the browser keeps for the next visit. A full or forbidden store is no error.
import { Value } from "./value";

const PREFIX = "cuttle.";

function load<T>(name: string, initial: T): T {
    try {
        const value: unknown = JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
        // What another version of the page kept may have another form.
        const fits = typeof value === typeof initial && Array.isArray(value) === Array.isArray(initial);
        return fits && value !== null ? (value as T) : initial;
    } catch {
        return initial;
    }
}

/** A value that is kept under a name. */
export class Setting<T> extends Value<T> {
    constructor(
        private readonly name: string,
        initial: T,
    ) {
        super(load(name, initial));
    }

    override set(value: T): void {
        super.set(value);
        try {
            localStorage.setItem(PREFIX + this.name, JSON.stringify(value));
        } catch {
            // kept until the page is closed
        }
    }
}

export type Theme = "system" | "dark" | "light";

export const settings = {
    theme: new Setting<Theme>("theme", "system"),
    /** What a link to a file does: opens VS Code, or copies the path. */
    editor: new Setting<"vscode" | "copy">("editor", "vscode"),
};
