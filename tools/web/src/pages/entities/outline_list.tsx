// outline_list.tsx: the outline as a tree of rows.
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { VirtualList } from "../../widgets/virtual_list";
import type { OutlineRow } from "./outline";

interface Properties {
    rows: OutlineRow[];
    folded: ReadonlySet<string>;
    /** The number of the chosen entity. */
    chosen: number;
    onFold: (key: string) => void;
    onChoose: (entity: number) => void;
}

export function OutlineList({ rows, folded, chosen, onFold, onChoose }: Properties): JSX.Element {
    const [place, setPlace] = useState("");
    const ofEntity = chosen ? rows.findIndex((row) => row.entity === chosen) : -1;
    const ofPlace = rows.findIndex((row) => row.key === place);
    const at = ofPlace >= 0 && rows[ofPlace]!.entity === undefined ? ofPlace : ofEntity;

    const version = useMemo(() => ({}), [rows, folded, at]);

    const go = (index: number): void => {
        const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
        if (!row) return;
        setPlace(row.key);
        if (row.entity !== undefined) onChoose(row.entity);
    };
    const onKeyDown = (event: KeyboardEvent): void => {
        const row = rows[at];
        if (event.key === "ArrowDown") go(at + 1);
        else if (event.key === "ArrowUp") go(at - 1);
        else if (event.key === "PageDown") go(at + 20);
        else if (event.key === "PageUp") go(at - 20);
        else if (event.key === "Home") go(0);
        else if (event.key === "End") go(rows.length - 1);
        else if (row?.hasChildren && event.key === (folded.has(row.key) ? "ArrowRight" : "ArrowLeft")) onFold(row.key);
        else return;
        event.preventDefault();
    };
    return (
        <VirtualList
            class="outline"
            label="Outline"
            role="tree"
            rowRole="treeitem"
            count={rows.length}
            rowHeight={22}
            shown={at}
            version={version}
            rowClass={(index) => (index === at ? "chosen" : "")}
            render={(index) => <Row row={rows[index]!} isFolded={folded.has(rows[index]!.key)} />}
            onRowClick={(index, event) => {
                const row = rows[index]!;
                const isOnFold = (event.target as Element).classList.contains("fold");
                if (row.hasChildren && (isOnFold || row.key === place)) onFold(row.key);
                go(index);
            }}
            onKeyDown={onKeyDown}
        />
    );
}

function Row({ row, isFolded }: { row: OutlineRow; isFolded: boolean }): JSX.Element {
    return (
        <>
            <span class="fold" style={{ marginLeft: `${row.depth * 16}px` }}>
                {row.hasChildren ? (isFolded ? "▸" : "▾") : ""}
            </span>
            <span>{row.label}</span>
            <span class="dim">{row.detail}</span>
        </>
    );
}
