// log_list.tsx: the rows of the log.
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { rowOfKey } from "../../widgets/row_keys";
import { VirtualList } from "../../widgets/virtual_list";
import type { LogEntry, LogStore } from "./log_store";
import type { LogView } from "./log_view";
import { type Link, partsOf } from "./links";

export const ROW_HEIGHT = 20;

interface Properties {
    store: LogStore;
    view: LogView;
    onToggle: (entry: number) => void;
    onFollow: (link: Link) => void;
}

export function LogList({ store, view, onToggle, onFollow }: Properties): JSX.Element {
    const [chosen, setChosen] = useState<Choice | null>(null);
    // Rows that come do not move those that are there; all else begins another generation.
    const at = useMemo(() => (chosen ? rowOf(chosen, store, view) : -1), [chosen, store, view, view.generation]);
    const version = useMemo(() => ({}), [view, view.generation, at]);

    const choose = (row: number): void => {
        const { entry, line } = view.at(row);
        setChosen({ row, entry: store.entries[entry]!, line });
    };
    const onKeyDown = (event: KeyboardEvent): void => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const list = event.currentTarget as HTMLElement;
        const to = rowOfKey(event.key, at, view.numRows, Math.floor(list.clientHeight / ROW_HEIGHT));
        if (to !== undefined) choose(to);
        else if (!chosen || at < 0) return;
        else if (event.key === "Enter") enter(chosen);
        else if (event.key === "ArrowRight") fold(chosen, false);
        else if (event.key === "ArrowLeft") fold(chosen, true);
        else return;
        event.preventDefault();
    };
    const fold = ({ entry }: Choice, isFolded: boolean): void => {
        if (entry.lines.length === 1 || view.isOpened(entry) !== isFolded) return;
        setChosen({ row: at, entry, line: 0 });
        onToggle(store.entries.indexOf(entry));
    };
    // A line that has more lines folds; its link is that of its first line, which is also in the traceback.
    const enter = (choice: Choice): void => {
        const { entry, line } = choice;
        const link = linkOf(entry, line);
        if (line === 0 && entry.lines.length > 1) fold(choice, view.isOpened(entry));
        else if (link) onFollow(link);
    };
    const onRowClick = (row: number, event: MouseEvent): void => {
        choose(row);
        const link = (event.target as Element).closest<HTMLElement>("[data-file]");
        const { entry } = view.at(row);
        if (link) onFollow({ file: link.dataset.file!, line: Number(link.dataset.line) });
        else if (store.entries[entry]!.lines.length > 1 && !hasSelection()) onToggle(entry);
    };
    return (
        <VirtualList
            class="log"
            label="Log"
            role="log"
            count={view.numRows}
            rowHeight={ROW_HEIGHT}
            followsEnd
            version={version}
            shown={at}
            rowClass={(row) => `${rowClass(store, view, row)} ${row === at ? "chosen" : ""}`}
            render={(row) => rowContent(store, view, row)}
            onRowClick={onRowClick}
            onKeyDown={onKeyDown}
        />
    );
}

/** A line of an entry, and the row that showed it when it was chosen. */
interface Choice {
    row: number;
    entry: LogEntry;
    line: number;
}

/** The row that shows a line now; -1: the filter hides it, or it is gone. */
function rowOf({ row, entry, line }: Choice, store: LogStore, view: LogView): number {
    const shows = (candidate: number): boolean => {
        const place = view.at(candidate);
        return place.line === line && store.entries[place.entry] === entry;
    };
    if (row < view.numRows && shows(row)) return row;
    for (let other = 0; other < view.numRows; ++other) if (shows(other)) return other;
    return -1;
}

/** The place in a file that a line of an entry names first. */
function linkOf(entry: LogEntry, line: number): Link | undefined {
    for (const part of partsOf(entry.lines[line] ?? "")) if (typeof part !== "string") return part;
    return line === 0 ? scriptOf(entry) : undefined;
}

/** The place in a script that wrote an entry. */
function scriptOf({ script, line }: LogEntry): (Link & { text: string }) | undefined {
    if (!script || line === undefined || script === "console") return undefined;
    return { file: script, line, text: `${script}:${line}` };
}

/** Whether somebody is selecting text: then a click opens nothing. */
function hasSelection(): boolean {
    return window.getSelection()?.type === "Range";
}

function rowClass(store: LogStore, view: LogView, row: number): string {
    const { entry, line } = view.at(row);
    const { level, system } = store.entries[entry]!;
    return `${level} ${line > 0 ? "more" : ""} ${system === "page" ? "of-page" : ""}`;
}

/** A row is a line of text with few elements: layout is most of what scrolling costs. The font has letters of
 * equal width, so that spaces make the columns. */
function rowContent(store: LogStore, view: LogView, row: number): JSX.Element {
    const place = view.at(row);
    const entry = store.entries[place.entry]!;
    const numMore = entry.lines.length - 1;
    const isFirst = place.line === 0;
    const isOpened = numMore > 0 && view.isOpened(entry);
    const script = isFirst ? scriptOf(entry) : undefined;
    return (
        <>
            <span class="dim">{isFirst ? headOf(entry, numMore > 0, isOpened) : INDENTATION}</span>
            {partsOf(entry.lines[place.line] ?? "").map((part) =>
                typeof part === "string" ? part : <PlaceLink link={part} />,
            )}
            {isFirst && numMore > 0 && !isOpened && (
                <span class="dim">{`  +${numMore} ${numMore === 1 ? "line" : "lines"}`}</span>
            )}
            {script && (
                <>
                    {"  "}
                    <PlaceLink link={script} />
                </>
            )}
        </>
    );
}

const SYSTEM_LETTERS = 11;

/** What is before the text: a sign of folding, the time, the system. */
function headOf(entry: LogEntry, hasMore: boolean, isOpened: boolean): string {
    const fold = !hasMore ? " " : isOpened ? "▾" : "▸";
    const time = entry.seconds === undefined ? "" : entry.seconds.toFixed(3);
    const system = entry.system.length > SYSTEM_LETTERS ? entry.system.slice(0, SYSTEM_LETTERS) : entry.system;
    return `${fold}${time.padStart(9)}  ${system.padEnd(SYSTEM_LETTERS)}  `;
}

const INDENTATION = " ".repeat(1 + 9 + 2 + SYSTEM_LETTERS + 2);

function PlaceLink({ link }: { link: Link & { text: string } }): JSX.Element {
    return (
        <span class="link" role="link" data-file={link.file} data-line={link.line} title="Open in the editor">
            {link.text}
        </span>
    );
}
