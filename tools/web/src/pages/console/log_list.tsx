// log_list.tsx: the rows of the log.
import type { JSX } from "preact";
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
    const onRowClick = (row: number, event: MouseEvent): void => {
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
            version={view.generation}
            rowClass={(row) => rowClass(store, view, row)}
            render={(row) => rowContent(store, view, row)}
            onRowClick={onRowClick}
        />
    );
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
    return (
        <>
            <span class="dim">{isFirst ? headOf(entry, numMore > 0, isOpened) : INDENTATION}</span>
            {partsOf(entry.lines[place.line] ?? "").map((part) =>
                typeof part === "string" ? part : <PlaceLink link={part} />,
            )}
            {isFirst && numMore > 0 && !isOpened && (
                <span class="dim">{`  +${numMore} ${numMore === 1 ? "line" : "lines"}`}</span>
            )}
            {isFirst && entry.script && entry.line !== undefined && entry.script !== "console" && (
                <>
                    {"  "}
                    <PlaceLink link={{ file: entry.script, line: entry.line, text: `${entry.script}:${entry.line}` }} />
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
