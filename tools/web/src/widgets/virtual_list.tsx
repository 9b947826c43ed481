// virtual_list.tsx: a list of rows of equal height, of which only those in view exist.
//
// Elements are used again when the list scrolls: a row's key is its place in the window, not its number.
import type { AriaRole, ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface Properties {
    count: number;
    /** Pixels. */
    rowHeight: number;
    /** Draws the content of row `index`. */
    render: (index: number) => ComponentChildren;
    /** The class of row `index`. */
    rowClass?: (index: number) => string;
    onRowClick?: (index: number, event: MouseEvent) => void;
    /** While this stays the same, rows that exist are not drawn again. */
    version?: unknown;
    /** Stays at the end while more rows come, unless somebody scrolls up. */
    followsEnd?: boolean;
    /** A row that must be in view when this changes. */
    shown?: number;
    label: string;
    class?: string;
    onKeyDown?: (event: KeyboardEvent) => void;
    role?: AriaRole;
    rowRole?: AriaRole;
}

/** Rows above and below the view that exist, too. */
const MARGIN = 3;

export function VirtualList(p: Properties): JSX.Element {
    const box = useRef<HTMLDivElement>(null);
    const isAtEnd = useRef(true);
    const [place, setPlace] = useState({ top: 0, height: 600 });

    const look = (): void => {
        if (!box.current) return; // the list has just gone
        const { scrollTop, clientHeight, scrollHeight } = box.current;
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - p.rowHeight;
        const top = Math.floor(scrollTop / p.rowHeight) * p.rowHeight;
        setPlace((old) => (old.top === top && old.height === clientHeight ? old : { top, height: clientHeight }));
    };
    useLayoutEffect(() => {
        const observer = new ResizeObserver(look);
        observer.observe(box.current!);
        return () => observer.disconnect();
    }, []);
    useLayoutEffect(() => {
        if (p.followsEnd && isAtEnd.current) box.current!.scrollTop = p.count * p.rowHeight;
        look();
    }, [p.count, p.followsEnd]);
    useLayoutEffect(() => {
        if (p.shown === undefined || p.shown < 0) return;
        const { scrollTop, clientHeight } = box.current!;
        const top = p.shown * p.rowHeight;
        if (top < scrollTop) box.current!.scrollTop = top;
        else if (top + p.rowHeight > scrollTop + clientHeight)
            box.current!.scrollTop = top + p.rowHeight - clientHeight;
    }, [p.shown]);

    const first = Math.max(0, Math.floor(place.top / p.rowHeight) - MARGIN);
    const last = Math.min(p.count, Math.ceil((place.top + place.height) / p.rowHeight) + MARGIN);
    const room = Math.ceil(place.height / p.rowHeight) + 2 * MARGIN + 1;
    // A row that is the same object as before costs nothing.
    const kept = useRef<{ version: unknown; room: number; rows: Map<number, JSX.Element> } | null>(null);
    const old = kept.current;
    const isSame = p.version !== undefined && old?.version === p.version && old.room === room;
    const rows = new Map<number, JSX.Element>();
    for (let i = first; i < last; ++i) rows.set(i, (isSame && old.rows.get(i)) || makeRow(p, i, i % room));
    kept.current = { version: p.version, room, rows };
    const onClick = (event: MouseEvent): void => {
        const row = (event.target as Element).closest<HTMLElement>("[data-row]");
        if (row) p.onRowClick?.(Number(row.dataset.row), event);
    };
    return (
        <div
            ref={box}
            class={`virtual-list ${p.class ?? ""}`}
            tabIndex={0}
            role={p.role ?? "list"}
            aria-label={p.label}
            onScroll={look}
            onClick={onClick}
            onKeyDown={p.onKeyDown}
        >
            <div class="virtual-space" style={{ height: `${p.count * p.rowHeight}px` }}>
                {[...rows.values()]}
            </div>
        </div>
    );
}

function makeRow(p: Properties, index: number, key: number): JSX.Element {
    return (
        <div
            key={key}
            class={`row ${p.rowClass?.(index) ?? ""}`}
            role={p.rowRole}
            data-row={index}
            style={{ transform: `translateY(${index * p.rowHeight}px)`, height: `${p.rowHeight}px` }}
        >
            {p.render(index)}
        </div>
    );
}
