// actions.ts: what the palette offers, and which keys do it.
import { add, currentEngine, engines, findOthers, nameOf } from "../engines";
import { settings } from "../settings";
import { say } from "./notice";
import { pages, show } from "./pages";
import { nextTheme } from "./theme";

export interface Action {
    name: string;
    /** "Ctrl+1", as people write it. */
    keys?: string;
    run: () => void;
}

/** What somebody who types an address can do: ":46373" is on the machine of the engine that is shown. */
export function actionsOfAddress(typed: string): Action[] {
    const found = /^([\w.-]*):(\d{1,5})$/.exec(typed.trim());
    const shown = currentEngine.get();
    if (!found || !shown) return [];
    const address = `${found[1] || shown.address.replace(/:\d+$/, "")}:${found[2]}`;
    return [{ name: `Connect to the engine at ${address}`, run: () => void add(address) }];
}

/** All actions of this moment. */
export function actions(): Action[] {
    return [
        ...pages.map((page, i) => ({ name: `Show ${page.title}`, keys: `Ctrl+${i + 1}`, run: () => show(page) })),
        ...engines.get().map((engine) => ({
            name: `Engine ${nameOf(engine)}`,
            run: () => currentEngine.set(engine),
        })),
        { name: "Look for other engines", run: lookForEngines },
        { name: "Theme: the next of system, dark, light", keys: "Ctrl+Shift+L", run: nextTheme },
        { name: "Game: pause", run: () => command("pause") },
        { name: "Game: resume", run: () => command("resume") },
        { name: "Game: one step", run: () => command("step") },
        { name: "Game: reload changed sources", run: reload },
        { name: "Log: clear", run: () => currentEngine.get()?.log.clear() },
        { name: "Links: open VS Code", run: () => settings.editor.set("vscode") },
        { name: "Links: copy the place", run: () => settings.editor.set("copy") },
    ];
}

/** The action of a key, or undefined. */
export function actionOf(event: KeyboardEvent): Action | undefined {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined;
    // The digit of the key itself: with Shift, or on a French keyboard, `key` is another character.
    const digit = /^(Digit|Numpad)(\d)$/.exec(event.code)?.[2];
    const key = digit ?? event.key.toUpperCase();
    const keys = `Ctrl+${event.shiftKey ? "Shift+" : ""}${key}`;
    return actions().find((action) => action.keys === keys);
}

function lookForEngines(): void {
    const engine = currentEngine.get();
    if (engine) void findOthers(engine).then(() => say(`${engines.get().length} engines`));
}

async function command(name: string): Promise<void> {
    try {
        await currentEngine.get()!.connection.ask("command", { command: name });
        say(name);
    } catch (error) {
        say(`${name}: ${(error as Error).message}`);
    }
}

async function reload(): Promise<void> {
    try {
        await currentEngine.get()!.connection.request({ type: "reload" }, 60);
        say("reloaded");
    } catch (error) {
        say(`reload: ${(error as Error).message}`);
    }
}
