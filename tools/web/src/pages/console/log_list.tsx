// log_list.tsx: the rows of the log.
import type { JSX } from "preact";
import { VirtualList } from "../../widgets/virtual_list";
import type { LogStore } from "./log_store";
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
            rowClass={(row) => rowClass(store, view, row)}
            render={(row) => <Row store={store} view={view} row={row} />}
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

function Row({ store, view, row }: { store: LogStore; view: LogView; row: number }): JSX.Element {
    const place = view.at(row);
    const entry = store.entries[place.entry]!;
    const text = entry.lines[place.line] ?? "";
    const numMore = entry.lines.length - 1;
    const isFirst = place.line === 0;
    return (
        <>
            <span class="fold">{isFirst && numMore > 0 ? (view.isOpened(entry) ? "▾" : "▸") : ""}</span>
            <span class="system">{isFirst ? entry.system : ""}</span>
            <span class="text">
                {partsOf(text).map((part) => (typeof part === "string" ? part : <PlaceLink link={part} />))}
            </span>
            {isFirst && numMore > 0 && !view.isOpened(entry) && (
                <span class="count">{`+${numMore} ${numMore === 1 ? "line" : "lines"}`}</span>
            )}
            {isFirst && entry.script && entry.line !== undefined && entry.script !== "console" && (
                <PlaceLink link={{ file: entry.script, line: entry.line, text: `${entry.script}:${entry.line}` }} />
            )}
        </>
    );
}

function PlaceLink({ link }: { link: Link & { text: string } }): JSX.Element {
    return (
        <span class="link" role="link" data-file={link.file} data-line={link.line} title="Open in the editor">
            {link.text}
        </span>
    );
}
