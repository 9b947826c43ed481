// log_store.ts: the log of one engine, as the page keeps it.
import type { Connection } from "../../connection";
import type { Message } from "../../message";
import { Revision } from "../../value";

export type Level = "debug" | "info" | "warning" | "error";

/** One message of the log. Its lines after the first are folded away until the entry is opened. */
export interface LogEntry {
    level: Level;
    system: string;
    /** When, in seconds since the engine started; undefined: the page's own. */
    seconds?: number;
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
    /** How many of the oldest are gone, or were cleared: entry i is the one that came as `numGone + i`. */
    numGone = 0;
    readonly systems = new Set<string>();
    /** Changes, at most once a frame, when entries come or go. */
    readonly revision = new Revision();
    /** The process whose messages these are, and the number of the last of them. */
    private process = 0;
    private lastNumber = 0;
    /** Messages that came while the history was asked for; null: it is not. */
    private early: Message[] | null = null;

    constructor(private readonly connection: Connection) {
        connection.listen("message", (message) => {
            if (this.early) this.early.push(message);
            else this.addMessage(message);
        });
    }

    /** Asks for the messages that came before the connection. `process` is the number of the engine's process. */
    async catchUp(process: number): Promise<void> {
        const isOther = process !== this.process;
        if (isOther && this.process !== 0) this.add(note("The engine has started again."));
        if (isOther) this.lastNumber = 0;
        this.process = process;
        this.early = [];
        try {
            await this.askHistory();
        } catch {
            // an older engine, or the connection ended: the log goes on with what comes
        }
        const early = this.early;
        this.early = null;
        for (const message of early) this.addMessage(message);
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

    private addMessage(message: Message): void {
        const number = Number(message.number ?? 0);
        if (number > 0 && number <= this.lastNumber) return;
        this.lastNumber = Math.max(number, this.lastNumber);
        this.add(entryOf(message));
    }

    private drop(count: number): void {
        this.entries = this.entries.slice(count);
        this.numGone += count;
    }

    private async askHistory(): Promise<void> {
        const range = this.lastNumber > 0 ? { first: this.lastNumber + 1 } : {};
        for (let next = 0; this.lastNumber + 1 !== next; ) {
            const answer = await this.connection.ask("log_history", { ...range, count: 10_000 });
            next = answer.next;
            if (answer.messages.length === 0) return;
            for (const message of answer.messages) this.addMessage({ type: "message", ...message });
            range.first = this.lastNumber + 1;
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
        ...(typeof message.seconds === "number" && { seconds: message.seconds }),
        ...(typeof message.script === "string" && { script: message.script }),
        ...(typeof message.line === "number" && { line: message.line }),
    };
}

/** An entry of the page itself: what was typed, its result. */
export function note(text: string, level: Level = "info", system = "page"): LogEntry {
    return { level, system, lines: text.split("\n"), searched: text.toLowerCase() };
}
