// allocator_tree.tsx: the tree of allocators, with bars.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { bytes, signed } from "../../format";
import type { MemoryRow } from "../../protocol";
import { type TreeRow, isTraced, treeRows } from "./memory_tree";

interface Properties {
    rows: MemoryRow[];
    /** What the rows are compared with; null: nothing. */
    before: ReadonlyMap<string, number> | null;
    total: number;
    chosen: string;
    onChoose: (path: string) => void;
}

export function AllocatorTree({ rows, before, total, chosen, onChoose }: Properties): JSX.Element {
    const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
    const shown = treeRows(rows, folded, before);
    const fold = (path: string, isFolded: boolean): void => {
        const changed = new Set(folded);
        if (isFolded) changed.add(path);
        else changed.delete(path);
        setFolded(changed);
    };
    const onKeyDown = (event: KeyboardEvent): void => {
        const at = shown.findIndex((row) => row.path === chosen);
        const row = shown[at];
        if (event.key === "ArrowDown") onChoose(shown[Math.min(at + 1, shown.length - 1)]?.path ?? "");
        else if (event.key === "ArrowUp") onChoose(shown[Math.max(at - 1, 0)]?.path ?? "");
        else if (event.key === "ArrowLeft" && row) fold(row.path, true);
        else if (event.key === "ArrowRight" && row) fold(row.path, false);
        else if (event.key === "Escape") onChoose("");
        else return;
        event.preventDefault();
    };
    return (
        <div class="table-box" tabIndex={0} onKeyDown={onKeyDown} aria-label="Allocators">
            <table role="treegrid" class="allocators">
                <thead>
                    <tr>
                        <th>allocator</th>
                        <th class="number">live</th>
                        {before && <th class="number">difference</th>}
                        <th class="number">peak</th>
                        <th class="number">blocks</th>
                    </tr>
                </thead>
                <tbody>
                    {shown.map((row) => (
                        <tr
                            key={row.path}
                            class={row.path === chosen ? "chosen" : ""}
                            aria-level={row.depth + 1}
                            aria-expanded={row.hasChildren ? !folded.has(row.path) : undefined}
                            onClick={() => onChoose(row.path === chosen ? "" : row.path)}
                        >
                            <NameCell row={row} total={total} isFolded={folded.has(row.path)} onFold={fold} />
                            <td class="number">{bytes(row.live_bytes)}</td>
                            {before && <Difference value={row.difference} />}
                            <td class="number dim">{bytes(row.peak_bytes)}</td>
                            <td class="number dim">{row.live_blocks.toLocaleString("en")}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}

interface NameProperties {
    row: TreeRow;
    total: number;
    isFolded: boolean;
    onFold: (path: string, isFolded: boolean) => void;
}

function NameCell({ row, total, isFolded, onFold }: NameProperties): JSX.Element {
    const share = total > 0 ? Math.min(100, (row.live_bytes / total) * 100) : 0;
    return (
        <td>
            <div class="bar" style={{ width: `${share}%` }} />
            <span class="tree-name" style={{ paddingLeft: `${row.depth * 16}px` }}>
                <span
                    class="fold"
                    onClick={(event) => {
                        event.stopPropagation();
                        onFold(row.path, !isFolded);
                    }}
                >
                    {row.hasChildren ? (isFolded ? "▸" : "▾") : ""}
                </span>
                {row.name}
                {isTraced(row) && <span class="dim"> · traced</span>}
            </span>
        </td>
    );
}

function Difference({ value }: { value: number }): JSX.Element {
    const kind = value > 0 ? "grown" : value < 0 ? "shrunk" : "dim";
    return <td class={`number ${kind}`}>{value === 0 ? "" : signed(value, bytes)}</td>;
}
