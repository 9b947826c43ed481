// log_view.ts: which rows of a log are shown: a filter, and entries that are opened.
//
// A row is a line of an entry. Rows are kept in typed arrays, so that 100,000 of them are cheap to make and to
// reach by their number.
import type { Level, LogEntry } from "./log_store";

export interface LogFilter {
    /** Levels that are hidden. */
    hiddenLevels: ReadonlySet<Level>;
    /** Systems that are hidden. */
    hiddenSystems: ReadonlySet<string>;
    /** Words that must all be in an entry; with a `-` before it, a word must not. */
    text: string;
}

export const emptyFilter: LogFilter = { hiddenLevels: new Set(), hiddenSystems: new Set(), text: "" };

/** Makes a test of entries. */
export function matcherOf(filter: LogFilter): (entry: LogEntry) => boolean {
    const words = filter.text.toLowerCase().split(/\s+/).filter((word) => word && word !== "-");
    const wanted = words.filter((word) => !word.startsWith("-"));
    const unwanted = words.filter((word) => word.startsWith("-")).map((word) => word.slice(1));
    return (entry) =>
        !filter.hiddenLevels.has(entry.level) &&
        !filter.hiddenSystems.has(entry.system) &&
        wanted.every((word) => entry.searched.includes(word)) &&
        !unwanted.some((word) => entry.searched.includes(word));
}

/** The rows of the entries that a filter lets through. `numSeen` entries have been looked at. */
export class LogView {
    private entryOfRow = new Uint32Array(1024);
    private lineOfRow = new Uint32Array(1024);
    private count = 0;
    /** Counts up when rows that were there may have changed. */
    generation = 0;
    private numSeen = 0;
    private readonly isOpen = new Set<LogEntry>();
    private matches: (entry: LogEntry) => boolean = () => true;

    get numRows(): number {
        return this.count;
    }

    /** The entry and the line of it that row `row` shows. */
    at(row: number): { entry: number; line: number } {
        return { entry: this.entryOfRow[row]!, line: this.lineOfRow[row]! };
    }

    isOpened(entry: LogEntry): boolean {
        return this.isOpen.has(entry);
    }

    /** Takes another filter. Call `update` afterwards. */
    setFilter(filter: LogFilter): void {
        this.matches = matcherOf(filter);
        this.reset();
    }

    /** Looks at all entries again at the next `update`. */
    reset(): void {
        this.count = 0;
        this.numSeen = 0;
        ++this.generation;
    }

    /** Opens or closes an entry. Call `update` afterwards. */
    toggle(entry: LogEntry): void {
        if (!this.isOpen.delete(entry)) this.isOpen.add(entry);
        this.reset();
    }

    /** Looks at entries that came since the last call. */
    update(entries: readonly LogEntry[]): void {
        for (let i = this.numSeen; i < entries.length; ++i) {
            const entry = entries[i]!;
            if (!this.matches(entry)) continue;
            const lines = this.isOpen.has(entry) ? entry.lines.length : 1;
            for (let line = 0; line < lines; ++line) this.add(i, line);
        }
        this.numSeen = entries.length;
    }

    private add(entry: number, line: number): void {
        if (this.count === this.entryOfRow.length) {
            this.entryOfRow = grown(this.entryOfRow);
            this.lineOfRow = grown(this.lineOfRow);
        }
        this.entryOfRow[this.count] = entry;
        this.lineOfRow[this.count++] = line;
    }
}

function grown(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
    const longer = new Uint32Array(array.length * 2);
    longer.set(array);
    return longer;
}
