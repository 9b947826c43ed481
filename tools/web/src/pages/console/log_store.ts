// log_store.ts: the log of one engine, as the page keeps it.
import type { Connection } from "../../connection";
import type { Message } from "../../message";
import { Revision } from "../../value";

export type Level = "debug" | "info" | "warning" | "error";

/** One message of the log. Its lines after the first are folded away until the entry is opened. */
export interface LogEntry {
    level: Level;
    system: string;
    lines: string[];
    script?: string;
    line?: number;
    /** What a filter searches: the system and all lines in small letters. */
    searched: string;
}

/** The most entries that are kept; then the oldest tenth goes. */
const MAX_ENTRIES = 200_000;

export class LogStore {
    entries: LogEntry[] = [];
    /** How many of the oldest are gone, or were cleared: entry i is message number `numGone + i`. */
    numGone = 0;
    readonly systems = new Set<string>();
    /** Changes, at most once a frame, when entries come or go. */
    readonly revision = new Revision();

    constructor(connection: Connection) {
        connection.listen("message", (message) => this.add(entryOf(message)));
        // What came before the page is asked for once: later connections go on where the log ended.
        let wasOpen = false;
        connection.state.watch((state) => {
            if (state !== "open") return;
            if (wasOpen) this.add(note("connected again"));
            else void this.askHistory(connection);
            wasOpen = true;
        });
    }

    add(entry: LogEntry): void {
        this.entries.push(entry);
        this.systems.add(entry.system);
        if (this.entries.length > MAX_ENTRIES) this.drop(MAX_ENTRIES / 10);
        this.revision.touch();
    }

    clear(): void {
        this.drop(this.entries.length);
        this.revision.touch();
    }

    private drop(count: number): void {
        this.entries = this.entries.slice(count);
        this.numGone += count;
    }

    private async askHistory(connection: Connection): Promise<void> {
        try {
            const { messages } = await connection.ask("log_history", {});
            const entries = messages.map((message) => entryOf(message as unknown as Message));
            // What arrived since the connection is in the history, too.
            this.entries = entries;
            for (const entry of entries) this.systems.add(entry.system);
            this.revision.touch();
        } catch {
            // an older engine: the log begins now
        }
    }
}

/** Makes an entry of a `message` of the engine. */
export function entryOf(message: Message): LogEntry {
    const text = String(message.message ?? "");
    const system = String(message.system ?? "");
    return {
        level: (message.level as Level) ?? "info",
        system,
        lines: text.split("\n"),
        searched: `${system}\n${text}`.toLowerCase(),
        ...(typeof message.script === "string" && { script: message.script }),
        ...(typeof message.line === "number" && { line: message.line }),
    };
}

/** An entry of the page itself: what was typed, its result. */
export function note(text: string, level: Level = "info", system = "page"): LogEntry {
    return { level, system, lines: text.split("\n"), searched: text.toLowerCase() };
}
