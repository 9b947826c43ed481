// request.ts: what a line of the prompt asks the engine: a command, when its first word is one, or Lua.
import type { Message } from "../../message";

/** Cuts a line into words; quotes keep spaces in a word. */
export function wordsOf(line: string): string[] {
    const words: string[] = [];
    for (const found of line.matchAll(/"([^"]*)"?|'([^']*)'?|(\S+)/g))
        words.push(found[1] ?? found[2] ?? found[3] ?? "");
    return words;
}

/** The message for a line. `commands` are the names of the engine's commands. */
export function requestOf(line: string, commands: ReadonlySet<string>): Message {
    const words = wordsOf(line);
    const first = words[0] ?? "";
    if (commands.has(first)) return { type: "command", command: first, arguments: words.slice(1) };
    return { type: "script", script: line };
}

/** The index in a string of the byte `bytes` of its UTF-8. */
export function indexOfByte(text: string, bytes: number): number {
    let seen = 0;
    for (let i = 0; i < text.length; ) {
        if (seen >= bytes) return i;
        const point = text.codePointAt(i)!;
        seen += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
        i += point < 0x10000 ? 1 : 2;
    }
    return text.length;
}

/** What all names begin with. */
export function commonPrefix(names: readonly string[]): string {
    let prefix = names[0] ?? "";
    for (const name of names) while (!name.startsWith(prefix)) prefix = prefix.slice(0, -1);
    return prefix;
}
