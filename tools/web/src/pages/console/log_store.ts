// log_store.ts: the log of one engine, as the page keeps it.
import type { Connection } from "../../connection";
import type { Message } from "../../message";
import type { LogHistoryAnswer } from "../../protocol";
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
/** The most that an engine gives in one answer, and how long an engine may be busy before it does. */
const AT_ONCE = 10_000;
const HISTORY_SECONDS = 60;

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
    /** Messages that came since the connection opened, while the history before them is not there; null: it is. */
    private early: Message[] | null = null;
    /** Entries of a connection that ended before the history was there: the next one brings them in their place. */
    private provisional = new Set<LogEntry>();

    constructor(private readonly connection: Pick<Connection, "listen" | "ask" | "state">) {
        connection.listen("message", (message) => {
            if (this.early) this.early.push(message);
            else this.addMessage(message);
        });
        connection.state.watch((state) => {
            if (state === "open") this.early = [];
            else this.keepEarly();
        });
    }

    /** Asks for the messages that came before the connection. `process` gives the number of the engine's process, for
     * which the first question does not wait; 0: it is not known. */
    async catchUp(process: Promise<number>): Promise<void> {
        const early = this.early;
        if (!early) return; // the connection has ended
        const first = this.lastNumber + 1;
        const answer = this.askFrom(first);
        answer.catch(() => {}); // it is looked at below, or not at all
        const number = await process;
        if (this.early !== early) return;
        this.begin(number || this.process);
        try {
            // Another process counts from the beginning.
            await this.takeHistory(await (this.lastNumber + 1 === first ? answer : this.askFrom(1)));
        } catch (error) {
            if (this.early !== early) return;
            // An engine of an older version, or a busy one: the log goes on with what comes.
            this.add(note(`Earlier messages are missing: ${(error as Error).message}`, "warning"));
        }
        if (this.early !== early) return;
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

    private begin(process: number): void {
        if (process !== this.process) {
            if (this.process !== 0) this.add(note("The engine has started again."));
            this.lastNumber = 0;
        } else if (this.provisional.size > 0) {
            this.entries = this.entries.filter((entry) => !this.provisional.has(entry));
            this.numGone += this.provisional.size;
        }
        this.process = process;
        this.provisional = new Set();
    }

    /** The connection has ended: shows what came at last, without counting it as read. */
    private keepEarly(): void {
        for (const message of this.early ?? []) {
            const entry = entryOf(message);
            this.provisional.add(entry);
            this.add(entry);
        }
        this.early = null;
    }

    private drop(count: number): void {
        this.entries = this.entries.slice(count);
        this.numGone += count;
    }

    private askFrom(first: number): Promise<LogHistoryAnswer> {
        return this.connection.ask("log_history", { first, count: AT_ONCE }, HISTORY_SECONDS);
    }

    private async takeHistory(answer: LogHistoryAnswer): Promise<void> {
        while (answer.messages.length > 0) {
            for (const message of answer.messages) this.addMessage({ type: "message", ...message });
            if (this.lastNumber + 1 === answer.next) return;
            answer = await this.askFrom(this.lastNumber + 1);
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
