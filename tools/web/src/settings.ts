// settings.ts: what the browser keeps for the next visit. A full or forbidden store is no error.
import { Value } from "./value";

const PREFIX = "cuttle.";

function load<T>(name: string, initial: T): T {
    try {
        const text = localStorage.getItem(PREFIX + name);
        return text === null ? initial : (JSON.parse(text) as T);
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
